// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_POINTERCASTS_H
#define VX_FRONTEND_CUDA_POINTERCASTS_H

namespace vx {

/// Lets device code of every compilation that follows access what a pointer is cast to with the
/// alignment of that type, as with nvcc. Once is enough.
void alignPointerCasts();

} // namespace vx

#endif // VX_FRONTEND_CUDA_POINTERCASTS_H
