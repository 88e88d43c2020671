// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_EXECUTIONSPACES_H
#define VX_FRONTEND_CUDA_EXECUTIONSPACES_H

namespace clang {
class DiagnosticsEngine;
}

namespace vx {

/// Lets declarations of one function share their `__host__` and `__device__` in every compilation
/// that follows, as with nvcc. Once is enough.
void shareExecutionSpaces();

/// Returns the number of the error that a declaration lacks an execution space, with what is to be
/// inserted in front of it.
unsigned lateExecutionSpace(const clang::DiagnosticsEngine &diagnostics);

} // namespace vx

#endif // VX_FRONTEND_CUDA_EXECUTIONSPACES_H
