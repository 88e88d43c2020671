// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/warp/TeamExchange.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/regions/TeamKernels.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace vx {

using abi::LaunchDescriptor;

/// Hardware warps of a team, at most (runtime/core/LaunchPlan.cpp).
static constexpr unsigned kMaxTeam = 8;
/// The flag of a hardware warp, a byte: some lane votes, some lane is under way.
static constexpr unsigned kVoted = 1, kAlive = 2;
static constexpr uint64_t kVotedFlags = 0x0101010101010101;

TeamExchange::TeamExchange(Function &f)
    : f(f),
      together(f.getFnAttribute(kTeamAttr).getValueAsString() == toString(TeamKind::Together)),
      alone(f.getFnAttribute(kTeamAttr).getValueAsString() == toString(TeamKind::Alone)),
      b(f.getContext()), word(b.getIntNTy(f.getDataLayout().getPointerSizeInBits())) {
  makePrologue();
}

void TeamExchange::finish(DominatorTree &dt) {
  PromoteMemToReg({turn}, dt);
}

/// A 32-bit field of the descriptor.
Value *TeamExchange::field(uint64_t offset) {
  return b.CreateZExt(loadField(b, f.getArg(0), offset, b.getInt32Ty()), word);
}

/// What does not change, at the top of the entry.
void TeamExchange::makePrologue() {
  BasicBlock &entry = f.getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  turn = b.CreateAlloca(word, nullptr, "turn");
  Value *warp = emitCsrRead(b, VX_CSR_WARP_ID), *lanes = emitCsrRead(b, VX_CSR_NUM_THREADS);
  laneInWarp = emitCsrRead(b, VX_CSR_THREAD_ID);
  teamWarps = field(offsetof(LaunchDescriptor, teamWarps));
  warpInTeam = b.CreateAnd(warp, b.CreateSub(teamWarps, ConstantInt::get(word, 1)));
  lane = b.CreateAdd(b.CreateMul(warpInTeam, lanes), laneInWarp, "team.lane");
  auto bytes = [&](Value *elements) { return b.CreateShl(elements, 3); }; // of 8 bytes each
  laneBytes = bytes(lane);
  Value *firstWarp = b.CreateSub(warp, warpInTeam);
  Value *firstLane = bytes(b.CreateMul(firstWarp, lanes));
  Value *memory = b.CreatePtrToInt(
      loadPointerField(b, f.getArg(0), offsetof(LaunchDescriptor, exchange)), word);
  Value *stride = field(offsetof(LaunchDescriptor, exchangeStride));
  first = b.CreateAdd(memory, firstLane, "team.memory");
  buffers = b.CreateAdd(b.CreateShl(first, 1), stride);
  b.CreateStore(first, turn);
  team = b.CreateAdd(b.CreateLShr(warp, field(offsetof(LaunchDescriptor, teamShift))),
                     field(offsetof(LaunchDescriptor, teamBarriers)), "team.barrier");
  // The words of the hardware warps, two of each, follow the elements of all lanes.
  Value *allLanes = bytes(b.CreateMul(emitCsrRead(b, VX_CSR_NUM_WARPS), lanes));
  flagsOfTeam = b.CreateSub(b.CreateAdd(allLanes, b.CreateShl(firstWarp, 4)), firstLane);
  if (together)
    placeCells(lanes);
  else
    placeVotes();
  flagBytes = b.CreateAdd(flagsOfTeam, warpInTeam);
  // Lane 0 is enough to clear a flag where it is surely there.
  Value *isFirst = b.CreateIsNull(laneInWarp);
  clearBytes = together ? b.CreateSelect(isFirst, flagBytes, laneBytes) : flagBytes;
  Value *unused = b.CreateShl(b.CreateSub(ConstantInt::get(word, kMaxTeam), teamWarps), 3);
  flagMask =
      b.CreateLShr(b.getInt64(kVotedFlags), b.CreateZExt(unused, b.getInt64Ty()), "team.flags");
}

