// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ExpandWarpFunctions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

class WarpExpander {
public:
  WarpExpander(CallInst &call, VxFn fn, bool paths) : call(call), fn(fn), paths(paths), b(&call) {}

  void run() {
    Value *mask = call.getArgOperand(0), *value = call.getArgOperand(1);
    Value *result = nullptr;
    if (paths) // what follows is about the lanes that are here
      emitCall(b, VxFn::WarpSync, {mask});
    switch (fn) {
    case VxFn::MatchAny32:
    case VxFn::MatchAny64:
      result = matchAny(mask, value);
      break;
    case VxFn::MatchAll32:
    case VxFn::MatchAll64:
      result = matchAll(mask, value);
      break;
    default:
      result = reduce(mask, value, call.getArgOperand(2));
    }
    if (llvm::isa<Instruction>(result) && !result->hasName())
      result->takeName(&call);
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

private:
  /// Emits a mask that names all lanes that are here; where lanes have paths, no other.
  Value *allLanes() { return paths ? emitCall(b, VxFn::ActiveMask) : everyLane(); }
  Value *everyLane() { return b.getInt32(-1); }

  Value *readLane(Value *mask, Value *value, Value *lane) {
    return emitWarpShuffle(b, VxFn::ShflIdx32, VxFn::ShflIdx64, mask, value, lane);
  }

  Value *ballot(Value *mask, Value *p) {
    return emitCall(b, VxFn::VoteBallot, {mask, b.CreateZExt(p, b.getInt32Ty())});
  }

  /// Returns the lanes of MASK that are here.
  Value *members(Value *mask) { return ballot(mask, b.getTrue()); }

  /// Returns the lowest lane of LANES, 32 if there is none.
  Value *lowest(Value *lanes) {
    return b.CreateBinaryIntrinsic(Intrinsic::cttz, lanes, b.getFalse());
  }

  // --- reductions ---

  Value *reduce(Value *mask, Value *value, Value *width) {
    const auto *w = dyn_cast<ConstantInt>(width);
    if (w && isPowerOf2_64(w->getZExtValue()) && w->getZExtValue() <= kWarpSize)
      return butterfly(mask, value, w->getZExtValue());
    // One value for all lanes that are here, whatever their masks.
    Value *whole = ballot(allLanes(), b.CreateICmpEQ(mask, everyLane()));
    Value *isWhole = b.CreateICmpEQ(whole, everyLane(), "whole.warp");
    Instruction *fastEnd, *slowEnd;
    SplitBlockAndInsertIfThenElse(isWhole, &call, &fastEnd, &slowEnd);
    b.SetInsertPoint(fastEnd);
    Value *fast = butterfly(allLanes(), value, kWarpSize);
    b.SetInsertPoint(slowEnd);
    Value *slow = collect(mask, value);
    b.SetInsertPoint(&call);
    PHINode *result = b.CreatePHI(value->getType(), 2);
    result->addIncoming(fast, fastEnd->getParent());
    result->addIncoming(slow, slowEnd->getParent());
    return result;
  }

  Value *butterfly(Value *mask, Value *v, unsigned width) {
    for (unsigned step = 1; step < width; step *= 2)
      v = emitReduction(
          b, fn, v,
          emitWarpShuffle(b, VxFn::ShflBfly32, VxFn::ShflBfly64, mask, v, b.getInt32(step)));
    return v;
  }

  Value *collect(Value *mask, Value *v) {
    Value *all = members(mask), *none = b.getInt32(kWarpSize);
    Value *above = b.CreateAnd(all, b.CreateShl(b.getInt32(-2), emitCall(b, VxFn::LaneId)));
    Value *next = lowest(above);
    for (unsigned reach = 1; reach < kWarpSize; reach *= 2) {
      Value *hasNext = b.CreateICmpULT(next, none);
      Value *theirs = readLane(mask, v, next);
      v = b.CreateSelect(hasNext, emitReduction(b, fn, v, theirs), v);
      if (2 * reach < kWarpSize)
        next = b.CreateSelect(hasNext, readLane(mask, next, next), none);
    }
    return readLane(mask, v, lowest(all));
  }

  // --- matches ---

  Value *matchAny(Value *mask, Value *value) {
    Value *here = emitCall(b, VxFn::ActiveMask);
    BasicBlock *before = call.getParent();
    BasicBlock *after = SplitBlock(before, &call);
    Function &f = *before->getParent();
    auto *loop = BasicBlock::Create(f.getContext(), "match", &f, after);
    before->getTerminator()->replaceSuccessorWith(after, loop);
    b.SetInsertPoint(loop);
    PHINode *todo = b.CreatePHI(b.getInt32Ty(), 2, "todo");
    PHINode *found = b.CreatePHI(b.getInt32Ty(), 2, "found");
    Value *leader = b.CreateBinaryIntrinsic(Intrinsic::cttz, todo, b.getTrue());
    Value *isSame = b.CreateICmpEQ(value, readLane(allLanes(), value, leader));
    Value *same = ballot(allLanes(), isSame);
    Value *result = b.CreateSelect(isSame, b.CreateAnd(same, mask), found);
    Value *rest = b.CreateAnd(todo, b.CreateNot(same));
    todo->addIncoming(here, before);
    todo->addIncoming(rest, loop);
    found->addIncoming(b.getInt32(0), before);
    found->addIncoming(result, loop);
    b.CreateCondBr(b.CreateIsNotNull(rest), loop, after);
    return result;
  }

  Value *matchAll(Value *mask, Value *value) {
    Value *all = members(mask);
    Value *isSame = b.CreateICmpEQ(value, readLane(mask, value, lowest(all)));
    Value *agree = emitCall(b, VxFn::VoteAll, {mask, b.CreateZExt(isSame, b.getInt32Ty())});
    return b.CreateSelect(b.CreateIsNotNull(agree), all, b.getInt32(0));
  }

  CallInst &call;
  VxFn fn;
  bool paths;
  IRBuilder<> b;
};

} // namespace

