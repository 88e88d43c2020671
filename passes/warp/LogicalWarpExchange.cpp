// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/warp/LogicalWarpExchange.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace vx {

using abi::LaunchDescriptor;

/// The flag of a hardware warp, a byte: some lane votes, some lane has not ended.
static constexpr unsigned kVoted = 1, kAlive = 2;
static constexpr uint64_t kVotedFlags = 0x0101010101010101;

LogicalWarpExchange::LogicalWarpExchange(Function &f)
    : f(f), isUniform(f.getFnAttribute(kLogicalWarpAttr).getValueAsString() == kUniformWarps),
      b(f.getContext()), word(b.getIntNTy(f.getDataLayout().getPointerSizeInBits())) {
  makePrologue();
}

void LogicalWarpExchange::finish(DominatorTree &dt) {
  PromoteMemToReg({current}, dt);
}

/// Returns a 32-bit field of the descriptor.
Value *LogicalWarpExchange::field(uint64_t offset) {
  return b.CreateZExt(loadField(b, f.getArg(0), offset, b.getInt32Ty()), word);
}

/// Emits what does not change, at the top of the entry.
void LogicalWarpExchange::makePrologue() {
  BasicBlock &entry = f.getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  current = b.CreateAlloca(word, nullptr, "buffer");
  Value *warp = emitCsrRead(b, VX_CSR_WARP_ID), *lanes = emitCsrRead(b, VX_CSR_NUM_THREADS);
  laneInWarp = emitCsrRead(b, VX_CSR_THREAD_ID);
  parts = field(offsetof(LaunchDescriptor, fields.logicalWarps.hardwareWarps));
  part = b.CreateAnd(warp, b.CreateSub(parts, ConstantInt::get(word, 1)));
  lane = b.CreateAdd(b.CreateMul(part, lanes), laneInWarp, "logical.lane");
  auto bytes = [&](Value *elements) { return b.CreateShl(elements, 3); }; // of 8 bytes each
  laneBytes = bytes(lane);
  Value *firstWarp = b.CreateSub(warp, part);
  Value *firstLane = bytes(b.CreateMul(firstWarp, lanes));
  Value *memory = b.CreatePtrToInt(
      loadPointerField(b, f.getArg(0), offsetof(LaunchDescriptor, fields.logicalWarps.exchange)),
      word);
  Value *stride = field(offsetof(LaunchDescriptor, fields.logicalWarps.exchangeStride));
  first = b.CreateAdd(memory, firstLane, "logical.memory");
  buffers = b.CreateAdd(b.CreateShl(first, 1), stride);
  b.CreateStore(first, current);
  barrier = b.CreateAdd(
      b.CreateLShr(warp, field(offsetof(LaunchDescriptor, fields.logicalWarps.shift))),
      field(offsetof(LaunchDescriptor, fields.logicalWarps.barriers)), "logical.barrier");
  // The words of the hardware warps, two of each, follow the elements of all lanes.
  Value *allLanes = bytes(b.CreateMul(emitCsrRead(b, VX_CSR_NUM_WARPS), lanes));
  allFlags = b.CreateSub(b.CreateAdd(allLanes, b.CreateShl(firstWarp, 4)), firstLane);
  if (isUniform)
    placeBallots(lanes);
  else
    placeVotes();
  flagBytes = b.CreateAdd(allFlags, part);
  // Lane 0 is enough to clear a flag where it is surely there.
  Value *isFirst = b.CreateIsNull(laneInWarp);
  clearBytes = isUniform ? b.CreateSelect(isFirst, flagBytes, laneBytes) : flagBytes;
  Value *unused =
      b.CreateShl(b.CreateSub(ConstantInt::get(word, abi::kMaxLogicalWarpParts), parts), 3);
  flagMask =
      b.CreateLShr(b.getInt64(kVotedFlags), b.CreateZExt(unused, b.getInt64Ty()), "logical.flags");
}

