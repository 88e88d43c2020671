// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-print-regions: prints the parallel regions of each function that holds a barrier, and which
// values live across one; and what loops of the sw lowering are built for a function with barriers
// or warp functions: regions, and where each value is kept. Leaves the function in the canonical
// form of lib/PRTransform. For tests and for looking at what the mapping will see.

#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionBuilder.h"
#include "lib/PRTransform/RegionValues.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

/// Prints the regions between barriers; brings F into canonical form.
static void printBarrierRegions(Function &f, FunctionAnalysisManager &fam) {
  bool regular = isRegular(f, fam);
  ParallelRegions::canonicalize(f);
  fam.invalidate(f, PreservedAnalyses::none());
  if (auto problems = ParallelRegions::verify(f); !problems.empty()) {
    errs() << f.getName() << ": not in canonical form: " << problems.front().what << "\n";
    return;
  }
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  ParallelRegions regions(f);
  regions.print(errs());
  errs() << (regular ? "  regular\n" : "  irregular\n");
  for (const Instruction *v : findCrossing(f, regions)) {
    errs() << "  crosses: ";
    v->printAsOperand(errs(), false);
    errs() << (ui.isDivergent(v) ? ", divergent\n" : ", uniform\n");
  }
}

PreservedAnalyses PrintRegionsPass::run(Function &f, FunctionAnalysisManager &fam) {
  bool inWarps = hasWarpFunctions(f);
  if (f.isDeclaration() || (!inWarps && !hasBoundary(f)))
    return PreservedAnalyses::all();
  auto isReturn = [](const BasicBlock &bb) { return isa<ReturnInst>(bb.getTerminator()); };
  bool hasLoops = count_if(f, isReturn) == 1;
  RegionFunction built{};
  std::string loops;
  raw_string_ostream os(loops);
  if (hasLoops)
    built =
        buildRegionFunction(f, fam, inWarps ? RegionMapping::Warps : RegionMapping::Serial, &os);
  if (hasBoundary(f))
    printBarrierRegions(f, fam);
  else
    errs() << "regions of " << f.getName() << ":\n";
  errs() << loops;
  if (built.function) {
    fam.clear(*built.function, built.function->getName());
    built.function->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace vx
