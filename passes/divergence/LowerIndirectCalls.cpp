// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-indirect-calls: a jump goes where the last active lane says, so a call whose target
// differs between lanes must be taken apart. The module is closed (whole-program device code): the
// possible targets are the functions of the call's type whose address is taken. The call becomes a
// chain of compares and direct calls; a pointer to none of them traps. Calls with a uniform target
// stay.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

SmallVector<Function *, 8> findTargets(CallBase &call) {
  SmallVector<Function *, 8> targets;
  for (Function &f : *call.getFunction()->getParent())
    if (!f.isIntrinsic() && f.getFunctionType() == call.getFunctionType() && f.hasAddressTaken() &&
        !f.isDeclaration())
      targets.push_back(&f);
  return targets;
}

void expand(CallInst &call) {
  SmallVector<Function *, 8> targets = findTargets(call);
  BasicBlock *after = SplitBlock(call.getParent(), &call);
  BasicBlock *test = after->getSinglePredecessor();
  Function &f = *call.getFunction();
  LLVMContext &ctx = f.getContext();
  IRBuilder<> b(ctx);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  PHINode *result = nullptr;
  if (!call.getType()->isVoidTy())
    result = PHINode::Create(call.getType(), targets.size() + 1, "called", after->begin());
  test->getTerminator()->eraseFromParent();
  for (Function *target : targets) {
    auto *hit = BasicBlock::Create(ctx, "call." + target->getName(), &f, after);
    auto *next = BasicBlock::Create(ctx, "call.next", &f, after);
    b.SetInsertPoint(test);
    b.CreateCondBr(b.CreateICmpEQ(call.getCalledOperand(), target), hit, next);
    b.SetInsertPoint(hit);
    auto *direct = cast<CallInst>(call.clone());
    direct->setCalledFunction(target);
    b.Insert(direct);
    b.CreateBr(after);
    if (result)
      result->addIncoming(direct, hit);
    test = next;
  }
  b.SetInsertPoint(test);
  emitCall(b, VxFn::Trap);
  b.CreateBr(after);
  if (result) {
    result->addIncoming(PoisonValue::get(call.getType()), test);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses LowerIndirectCallsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  SmallVector<CallInst *, 4> work;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallInst>(&i); call && call->isIndirectCall())
      work.push_back(call);
  if (work.empty())
    return PreservedAnalyses::all();
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  erase_if(work, [&](CallInst *call) { return ui.isUniform(call->getCalledOperand()); });
  for (CallInst *call : work)
    expand(*call);
  return work.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
