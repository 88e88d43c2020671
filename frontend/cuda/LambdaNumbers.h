// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_LAMBDANUMBERS_H
#define VX_FRONTEND_CUDA_LAMBDANUMBERS_H

namespace vx {

/// Gives lambdas of different parts of a namespace different names in every compilation that
/// follows. Once is enough.
void numberLambdas();

} // namespace vx

#endif // VX_FRONTEND_CUDA_LAMBDANUMBERS_H
