// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-inline-warp-functions: brings every warp function into the software variants of the kernels
// that lead to it, and if there are any, the fences among them (vx-sync-warps-at-fences): the loops
// over lanes are built around them. The calls that come with them were inside functions, whose
// coordinates one hardware thread does not keep from region to region, so those are published again
// (PublishCoordinates.h).
//
// A call through a pointer that may lead to a warp function becomes compares and direct calls
// (lib/VortexIR/CallTargets.h) first, and functions that call each other in a cycle become one
// without recursion (lib/VortexIR/IterativeFunction.h). Functions with warp functions that no
// hardware variant may call any more have no code for the back end: if their address is taken, a
// trap takes its place.

#include "lib/VortexIR/CallTargets.h"
#include "lib/VortexIR/IterativeFunctions.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
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

  /// Lets what VARIANTS call be inlined without recursion.
  void removeRecursion(ArrayRef<Function *> variants) {
    if (any_of(variants, [&](Function *f) { return bool(callers.findRecursion(*f)); }))
      iterative.emplace(callers);
  }

  void run(Function &variant) {
    bool withFences = !fenced.empty() && any_of(instructions(variant), [&](const Instruction &i) {
      return isWarpLevel(i) || callers.isCalledBy(i);
    }) && !fenced.findRecursion(variant);
    SmallPtrSet<CallBase *, 16> own; // their coordinates are published
    for (Instruction &i : instructions(variant))
      if (auto *call = dyn_cast<CallBase>(&i);
          call && !callers.isCalledBy(i) && !(withFences && fenced.isCalledBy(i)))
        own.insert(call);
    callers.inlineInto(variant, [&](Function &f) { return iterative ? &iterative->of(f) : &f; });
    if (withFences)
      fenced.inlineInto(variant);
    publishCoordinates(variant, readers, own);
  }

  void dropUnreached(Module &m) {
    if (iterative)
      iterative->erase();
    SmallVector<const Function *, 8> kernels;
    for (const Function &f : m)
      if (isKernel(f) && !isSoftwareVariant(f) && !f.isDeclaration())
        kernels.push_back(&f);
    auto reached = reachableFrom(kernels);
    for (Function *f : callers.get())
      if (f->hasAddressTaken() && !reached.contains(f))
        replaceByTrap(*f);
  }

private:
  TransitiveCallers callers, fenced;
  std::optional<IterativeFunctions> iterative;
  SetVector<Function *> readers;
};

} // namespace

PreservedAnalyses InlineWarpFunctionsPass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> variants = softwareVariantsOf(m);
  if (variants.empty())
    return PreservedAnalyses::all();
  WarpFunctionInliner inliner(m);
  inliner.removeRecursion(variants);
  for_each(variants, [&](Function *f) { inliner.run(*f); });
  inliner.dropUnreached(m);
  return PreservedAnalyses::none();
}

} // namespace vx
