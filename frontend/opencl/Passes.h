// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes between OpenCL's conventions and CUDA's, on NVVM IR. Passes.def lists them.

#ifndef VX_FRONTEND_OPENCL_PASSES_H
#define VX_FRONTEND_OPENCL_PASSES_H

#include "frontend/DeviceLanguage.h"
#include "llvm/IR/PassManager.h"

namespace vx::opencl {

#define OPENCL_PASS(NAME, CLASS, SUMMARY)                                                          \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                      \
    llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);                \
    static bool isRequired() { return true; }                                                      \
  };
#include "frontend/opencl/Passes.def"

/// Returns all of them, in the order in which they run.
llvm::ArrayRef<LanguagePass> passes();

} // namespace vx::opencl

#endif // VX_FRONTEND_OPENCL_PASSES_H
