// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_LOSTERRORS_H
#define VX_FRONTEND_CUDA_LOSTERRORS_H

namespace clang {
class DiagnosticsEngine;
}

namespace vx {

/// Makes every compilation that follows find what errors that were not given have left in code.
/// Once is enough.
void findLostErrors();

/// Returns the number of the error for code that such an error is in: without -fgpu-defer-diag,
/// clang gives the error itself.
unsigned lostError(const clang::DiagnosticsEngine &diagnostics);

} // namespace vx

#endif // VX_FRONTEND_CUDA_LOSTERRORS_H
