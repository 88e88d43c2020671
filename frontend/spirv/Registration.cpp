// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Passes.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace vx::spirv {

ArrayRef<LanguagePass> passes() {
  static constexpr LanguagePass rows[] = {
#define SPIRV_PASS(NAME, CLASS, SUMMARY)                                                           \
  {NAME, [](ModulePassManager &mpm) { mpm.addPass(CLASS()); }},
#include "frontend/spirv/Passes.def"
  };
  return rows;
}

void runPasses(Module &m) {
  ModuleAnalysisManager mam;
  PassBuilder().registerModuleAnalyses(mam);
  ModulePassManager mpm;
#define SPIRV_PASS(NAME, CLASS, SUMMARY) mpm.addPass(CLASS());
#define SPIRV_EXPORT_PASS(NAME, CLASS, SUMMARY)
#include "frontend/spirv/Passes.def"
  mpm.run(m, mam);
}

} // namespace vx::spirv
