// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_CUDA_DEVICECONSTANTS_H
#define VX_FRONTEND_CUDA_DEVICECONSTANTS_H

namespace vx {

/// Lets the host of every compilation that follows look up constants of the device. Once is enough.
void keepDeviceConstants();

} // namespace vx

#endif // VX_FRONTEND_CUDA_DEVICECONSTANTS_H
