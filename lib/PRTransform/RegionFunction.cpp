// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionFunction.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace vx {

Function *cloneWithRegionParams(Function &kernel) {
  LLVMContext &ctx = kernel.getContext();
  Type *i32 = Type::getInt32Ty(ctx), *i64 = Type::getInt64Ty(ctx), *ptr = PointerType::get(ctx, 0);
  SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
  types.append({i32, i32, i32, ptr, i32, i64, i64, i32, i32});
  auto *f = Function::Create(FunctionType::get(kernel.getReturnType(), types, false),
                             GlobalValue::InternalLinkage, kernel.getName() + ".regions",
                             kernel.getParent());
  ValueToValueMapTy map;
  for (auto [from, to] : zip_first(kernel.args(), f->args())) {
    map[&from] = &to;
    to.setName(from.getName());
  }
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(f, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  f->setVisibility(GlobalValue::DefaultVisibility);
  f->setDSOLocal(true);
  const char *names[] = {"first",      "step",        "count",      "context",      "context.count",
                         "interleave", "interleaved", "barrier.id", "barrier.count"};
  for (unsigned p = 0; p < kNumRegionParams; ++p)
    f->getArg(kernel.arg_size() + p)->setName(names[p]);
  f->addParamAttr(kernel.arg_size() + kParamFirst, Attribute::get(ctx, kDivergentAttr));
  return f;
}

void prepareLoops(Function &f, FunctionAnalysisManager &fam) {
  FunctionPassManager prepare;
  // LCSSA gives a value that leaves a divergent loop a phi of its own, which is divergent even
  // where the value is uniform inside.
  prepare.addPass(LoopSimplifyPass());
  prepare.addPass(LCSSAPass());
  prepare.run(f, fam);
}

/// PromoteMemToReg looks for the frontiers of a variable's stores in all blocks that they dominate,
/// which for the variables of one loop among thousands are all loops after it. This looks for the
/// stores from the loads.
static void promoteLocalVariables(Function &f) {
  constexpr size_t large = 2000; // blocks
  if (f.size() < large)
    return;
  SmallVector<AllocaInst *, 32> variables; // first: promotion erases their accesses
  for (Instruction &i : f.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&i);
        variable && isAllocaPromotable(variable) &&
        count_if(variable->users(), IsaPred<StoreInst>) >= 2 && !variable->hasNUsesOrMore(16))
      variables.push_back(variable);
  for (AllocaInst *variable : variables) {
    SmallVector<Instruction *, 16> accesses;
    for (User *user : variable->users())
      accesses.push_back(cast<Instruction>(user));
    if (!all_of(accesses, IsaPred<LoadInst, StoreInst>))
      continue;
    SSAUpdater ssa;
    LoadAndStorePromoter(accesses, ssa, variable->getName()).run(accesses);
    variable->eraseFromParent();
  }
}

void promoteVariables(Function &f, FunctionAnalysisManager &fam) {
  promoteLocalVariables(f);
  fam.invalidate(f, PreservedAnalyses::none());
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  for (;;) {
    SmallVector<AllocaInst *, 32> variables;
    for (Instruction &i : f.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&i); variable && isAllocaPromotable(variable))
        variables.push_back(variable);
    if (variables.empty())
      break;
    PromoteMemToReg(variables, dt);
  }
  fam.invalidate(f, PreservedAnalyses::none());
}

} // namespace vx
