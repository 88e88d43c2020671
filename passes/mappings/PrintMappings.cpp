// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-print-mappings: prints, for each kernel, which mappings are possible and why the others are
// not (lib/VortexIR/MappingDecisions.h): after vx-stage-decide, or a later stage.

#include "lib/VortexIR/MappingDecisions.h"
#include "passes/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

PreservedAnalyses PrintMappingsPass::run(Module &m, ModuleAnalysisManager &) {
  MappingDecisions(m).print(errs());
  return PreservedAnalyses::all();
}

} // namespace vx
