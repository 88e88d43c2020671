// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/spirv/Passes.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace vx::spirv {

void runPasses(Module &m) {
  ModuleAnalysisManager mam;
  PassBuilder().registerModuleAnalyses(mam);
  ModulePassManager mpm;
#define SPIRV_PASS(NAME, CLASS, SUMMARY) mpm.addPass(CLASS());
#define SPIRV_EXPORT_PASS(NAME, CLASS, SUMMARY)
#include "doors/spirv/Passes.def"
  mpm.run(m, mam);
}

void registerPasses(PassBuilder &pb) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  pb.registerPipelineParsingCallback([](StringRef name, ModulePassManager &pm, Elements) {
#define SPIRV_PASS(NAME, CLASS, SUMMARY)                                                           \
  if (name == NAME) {                                                                              \
    pm.addPass(CLASS());                                                                           \
    return true;                                                                                   \
  }
#include "doors/spirv/Passes.def"
    return false;
  });
}

} // namespace vx::spirv
