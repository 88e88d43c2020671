// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-inline-warp-functions: brings every warp function into the software variants of the kernels
// that lead to it, and if there are any, the fences among them (vx-sync-warps-at-fences): the loops
// over lanes are built around them. The calls that come with them were inside functions, whose
// coordinates one hardware thread does not keep from region to region, so those are published again
// (PublishCoordinates.h).

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/regions/PublishCoordinates.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

bool isMemoryFence(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && isFence(*fn);
}

class WarpFunctionInliner {
public:
  explicit WarpFunctionInliner(Module &m)
      : callers(m, isWarpLevel), fenced(m, isMemoryFence), readers(findContextReaders(m)) {}

  void run(Function &variant) {
    bool withFences = !fenced.empty() && any_of(instructions(variant), [&](const Instruction &i) {
      const auto *call = dyn_cast<CallBase>(&i);
      return isWarpLevel(i) || (call && callers.contains(call->getCalledFunction()));
    }) && !fenced.findRecursion(variant);
    SmallPtrSet<CallBase *, 16> own; // their coordinates are published
    for (Instruction &i : instructions(variant))
      if (auto *call = dyn_cast<CallBase>(&i);
          call && !callers.contains(call->getCalledFunction()) &&
          !(withFences && fenced.contains(call->getCalledFunction())))
        own.insert(call);
    callers.inlineInto(variant);
    if (withFences)
      fenced.inlineInto(variant);
    publishCoordinates(variant, readers, own);
  }

private:
  TransitiveCallers callers, fenced;
  SetVector<Function *> readers;
};

} // namespace

PreservedAnalyses InlineWarpFunctionsPass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> variants;
  for (Function &f : m)
    if (isSoftwareVariant(f) && !f.isDeclaration())
      variants.push_back(&f);
  if (variants.empty())
    return PreservedAnalyses::all();
  WarpFunctionInliner inliner(m);
  for_each(variants, [&](Function *f) { inliner.run(*f); });
  return PreservedAnalyses::none();
}

} // namespace vx
