// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The diagnostics of code generation about asm statements, at their lines in the source. LLVM knows
// only the number in a statement's !srcloc, whose meaning went with the front end.

#ifndef VX_PASSES_LOWER_ASMDIAGNOSTICS_H
#define VX_PASSES_LOWER_ASMDIAGNOSTICS_H

#include "llvm/IR/DiagnosticHandler.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace vx {

/// While it lives, diagnostics about asm statements of MODULE name their lines, each once: mapping
/// makes copies of a statement.
class AsmDiagnostics {
public:
  explicit AsmDiagnostics(llvm::Module &module);
  AsmDiagnostics(const AsmDiagnostics &) = delete;
  AsmDiagnostics &operator=(const AsmDiagnostics &) = delete;
  ~AsmDiagnostics();

  /// Returns true once an error was reported.
  bool failed() const;

private:
  class Handler;
  llvm::LLVMContext &context;
  Handler *handler;
};

} // namespace vx

#endif // VX_PASSES_LOWER_ASMDIAGNOSTICS_H
