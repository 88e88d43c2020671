// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-widen-threads: loops over threads of code for the host CPU run groups of threads as lanes of
// vectors (lib/Widening), where that pays. Each thread computes what it did before, bit by bit; the
// order in which threads of a region execute is left open by CUDA.
//
// A loop stays as it is if its threads may wait for each other, or if something in it has no form
// for vectors.

#include "lib/VortexIR/LoopUnits.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "lib/Widening/LocalCopies.h"
#include "lib/Widening/WideCost.h"
#include "lib/Widening/WideLoop.h"
#include "passes/Passes.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#define DEBUG_TYPE "vx-widen-threads"

using namespace llvm;

namespace vx {
namespace {

class Widener {
public:
  Widener(Function &f, FunctionAnalysisManager &fam)
      : f(f), dt(fam.getResult<DominatorTreeAnalysis>(f)), li(fam.getResult<LoopAnalysis>(f)),
        remarks(fam.getResult<OptimizationRemarkEmitterAnalysis>(f)),
        vectorBits(fam.getResult<TargetIRAnalysis>(f)
                       .getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
                       .getFixedValue()) {}

  bool run() {
    SmallVector<Loop *, 8> loops;
    for (Loop *loop : li.getLoopsInPreorder())
      if (loopUnitOf(loop->getLoopID()) == LoopUnit::Thread)
        loops.push_back(loop);
    if (loops.empty())
      return false;
    for (Loop *loop : loops) {
      simplifyLoop(loop, &dt, &li, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
      formLCSSARecursively(*loop, dt, &li, nullptr);
    }
    PostDominatorTree pdt(f);
    // All are analysed before the first is widened.
    for (Loop *loop : loops)
      consider(*loop, pdt);
    SmallVector<AllocaInst *, 32> variables;
    for (Candidate &c : candidates) {
      WideLoop wide(c.loop, *c.lanes, li, c.width, variables);
      if (!wide.canCarryValues()) {
        c.copies.undo();
        continue;
      }
      wide.emit();
      addStringMetadataToLoop(c.loop.loop, "llvm.loop.isvectorized", 1);
      addStringMetadataToLoop(c.loop.loop, "llvm.loop.unroll.disable");
    }
    removeUnreachableBlocks(f);
    DominatorTree after(f);
    PromoteMemToReg(variables, after);
    return true;
  }

private:
  struct Candidate {
    ThreadLoop loop;
    LocalCopies copies;
    unsigned width;
    std::unique_ptr<LaneValues> lanes;
  };

  /// Returns as many threads as fill two vectors of floats; those of a whole warp, whose exchanges
  /// then are moves between lanes.
  unsigned widthFor(const ThreadLoop &t) const {
    const auto *limit = dyn_cast<ConstantInt>(t.limit);
    return limit && limit->equalsInt(kWarpSize) ? unsigned(kWarpSize) : 16;
  }

  void consider(Loop &loop, const PostDominatorTree &pdt) {
    auto t = matchThreadLoop(loop, li);
    if (!t)
      return say(loop, "not a loop over threads from the first on");
    if (StringRef obstacle = findObstacle(*t, li); !obstacle.empty())
      return say(loop, obstacle);
    unsigned width = widthFor(*t);
    LocalCopies copies(*t, width);
    if (!copies.make())
      return say(loop, "a variable that is not of one thread");
    auto lanes = std::make_unique<LaneValues>(*t, li, dt, pdt, width);
    if (WideCost cost = estimateCost(*t, *lanes, li, width, vectorBits); !cost.pays()) {
      copies.undo();
      return say(loop, "it would take " + std::to_string(int(100 * cost.group / cost.single)) +
                           " % of the time");
    }
    candidates.push_back({*t, std::move(copies), width, std::move(lanes)});
  }

  void say(const Loop &loop, const Twine &why) {
    remarks.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "NotWidened", loop.getStartLoc(),
                                      loop.getHeader())
             << "threads are not lanes of vectors: " << why.str();
    });
  }

  Function &f;
  DominatorTree &dt;
  LoopInfo &li;
  OptimizationRemarkEmitter &remarks;
  const unsigned vectorBits;
  SmallVector<Candidate, 8> candidates;
};

} // namespace

PreservedAnalyses WidenThreadsPass::run(Function &f, FunctionAnalysisManager &fam) {
  return Widener(f, fam).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
