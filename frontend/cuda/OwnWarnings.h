// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_OWNWARNINGS_H
#define VX_FRONTEND_CUDA_OWNWARNINGS_H

#include "clang/Basic/Diagnostic.h"
#include <string>

namespace vx {

/// Returns the number of a warning of ours with this TEXT. One that is not WANTED is ignored, as
/// are all in system headers and with -w, which clang does not apply to warnings that it does not
/// know.
inline unsigned ownWarning(const clang::DiagnosticsEngine &diagnostics, std::string text,
                           bool wanted = true) {
  using clang::diag::Severity;
  bool shown = wanted && !diagnostics.getIgnoreAllWarnings();
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(
      {shown ? Severity::Warning : Severity::Ignored, std::move(text)});
}

} // namespace vx

#endif // VX_FRONTEND_CUDA_OWNWARNINGS_H
