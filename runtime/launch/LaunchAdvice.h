// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to tell the user of a kernel that the device cannot run as it was asked to.

#ifndef VX_RUNTIME_LAUNCH_LAUNCHADVICE_H
#define VX_RUNTIME_LAUNCH_LAUNCHADVICE_H

#include "runtime/image/Module.h"
#include <string>

namespace vx::rt {

/// The least change of a simulated device of SHAPE that lets it run KERNEL, as settings for VX_SET;
/// empty if there is none, or none is needed.
std::string settingsFor(const abi::KernelRecord &kernel, const DeviceShape &shape);

/// Why KERNEL has no variant for LOWERING on a device of SHAPE, what that means for the program,
/// and what would help. CANCONFIGURE: VX_SET changes the device.
std::string describeRefusal(const Kernel &kernel, abi::Lowering lowering, const DeviceShape &shape,
                            bool canConfigure);

/// Why KERNEL runs in its sw variant although hw is preferred; empty: it does not.
std::string describeFallback(const Kernel &kernel, const DeviceShape &shape);

/// Why KERNEL, whose hw variant is for blocks of one dimension, does not run in another one, and
/// what would help.
std::string describeRows(const Kernel &kernel);

/// Why a launch of KERNEL cannot have ASKED bytes of dynamic shared memory, and what would help.
std::string describeSharedLimit(const Kernel &kernel, uint64_t asked);

/// Returns which limit of CUDA a launch of GRID blocks of BLOCK threads exceeds; empty: none.
std::string describeLimits(const Dim &grid, const Dim &block);

/// Says how large stacks can be on a device of SHAPE.
std::string describeStackRoom(const DeviceShape &shape);

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_LAUNCHADVICE_H
