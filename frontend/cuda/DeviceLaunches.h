// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_DEVICELAUNCHES_H
#define VX_FRONTEND_CUDA_DEVICELAUNCHES_H

namespace vx {

/// Makes compilations of this process from now on take kernel launches in device code, with and
/// without relocatable device code.
void acceptDeviceLaunches();

} // namespace vx

#endif // VX_FRONTEND_CUDA_DEVICELAUNCHES_H
