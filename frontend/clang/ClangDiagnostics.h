// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's diagnostics, rendered as clang renders them, into a DiagnosticLog.

#ifndef VX_FRONTEND_CLANG_DIAGNOSTICS_H
#define VX_FRONTEND_CLANG_DIAGNOSTICS_H

#include "frontend/DiagnosticLog.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace vx {

class LenientCode;

class ClangDiagnosticRecorder : public clang::DiagnosticConsumer {
public:
  /// PREFIX stands before diagnostics without a place in a source, if it is not empty. LENIENT,
  /// unless it is null, takes note of errors.
  ClangDiagnosticRecorder(clang::DiagnosticOptions &options, DiagnosticLog &log,
                          const char *prefix = "", LenientCode *lenient = nullptr);

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *pp) override {
    printer.BeginSourceFile(options, pp);
  }
  void EndSourceFile() override { printer.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override;

private:
  DiagnosticLog &log;
  LenientCode *lenient;
  bool isInError = false; ///< notes belong to an error
  std::string text;
  llvm::raw_string_ostream stream;
  clang::TextDiagnosticPrinter printer;
};

} // namespace vx

#endif // VX_FRONTEND_CLANG_DIAGNOSTICS_H
