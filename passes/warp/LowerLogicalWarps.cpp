// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-logical-warps: the warp functions of entries whose hardware warps form logical warps
// (mapping thread-per-lane) exchange values through local memory (LogicalWarpExchange.h). Those of
// other functions stay for vx-lower-warp.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/warp/LogicalWarpExchange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

PreservedAnalyses LowerLogicalWarpsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !f.hasFnAttribute(kLogicalWarpAttr))
    return PreservedAnalyses::all();
  SmallVector<std::pair<CallInst *, VxFn>, 16> work;
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i); fn && (isWarpFunction(*fn) || fn == VxFn::LogicalWarpWait))
      work.push_back({cast<CallInst>(&i), *fn});
  if (work.empty())
    return PreservedAnalyses::all();
  LogicalWarpExchange exchange(f);
  for (auto [call, fn] : work) {
    if (Value *v = exchange.lower(*call, fn))
      call->replaceAllUsesWith(v);
    call->eraseFromParent();
  }
  exchange.finish(fam.getResult<DominatorTreeAnalysis>(f));
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
