// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_VARIADICOBJECTS_H
#define VX_FRONTEND_CUDA_VARIADICOBJECTS_H

namespace vx {

/// Lets device code of every compilation that follows pass objects of classes as variable
/// arguments. Once is enough.
void passVariadicObjects();

} // namespace vx

#endif // VX_FRONTEND_CUDA_VARIADICOBJECTS_H
