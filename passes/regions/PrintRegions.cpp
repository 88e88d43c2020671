// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-print-regions: prints the parallel regions of each function that holds a boundary, and where
// each value that lives across one would be kept. Leaves the function in the canonical form of
// lib/PRTransform. For tests and for looking at what the mapping will see.

#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionValues.h"
#include "passes/Passes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

PreservedAnalyses PrintRegionsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !hasBoundary(f))
    return PreservedAnalyses::all();
  bool regular = isRegular(f, fam);
  ParallelRegions::canonicalize(f);
  if (const char *problem = ParallelRegions::verify(f)) {
    errs() << f.getName() << ": not in canonical form: " << problem << "\n";
    return PreservedAnalyses::none();
  }
  fam.invalidate(f, PreservedAnalyses::none());
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  ParallelRegions regions(f);
  regions.print(errs());
  errs() << (regular ? "  regular\n" : "  irregular\n");
  for (const Instruction *v : findCrossing(f, regions)) {
    errs() << "  crosses: ";
    v->printAsOperand(errs(), false);
    errs() << (ui.isDivergent(v) ? ", divergent\n" : ", uniform\n");
  }
  return PreservedAnalyses::none();
}

} // namespace vx
