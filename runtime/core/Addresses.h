// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers of the program as numbers, as the device and the tables of memory have them.

#ifndef VX_RUNTIME_CORE_ADDRESSES_H
#define VX_RUNTIME_CORE_ADDRESSES_H

#include <cstdint>

namespace vx::rt {

inline uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}
inline void *pointerTo(uint64_t address) {
  return reinterpret_cast<void *>(address);
}

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_ADDRESSES_H
