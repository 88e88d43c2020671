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
static constexpr unsigned kMaxTeam = 4;
/// The flag of a hardware warp, a byte: some lane votes, some lane is under way.
static constexpr unsigned kVoted = 1, kAlive = 2, kVotedFlags = 0x01010101;

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
  // Reading one's own lane of each hardware warp keeps memory banks apart, but that lane must be
  // there.
  voteBytes = together ? laneBytes : b.CreateSub(laneBytes, bytes(laneInWarp));
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
  Value *last = b.CreateSub(teamWarps, ConstantInt::get(word, 1));
  for (unsigned k = 1; k < kMaxTeam; ++k) {
    Value *other = b.CreateAnd(b.CreateAdd(warpInTeam, ConstantInt::get(word, k)), last);
    warpBytes[k] = bytes(b.CreateMul(b.CreateSub(other, warpInTeam), lanes));
  }
  // The words of the hardware warps follow the elements of all lanes.
  Value *allLanes = bytes(b.CreateMul(emitCsrRead(b, VX_CSR_NUM_WARPS), lanes));
  flagsOfTeam = b.CreateSub(b.CreateAdd(allLanes, bytes(firstWarp)), firstLane);
  flagBytes = b.CreateAdd(flagsOfTeam, warpInTeam);
  // Lane 0 is enough to clear a flag where it is surely there.
  Value *isFirst = b.CreateIsNull(laneInWarp);
  clearBytes = together ? b.CreateSelect(isFirst, flagBytes, laneBytes) : flagBytes;
  Value *unused = b.CreateShl(b.CreateSub(ConstantInt::get(word, kMaxTeam), teamWarps), 3);
  flagMask = b.CreateTrunc(b.CreateLShr(ConstantInt::get(word, kVotedFlags), unused),
                           b.getInt32Ty(), "team.flags");
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

/// Leaves VALUE for the team, BYTES from team lane 0's element, and meets it; yields the address of
/// that.
Value *TeamExchange::exchange(Value *value, Value *bytes) {
  Value *buffer = nextBuffer();
  b.CreateStore(value, address(b.CreateAdd(buffer, bytes)), /*isVolatile=*/true);
  if (!together && !alone)
    markAlive(true);
  meet();
  return buffer;
}

/// All have read what was left for them.
void TeamExchange::finishExchange() {
  if (!together)
    meet();
}

void TeamExchange::markAlive(bool alive) {
  b.CreateStore(b.getInt8(alive ? kAlive : 0), address(b.CreateAdd(first, flagBytes)),
                /*isVolatile=*/true);
}

Value *TeamExchange::lower(CallInst &call, VxFn fn) {
  b.SetInsertPoint(&call);
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
  Value *mine = b.CreateAdd(exchange(votes, voteBytes), voteBytes), *all = votes;
  for (unsigned k = 1; k < kMaxTeam; ++k) {
    Value *at = address(b.CreateAdd(mine, warpBytes[k]));
    all = b.CreateOr(all, b.CreateLoad(votes->getType(), at, /*isVolatile=*/true));
  }
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
  auto store = [&](unsigned flag, Value *bytes) {
    b.CreateStore(b.getInt8(flag), address(b.CreateAdd(buffer, bytes)), /*isVolatile=*/true);
  };
  store(none, clearBytes);
  store(none | kVoted, b.CreateSelect(predicate, flagBytes, laneBytes));
  meet();
  Value *flags = b.CreateLoad(b.getInt32Ty(), address(b.CreateAdd(buffer, flagsOfTeam)),
                              /*isVolatile=*/true);
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
  Value *buffer = exchange(value, laneBytes);
  Value *at = address(b.CreateAdd(buffer, b.CreateShl(source, 3)));
  Value *result = b.CreateLoad(value->getType(), at, /*isVolatile=*/true);
  finishExchange();
  return result;
}

/// One meeting of lanes that have ended: nobody of this hardware warp votes.
Value *TeamExchange::meetAtEnd() {
  b.CreateStore(b.getInt64(0), address(b.CreateAdd(first, laneBytes)), /*isVolatile=*/true);
  markAlive(false);
  meet();
  Value *flags = b.CreateLoad(b.getInt32Ty(), address(b.CreateAdd(first, flagsOfTeam)),
                              /*isVolatile=*/true);
  Value *alive = b.CreateAnd(flags, b.CreateShl(flagMask, Log2_32(kAlive)));
  meet();
  return alive;
}

} // namespace vx