/// Finds where votes are stored if all lanes execute each exchange: every lane of a hardware warp
/// has an element of 64 bits for the votes of the whole logical warp, so that loads are from
/// different memory banks. Hardware warps of up to 8 lanes each have a byte of it; two of 4 lanes
/// share a byte of the result, and the second one has its byte in the upper half. Others have 32
/// bits each. It is the element of the lane in the first hardware warp of the logical warp.
void LogicalWarpExchange::placeBallots(Value *lanes) {
  auto number = [&](unsigned n) { return ConstantInt::get(word, n); };
  Type *i64 = b.getInt64Ty();
  Value *several = b.CreateICmpUGT(parts, number(1));
  Value *isBytes = b.CreateAnd(b.CreateICmpULE(lanes, number(8)), several);
  Value *firstLane = b.CreateSub(lane, laneInWarp), *byte = b.CreateLShr(firstLane, 3);
  Value *upper = b.CreateAnd(b.CreateAnd(firstLane, lanes), number(4));
  ballotBytes = b.CreateShl(laneInWarp, 3);
  Value *own32 = b.CreateAdd(ballotBytes, b.CreateShl(part, 2));
  voteByte = b.CreateSelect(isBytes, b.CreateAdd(ballotBytes, b.CreateAdd(byte, upper)), own32);
  Value *shift = b.CreateSelect(isBytes, b.CreateShl(byte, 3), number(0));
  voteShift = b.CreateTrunc(shift, b.getInt32Ty(), "logical.vote.shift");
  // Another element takes what is not read.
  Value *isFirst = b.CreateIsNull(part);
  Value *unused = b.CreateAdd(laneBytes, b.CreateSelect(isFirst, b.CreateShl(lanes, 3), number(0)));
  voteWord = b.CreateSelect(isBytes, unused, own32, "logical.vote");
  Value *bits =
      b.CreateLShr(b.getInt64(0xffffffff),
                   b.CreateSub(b.getInt64(32), b.CreateZExt(b.CreateMul(parts, lanes), i64)));
  Value *isShared = b.CreateICmpEQ(lanes, number(4));
  Value *both = b.CreateSelect(isShared, b.CreateShl(bits, 32), b.getInt64(0));
  Value *wide = b.CreateSelect(several, b.getInt64(-1), b.getInt64(0xffffffff));
  votesMask = b.CreateSelect(isBytes, b.CreateOr(bits, both), wide, "logical.votes");
}

Value *LogicalWarpExchange::collectFromBallots(Value *votes) {
  Value *buffer = nextBuffer();
  store(votes, buffer, voteWord);
  store(b.CreateTrunc(b.CreateLShr(votes, voteShift), b.getInt8Ty()), buffer, voteByte);
  wait();
  Value *all = b.CreateAnd(load(b.getInt64Ty(), buffer, ballotBytes), votesMask);
  return b.CreateTrunc(b.CreateOr(all, b.CreateLShr(all, 32)), b.getInt32Ty());
}

/// Finds where votes are stored if lanes may have ended: each hardware warp has 32 bits after the
/// flags.
void LogicalWarpExchange::placeVotes() {
  auto number = [&](unsigned n) { return ConstantInt::get(word, n); };
  Value *last = b.CreateSub(parts, number(1));
  for (unsigned k = 0; k < abi::kMaxLogicalWarpParts; ++k) {
    Value *other = b.CreateAnd(b.CreateAdd(part, number(k)), last);
    warpVotes[k] = b.CreateAdd(b.CreateAdd(allFlags, number(8)), b.CreateShl(other, 4));
  }
}

Value *LogicalWarpExchange::address(Value *integer) {
  return b.CreateIntToPtr(integer, b.getPtrTy());
}

/// Lets all hardware warps of the logical warp wait for each other.
void LogicalWarpExchange::wait() {
  emitHwBarrier(b, barrier, parts);
}

/// Returns the element of lane 0 of the logical warp in the buffer for the next exchange. Those of
/// one block come in order, and have two addresses.
Value *LogicalWarpExchange::nextBuffer() {
  if (!isUniform)
    return first;
  if (b.GetInsertBlock() == inBlock.block) {
    std::swap(inBlock.last, inBlock.next);
  } else {
    Value *before = b.CreateLoad(word, current);
    inBlock = {b.GetInsertBlock(), b.CreateSub(buffers, before), before};
  }
  b.CreateStore(inBlock.last, current);
  return inBlock.last;
}

/// Stores VALUE, BYTES from the element of lane 0 in BUFFER.
void LogicalWarpExchange::store(Value *value, Value *buffer, Value *bytes) {
  b.CreateStore(value, address(b.CreateAdd(buffer, bytes)), /*isVolatile=*/true);
}

/// Loads what is BYTES from the element of lane 0 in BUFFER.
Value *LogicalWarpExchange::load(Type *type, Value *buffer, Value *bytes) {
  return b.CreateLoad(type, address(b.CreateAdd(buffer, bytes)), /*isVolatile=*/true);
}