/// Returns true if CALL of FN is a shuffle up that stops at another lane than the first of its
/// segment, as CUB's scans by key do: instructions have no such bound.
static bool hasLowerBound(const CallInst &call, VxFn fn) {
  if (fn != VxFn::ShflUp32 && fn != VxFn::ShflUp64)
    return false;
  KnownBits segment = computeKnownBits(call.getArgOperand(3), call.getDataLayout());
  return (segment.getMaxValue() & (kWarpSize - 1)) != 0;
}

/// Moves the values of all lanes of the segment; those below the bound keep their own.
static void checkLowerBound(CallInst &call, VxFn fn) {
  IRBuilder<> b(&call);
  Value *segment = call.getArgOperand(3);
  Value *inside =
      emitShuffleSource(b, fn, emitCall(b, VxFn::LaneId), call.getArgOperand(2), segment).inside;
  call.setArgOperand(3, b.CreateAnd(segment, ~uint64_t(kWarpSize - 1)));
  replaceResult(call, [&](IRBuilderBase &after) {
    return after.CreateSelect(inside, &call, call.getArgOperand(1));
  });
}

bool expandWarpFunctions(Function &f) {
  SmallVector<std::pair<CallInst *, VxFn>, 8> work;
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i);
        fn && (isMatch(*fn) || isReduction(*fn) || hasLowerBound(cast<CallInst>(i), *fn)))
      work.push_back({cast<CallInst>(&i), *fn});
  // Lanes of a logical warp exchange through memory, whatever their hardware warps are.
  bool paths = hasPaths(*f.getParent());
  for (auto [call, fn] : work)
    if (isShuffle(fn))
      checkLowerBound(*call, fn);
    else
      WarpExpander(*call, fn, paths).run();
  return !work.empty();
}

} // namespace vx
