// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_LAUNCH_SCRATCH_H
#define VX_RUNTIME_LAUNCH_SCRATCH_H

#include "runtime/core/Device.h"
#include <cstdint>
#include <span>

namespace vx::rt {

/// Device memory of the runtime that grows when a launch needs more; what is in it is lost then.
/// For use while the device is held.
struct Scratch {
  uint64_t address = 0, bytes = 0;

  /// Makes it SIZE bytes large at least.
  Result<void> ensure(Device &device, uint64_t size);
  /// Gives it back.
  Result<void> drop(Device &device);
};

template <typename T> std::span<const uint8_t> bytesOf(const T &value) {
  return {reinterpret_cast<const uint8_t *>(&value), sizeof value};
}
template <typename T> std::span<uint8_t> writableBytesOf(T &value) {
  return {reinterpret_cast<uint8_t *>(&value), sizeof value};
}

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_SCRATCH_H
