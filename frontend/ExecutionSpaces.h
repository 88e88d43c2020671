// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_EXECUTIONSPACES_H
#define VX_FRONTEND_EXECUTIONSPACES_H

namespace vx {

/// Lets declarations of one function share their `__host__` and `__device__` in every compilation
/// that follows, as with nvcc. Once is enough.
void shareExecutionSpaces();

} // namespace vx

#endif // VX_FRONTEND_EXECUTIONSPACES_H