/// Ensures that all hardware warps have stored their values.
void LogicalWarpExchange::waitForValues() {
  if (!isUniform)
    markAlive(true);
  wait();
}

/// Ensures that all hardware warps have loaded what they need.
void LogicalWarpExchange::finishExchange() {
  if (!isUniform)
    wait();
}

void LogicalWarpExchange::markAlive(bool alive) {
  store(b.getInt8(alive ? kAlive : 0), first, flagBytes);
}

Value *LogicalWarpExchange::lower(CallInst &call, VxFn fn) {
  b.SetInsertPoint(&call);
  if (fn == VxFn::ActiveMask &&
      call.use_empty()) // only a synchronization (vx-insert-implicit-syncwarp)
    fn = VxFn::WarpSync;
  switch (fn) {
  case VxFn::WarpSync:
    emitMemoryBarrier(b);
    if (!isUniform)
      markAlive(true);
    wait();
    finishExchange();
    return nullptr;
  case VxFn::LogicalWarpWait:
    return waitAtEnd();
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

/// Returns the lanes of the hardware warp (word) where PREDICATE holds, at their places in the
/// logical warp (i32).
Value *LogicalWarpExchange::ballot(Value *predicate) {
  bool isTrue = isa<Constant>(predicate) && !cast<Constant>(predicate)->isNullValue();
  Value *lanes = isTrue ? emitOrderedCsrRead(b, VX_CSR_ACTIVE_THREADS) : emitBallot(b, predicate);
  return b.CreateTrunc(b.CreateShl(lanes, b.CreateSub(lane, laneInWarp)), b.getInt32Ty());
}

/// Collects VOTES (an integer) of all hardware warps of the logical warp.
Value *LogicalWarpExchange::collect(Value *votes) {
  if (isUniform)
    return collectFromBallots(votes);
  Value *all = votes;
  store(votes, first, warpVotes[0]);
  waitForValues();
  for (unsigned k = 1; k < abi::kMaxLogicalWarpParts; ++k)
    all = b.CreateOr(all, load(b.getInt32Ty(), first, warpVotes[k]));
  finishExchange();
  return all;
}

/// Emits whether PREDICATE holds in some lane: each hardware warp clears its flag, and then those
/// lanes set it; the others store to an element of their own.
Value *LogicalWarpExchange::any(Value *predicate) {
  Value *buffer = nextBuffer();
  unsigned none = isUniform ? 0 : kAlive;
  store(b.getInt8(none), buffer, clearBytes);
  store(b.getInt8(none | kVoted), buffer, b.CreateSelect(predicate, flagBytes, laneBytes));
  wait();
  Value *flags = load(b.getInt64Ty(), buffer, allFlags);
  finishExchange();
  return b.CreateIsNotNull(b.CreateAnd(flags, flagMask));
}

Value *LogicalWarpExchange::vote(CallInst &call, VxFn fn) {
  if (fn == VxFn::ActiveMask)
    return collect(ballot(b.getInt32(1)));
  Value *members = call.getArgOperand(0);
  Value *predicate = b.CreateIsNotNull(call.getArgOperand(1));
  auto truth = [&](Value *v) { return b.CreateZExt(v, b.getInt32Ty()); };
  auto named = [&](Value *votes) { return b.CreateAnd(votes, members); };
  // A lane that executes this is one of those it names.
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

Value *LogicalWarpExchange::shuffle(CallInst &call, VxFn fn) {
  Value *value = call.getArgOperand(1);
  Value *source =
      emitShuffleSource(b, fn, lane, call.getArgOperand(2), call.getArgOperand(3)).select(b, lane);
  Value *buffer = nextBuffer();
  store(value, buffer, laneBytes);
  waitForValues();
  Value *at = address(b.CreateAdd(buffer, b.CreateShl(source, 3)));
  Value *result = b.CreateLoad(value->getType(), at, /*isVolatile=*/true);
  finishExchange();
  return result;
}

/// Emits one exchange for lanes that have ended: no lane of this hardware warp votes.
Value *LogicalWarpExchange::waitAtEnd() {
  store(b.getInt64(0), first, laneBytes);
  store(b.getInt32(0), first, warpVotes[0]);
  markAlive(false);
  wait();
  Value *flags = load(b.getInt64Ty(), first, allFlags);
  Value *alive = b.CreateAnd(flags, b.CreateShl(flagMask, Log2_32(kAlive)));
  wait();
  return b.CreateZExt(b.CreateIsNotNull(alive), b.getInt32Ty());
}

} // namespace vx
