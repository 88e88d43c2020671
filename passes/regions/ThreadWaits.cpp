// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/ThreadWaits.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/WarpView.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// A copy of a kernel in which threads find at once that what they wait for has happened.
class WithoutLooks {
public:
  WithoutLooks(Function &kernel, FunctionAnalysisManager &fam) : fam(fam) {
    ValueToValueMapTy map;
    copy = CloneFunction(&kernel, map);
    for (Instruction &i : make_early_inc_range(instructions(*copy)))
      if (getVxFn(&i) == VxFn::MbarrierTest) {
        i.replaceAllUsesWith(ConstantInt::get(i.getType(), 1));
        i.eraseFromParent();
      }
  }
  ~WithoutLooks() {
    fam.clear(*copy, copy->getName());
    copy->eraseFromParent();
  }
  WithoutLooks(const WithoutLooks &) = delete;
  WithoutLooks &operator=(const WithoutLooks &) = delete;

  Function &function() { return *copy; }

private:
  FunctionAnalysisManager &fam;
  Function *copy;
};

bool hasWaits(const Function &f) {
  return any_of(instructions(f), isThreadWait);
}

} // namespace

bool waitsApart(Function &kernel, FunctionAnalysisManager &fam) {
  if (!hasWaits(kernel))
    return false;
  WithoutLooks copy(kernel, fam);
  WarpView view(copy.function(), fam);
  return !isRegular(view.function(), view.warp(),
                    fam.getResult<PostDominatorTreeAnalysis>(view.function()), isThreadWait);
}

bool isRegularBesideWaits(Function &kernel, FunctionAnalysisManager &fam) {
  if (!hasWaits(kernel))
    return false;
  WithoutLooks copy(kernel, fam);
  Function &f = copy.function();
  prepareLoops(f, fam);
  fam.invalidate(f, PreservedAnalyses::none());
  return isRegular(f, fam.getResult<UniformityInfoAnalysis>(f),
                   fam.getResult<PostDominatorTreeAnalysis>(f),
                   [](const Instruction &i) { return isBoundary(i) && !isThreadWait(i); });
}

} // namespace vx