/// Where votes are left if all lanes come by: every lane of a hardware warp has a cell of 64 bits
/// for the votes of the whole team, so that reading it keeps memory banks apart. Hardware warps of
/// up to 8 lanes each have a byte of it; two of 4 lanes share a byte of the result, and the second
/// one has its byte in the upper half. Others have 32 bits each. A cell is the element of the lane
/// in the first hardware warp of the team.
void TeamExchange::placeCells(Value *lanes) {
  auto number = [&](unsigned n) { return ConstantInt::get(word, n); };
  Type *i64 = b.getInt64Ty();
  Value *several = b.CreateICmpUGT(teamWarps, number(1));
  Value *isBytes = b.CreateAnd(b.CreateICmpULE(lanes, number(8)), several);
  Value *firstLane = b.CreateSub(lane, laneInWarp), *byte = b.CreateLShr(firstLane, 3);
  Value *upper = b.CreateAnd(b.CreateAnd(firstLane, lanes), number(4));
  cell = b.CreateShl(laneInWarp, 3);
  Value *own32 = b.CreateAdd(cell, b.CreateShl(warpInTeam, 2));
  voteByte = b.CreateSelect(isBytes, b.CreateAdd(cell, b.CreateAdd(byte, upper)), own32);
  Value *shift = b.CreateSelect(isBytes, b.CreateShl(byte, 3), number(0));
  voteShift = b.CreateTrunc(shift, b.getInt32Ty(), "team.vote.shift");
  // An element that is no cell takes what nobody reads.
  Value *isFirst = b.CreateIsNull(warpInTeam);
  Value *unused = b.CreateAdd(laneBytes, b.CreateSelect(isFirst, b.CreateShl(lanes, 3), number(0)));
  voteWord = b.CreateSelect(isBytes, unused, own32, "team.vote");
  Value *bits =
      b.CreateLShr(b.getInt64(0xffffffff),
                   b.CreateSub(b.getInt64(32), b.CreateZExt(b.CreateMul(teamWarps, lanes), i64)));
  Value *isShared = b.CreateICmpEQ(lanes, number(4));
  Value *both = b.CreateSelect(isShared, b.CreateShl(bits, 32), b.getInt64(0));
  Value *wide = b.CreateSelect(several, b.getInt64(-1), b.getInt64(0xffffffff));
  votesMask = b.CreateSelect(isBytes, b.CreateOr(bits, both), wide, "team.votes");
}

Value *TeamExchange::collectFromCells(Value *votes) {
  Value *buffer = nextBuffer();
  leave(votes, buffer, voteWord);
  leave(b.CreateTrunc(b.CreateLShr(votes, voteShift), b.getInt8Ty()), buffer, voteByte);
  meet();
  Value *all = b.CreateAnd(load(b.getInt64Ty(), buffer, cell), votesMask);
  return b.CreateTrunc(b.CreateOr(all, b.CreateLShr(all, 32)), b.getInt32Ty());
}

/// Where votes are left if lanes may have ended: each hardware warp has 32 bits behind the flags.
void TeamExchange::placeVotes() {
  auto number = [&](unsigned n) { return ConstantInt::get(word, n); };
  Value *last = b.CreateSub(teamWarps, number(1));
  for (unsigned k = 0; k < kMaxTeam; ++k) {
    Value *other = b.CreateAnd(b.CreateAdd(warpInTeam, number(k)), last);
    warpVotes[k] = b.CreateAdd(b.CreateAdd(flagsOfTeam, number(8)), b.CreateShl(other, 4));
  }
}

Value *TeamExchange::address(Value *integer) {
  return b.CreateIntToPtr(integer, b.getPtrTy());
}

void TeamExchange::meet() {
  if (!alone)
    emitHwBarrier(b, team, teamWarps);
}

/// Team lane 0's element of the buffer for the next exchange.
Value *TeamExchange::nextBuffer() {
  if (!together)
    return first;
  Value *buffer = b.CreateSub(buffers, b.CreateLoad(word, turn));
  b.CreateStore(buffer, turn);
  return buffer;
}

/// Leaves VALUE, BYTES from team lane 0's element in BUFFER.
void TeamExchange::leave(Value *value, Value *buffer, Value *bytes) {
  b.CreateStore(value, address(b.CreateAdd(buffer, bytes)), /*isVolatile=*/true);
}

/// What is BYTES from team lane 0's element in BUFFER.
Value *TeamExchange::load(Type *type, Value *buffer, Value *bytes) {
  return b.CreateLoad(type, address(b.CreateAdd(buffer, bytes)), /*isVolatile=*/true);
}

/// Everybody has left what the others need.
void TeamExchange::meetForExchange() {
  if (!together && !alone)
    markAlive(true);
  meet();
}

/// All have read what was left for them.
void TeamExchange::finishExchange() {
  if (!together)
    meet();
}

void TeamExchange::markAlive(bool alive) {
  leave(b.getInt8(alive ? kAlive : 0), first, flagBytes);
}

Value *TeamExchange::lower(CallInst &call, VxFn fn) {
  b.SetInsertPoint(&call);
  if (fn == VxFn::ActiveMask && call.use_empty()) // only a meeting (vx-keep-warps-in-step)
    fn = VxFn::WarpSync;
  switch (fn) {
  case VxFn::WarpSync:
    emitMemoryBarrier(b);
    if (!together && !alone)
      markAlive(true);
    meet();
    finishExchange();
    return nullptr;
  case VxFn::TeamMeet:
    return meetAtEnd();
  case VxFn::ActiveMask:
  case VxFn::VoteAll:
  case VxFn::VoteAny:
  case VxFn::VoteUni:
  case VxFn::VoteBallot:
    return vote(call, fn);
  default:
    return shuffle(call, fn);
  }
}

