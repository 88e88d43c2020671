// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend "host": kernels are code of this CPU (vxcc --target=host) and run on threads of the
// process, one block per thread at a time. Device memory is memory of the process, at addresses of
// its own; what leaves the pages of its allocation faults.

#ifndef VX_RUNTIME_BACKENDS_HOST_HOSTDEVICE_H
#define VX_RUNTIME_BACKENDS_HOST_HOSTDEVICE_H

#include "runtime/core/Device.h"

namespace vx::rt {

/// Opens the device as the environment says (VX_HOST_THREADS, VX_HOST_VECTORS).
Result<std::unique_ptr<Device>> openHostDevice(const DeviceIdentity &identity);

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_HOST_HOSTDEVICE_H
