// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_UNEVALUATEDCALLS_H
#define VX_FRONTEND_CUDA_UNEVALUATEDCALLS_H

namespace vx {

/// Lets signatures, constraints and template arguments name functions of both sides in every
/// compilation that follows, as with nvcc: std::is_invocable and concepts hold for functors of the
/// device wherever they are asked. Once is enough.
void acceptUnevaluatedCalls();

} // namespace vx

#endif // VX_FRONTEND_CUDA_UNEVALUATEDCALLS_H
