// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/clang/ClangDiagnostics.h"
#include "frontend/cuda/LenientCode.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Lex/LexDiagnostic.h"

using namespace llvm;

namespace vx {

ClangDiagnosticRecorder::ClangDiagnosticRecorder(clang::DiagnosticOptions &options,
                                                 DiagnosticLog &log, const char *prefix,
                                                 LenientCode *lenient)
    : log(log), lenient(lenient), stream(text), printer(stream, options) {
  options.ShowColors = log.useColors();
  stream.enable_colors(log.useColors());
  printer.setPrefix(prefix);
}

/// Returns true for what is not an error in the source: a header or a file that cannot be read or
/// written.
static bool isAboutFiles(const clang::Diagnostic &info) {
  static constexpr unsigned files[] = {
      clang::diag::err_pp_file_not_found, clang::diag::err_pp_error_opening_file,
      clang::diag::err_cannot_open_file, clang::diag::err_fe_unable_to_open_output};
  return is_contained(files, info.getID());
}

void ClangDiagnosticRecorder::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                               const clang::Diagnostic &info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level != clang::DiagnosticsEngine::Note)
    isInError = level >= clang::DiagnosticsEngine::Error;
  if (lenient && isInError)
    lenient->note(info);
  // The line "too many errors" and the like have no printer state without a source file.
  printer.HandleDiagnostic(level, info);
  Severity severity = Severity::Note;
  if (level == clang::DiagnosticsEngine::Warning)
    severity = Severity::Warning;
  else if (level >= clang::DiagnosticsEngine::Error)
    severity = isAboutFiles(info) ? Severity::Fatal : Severity::Error;
  SmallString<128> key;
  if (info.hasSourceManager() && info.getLocation().isValid())
    key = info.getLocation().printToString(info.getSourceManager());
  key += ":";
  info.FormatDiagnostic(key);
  log.add(severity, key, text);
  text.clear();
}

} // namespace vx
