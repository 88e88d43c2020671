// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/Scratch.h"

namespace vx::rt {

Result<void> Scratch::ensure(Device &device, uint64_t size) {
  if (bytes >= size)
    return {};
  if (Result<void> r = drop(device); !r)
    return r;
  Result<uint64_t> fresh = device.memAlloc(size, kMemRead | kMemWrite | kMemOfRuntime);
  if (!fresh)
    return fresh.error();
  *this = {*fresh, size};
  return {};
}

Result<void> Scratch::drop(Device &device) {
  if (address)
    if (Result<void> r = device.memFree(address); !r)
      return r;
  *this = {};
  return {};
}

} // namespace vx::rt
