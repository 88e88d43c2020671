// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every IR pass of the project, declared from PassRegistry.def; no header per pass.

#ifndef VX_PASSES_PASSES_H
#define VX_PASSES_PASSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace vx {

#define MODULE_PASS(NAME, CLASS, SUMMARY)                                                          \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                      \
    llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);                    \
    static bool isRequired() { return true; }                                                      \
  };
#define FUNCTION_PASS(NAME, CLASS, SUMMARY)                                                        \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                      \
    llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);                \
    static bool isRequired() { return true; }                                                      \
  };
#include "passes/PassRegistry.def"

/// Makes the passes known to PB under their textual names.
void registerPasses(llvm::PassBuilder &pb);

/// Prints name and summary of every pass.
void printPasses(llvm::raw_ostream &os);

} // namespace vx

#endif // VX_PASSES_PASSES_H
