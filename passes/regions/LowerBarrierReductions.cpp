// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-barrier-reductions: __syncthreads_count/and/or as an atomic add into a word of the
// block's shared tail around one plain barrier.
//
// Three words rotate, so one barrier is enough: threads add into word k; before the
// barrier each thread clears word k+1, which was last read before the barrier of reduction k-1;
// after it each thread reads word k. `and` counts the threads whose operand is zero.

#include "lib/PRTransform/RegionFunction.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

bool isBarrierReduction(VxFn fn) {
  return fn == VxFn::BarrierCount || fn == VxFn::BarrierAnd || fn == VxFn::BarrierOr;
}

void lower(CallInst &call, VxFn fn, AllocaInst *wordSlot) {
  IRBuilder<> b(&call);
  Type *i32 = b.getInt32Ty();
  Value *number = b.CreateLoad(i32, wordSlot, "word");
  Value *next = b.CreateSelect(b.CreateICmpEQ(number, b.getInt32(2)), b.getInt32(0),
                               b.CreateAdd(number, b.getInt32(1)));
  b.CreateStore(next, wordSlot);
  Value *counts =
      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), emitCall(b, VxFn::SharedTail), kTailCounts);
  Value *word = b.CreateGEP(i32, counts, number), *nextWord = b.CreateGEP(i32, counts, next);
  b.CreateStore(b.getInt32(0), nextWord, /*isVolatile=*/true);
  Value *zero = b.getInt32(0), *operand = call.getArgOperand(0);
  Value *counted =
      fn == VxFn::BarrierAnd ? b.CreateICmpEQ(operand, zero) : b.CreateICmpNE(operand, zero);
  b.CreateAtomicRMW(AtomicRMWInst::Add, word, b.CreateZExt(counted, i32), Align(4),
                    AtomicOrdering::Monotonic);
  emitCall(b, VxFn::Barrier)->setDebugLoc(call.getDebugLoc());
  Value *total = b.CreateLoad(i32, word, /*isVolatile=*/true);
  Value *result = total;
  if (fn == VxFn::BarrierAnd)
    result = b.CreateZExt(b.CreateICmpEQ(total, zero), i32);
  else if (fn == VxFn::BarrierOr)
    result = b.CreateZExt(b.CreateICmpNE(total, zero), i32);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses LowerBarrierReductionsPass::run(Function &f, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 4> work;
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i); fn && isBarrierReduction(*fn))
      work.push_back(cast<CallInst>(&i));
  if (work.empty())
    return PreservedAnalyses::all();
  IRBuilder<> b(&*f.getEntryBlock().getFirstInsertionPt());
  AllocaInst *wordSlot = b.CreateAlloca(b.getInt32Ty(), nullptr, "word");
  b.SetInsertPoint(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  b.CreateStore(b.getInt32(0), wordSlot);
  for (CallInst *call : work)
    lower(*call, *getVxFn(call), wordSlot);
  return PreservedAnalyses::none();
}

} // namespace vx
