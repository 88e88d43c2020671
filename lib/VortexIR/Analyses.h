// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analyses that passes of LLVM's pipelines ask for, known to each other.

#ifndef VX_LIB_VORTEXIR_ANALYSES_H
#define VX_LIB_VORTEXIR_ANALYSES_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace vx {

struct Analyses {
  /// OWN registers analyses of functions that take the place of LLVM's.
  explicit Analyses(llvm::PassBuilder &pb,
                    llvm::function_ref<void(llvm::FunctionAnalysisManager &)> own = {}) {
    if (own)
      own(function);
    pb.registerModuleAnalyses(module);
    pb.registerCGSCCAnalyses(callGraph);
    pb.registerFunctionAnalyses(function);
    pb.registerLoopAnalyses(loop);
    pb.crossRegisterProxies(loop, function, callGraph, module);
  }

  // Those that refer to others are destroyed first.
  llvm::LoopAnalysisManager loop;
  llvm::FunctionAnalysisManager function;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager module;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_ANALYSES_H
