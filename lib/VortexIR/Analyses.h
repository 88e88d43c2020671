// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analyses that passes of LLVM's pipelines ask for, known to each other.

#ifndef VX_LIB_VORTEXIR_ANALYSES_H
#define VX_LIB_VORTEXIR_ANALYSES_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace vx {

struct Analyses {
  /// OWN registers analyses of functions that take the place of LLVM's.
  explicit Analyses(llvm::PassBuilder &pb,
                    llvm::function_ref<void(llvm::FunctionAnalysisManager &)> own = {}) {
    if (own)
      own(function);
    function.registerPass([] { return llvm::TargetLibraryAnalysis(deviceLibrary()); });
    pb.registerModuleAnalyses(module);
    pb.registerCGSCCAnalyses(callGraph);
    pb.registerFunctionAnalyses(function);
    pb.registerLoopAnalyses(loop);
    pb.crossRegisterProxies(loop, function, callGraph, module);
  }

  /// Returns the functions that LLVM may make calls of where there were none: device code has no
  /// strlen to link with, so a loop that counts to the end of a string stays one.
  static llvm::TargetLibraryInfoImpl deviceLibrary() {
    llvm::TargetLibraryInfoImpl library(llvm::Triple("riscv64-unknown-elf"));
    library.setUnavailable(llvm::LibFunc_strlen);
    library.setUnavailable(llvm::LibFunc_wcslen);
    return library;
  }

  // Those that refer to others are destroyed first.
  llvm::LoopAnalysisManager loop;
  llvm::FunctionAnalysisManager function;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager module;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_ANALYSES_H
