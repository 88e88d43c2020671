// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from what the SPIR-V translator makes to what clang makes of OpenCL C for nvptx64.
// Passes.def lists them.

#ifndef VX_FRONTEND_SPIRV_PASSES_H
#define VX_FRONTEND_SPIRV_PASSES_H

#include "frontend/DeviceLanguage.h"
#include "llvm/IR/PassManager.h"

namespace vx::spirv {

#define SPIRV_PASS(NAME, CLASS, SUMMARY)                                                           \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                      \
    llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);                \
    static bool isRequired() { return true; }                                                      \
  };
#include "frontend/spirv/Passes.def"

/// Runs those of the way in on M, in order.
void runPasses(llvm::Module &m);

/// Returns all of them.
llvm::ArrayRef<LanguagePass> passes();

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_PASSES_H
