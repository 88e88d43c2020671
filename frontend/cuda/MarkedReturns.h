// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_MARKEDRETURNS_H
#define VX_FRONTEND_CUDA_MARKEDRETURNS_H

namespace vx {

/// Makes clang mark each `return` of device code for the checkers, where that is compiled for them.
void markReturns();

} // namespace vx

#endif // VX_FRONTEND_CUDA_MARKEDRETURNS_H
