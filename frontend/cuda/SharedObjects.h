// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_SHAREDOBJECTS_H
#define VX_FRONTEND_CUDA_SHAREDOBJECTS_H

namespace vx {

/// Lets every compilation that follows accept `__shared__` objects with constructors, which are not
/// called, as with nvcc. Once is enough.
void acceptSharedObjects();

} // namespace vx

#endif // VX_FRONTEND_CUDA_SHAREDOBJECTS_H