/// The lanes of the hardware warp (word) where PREDICATE holds, at their places in the team (i32).
Value *TeamExchange::ballot(Value *predicate) {
  Value *lanes = isa<Constant>(predicate) && !cast<Constant>(predicate)->isNullValue()
                     ? emitOrderedCsrRead(b, VX_CSR_ACTIVE_THREADS)
                     : emitBallot(b, predicate);
  return b.CreateTrunc(b.CreateShl(lanes, b.CreateSub(lane, laneInWarp)), b.getInt32Ty());
}

/// VOTES (an integer) of all hardware warps of the team.
Value *TeamExchange::collect(Value *votes) {
  if (alone)
    return votes;
  if (together)
    return collectFromCells(votes);
  Value *all = votes;
  leave(votes, first, warpVotes[0]);
  meetForExchange();
  for (unsigned k = 1; k < kMaxTeam; ++k)
    all = b.CreateOr(all, load(b.getInt32Ty(), first, warpVotes[k]));
  finishExchange();
  return all;
}

/// True if PREDICATE holds in some lane: each hardware warp clears its flag, and then those lanes
/// set it; the others store to an element of their own.
Value *TeamExchange::any(Value *predicate) {
  if (alone)
    return b.CreateIsNotNull(emitBallot(b, predicate));
  Value *buffer = nextBuffer();
  unsigned none = together ? 0 : kAlive;
  leave(b.getInt8(none), buffer, clearBytes);
  leave(b.getInt8(none | kVoted), buffer, b.CreateSelect(predicate, flagBytes, laneBytes));
  meet();
  Value *flags = load(b.getInt64Ty(), buffer, flagsOfTeam);
  finishExchange();
  return b.CreateIsNotNull(b.CreateAnd(flags, flagMask));
}

Value *TeamExchange::vote(CallInst &call, VxFn fn) {
  if (fn == VxFn::ActiveMask)
    return collect(ballot(b.getInt32(1)));
  Value *members = call.getArgOperand(0);
  Value *predicate = b.CreateIsNotNull(call.getArgOperand(1));
  auto truth = [&](Value *v) { return b.CreateZExt(v, b.getInt32Ty()); };
  auto named = [&](Value *votes) { return b.CreateAnd(votes, members); };
  // A lane that comes here is one of those it names.
  if (isa<Constant>(members) && fn != VxFn::VoteBallot) {
    if (fn == VxFn::VoteAny)
      return truth(any(predicate));
    Value *isAll = b.CreateNot(any(b.CreateNot(predicate)));
    if (fn == VxFn::VoteUni)
      isAll = b.CreateOr(isAll, b.CreateNot(any(predicate)));
    return truth(isAll);
  }
  switch (fn) {
  case VxFn::VoteAll:
    return truth(b.CreateIsNull(named(collect(ballot(b.CreateNot(predicate))))));
  case VxFn::VoteAny:
    return truth(b.CreateIsNotNull(named(collect(ballot(predicate)))));
  case VxFn::VoteBallot:
    return named(collect(ballot(predicate)));
  default: {
    Value *yes = collect(ballot(predicate)), *no = collect(ballot(b.CreateNot(predicate)));
    return truth(b.CreateOr(b.CreateIsNull(named(yes)), b.CreateIsNull(named(no))));
  }
  }
}

Value *TeamExchange::shuffle(CallInst &call, VxFn fn) {
  Value *value = call.getArgOperand(1);
  Value *source =
      emitShuffleSource(b, fn, lane, call.getArgOperand(2), call.getArgOperand(3)).select(b, lane);
  Value *buffer = nextBuffer();
  leave(value, buffer, laneBytes);
  meetForExchange();
  Value *at = address(b.CreateAdd(buffer, b.CreateShl(source, 3)));
  Value *result = b.CreateLoad(value->getType(), at, /*isVolatile=*/true);
  finishExchange();
  return result;
}

/// One meeting of lanes that have ended: nobody of this hardware warp votes.
Value *TeamExchange::meetAtEnd() {
  leave(b.getInt64(0), first, laneBytes);
  leave(b.getInt32(0), first, warpVotes[0]);
  markAlive(false);
  meet();
  Value *flags = load(b.getInt64Ty(), first, flagsOfTeam);
  Value *alive = b.CreateAnd(flags, b.CreateShl(flagMask, Log2_32(kAlive)));
  meet();
  return b.CreateZExt(b.CreateIsNotNull(alive), b.getInt32Ty());
}

} // namespace vx
