// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract functions (lib/VortexIR/VxFunctions.def) that the device library calls.

#ifndef VX_RUNTIME_DEVICE_CONTRACT_H
#define VX_RUNTIME_DEVICE_CONTRACT_H

#include "intrinsics/abi/LaunchDescriptor.h"

extern "C" {
vx::abi::LaunchDescriptor *__vx_descriptor();
unsigned __vx_thread_idx_x();
unsigned __vx_thread_idx_y();
unsigned __vx_thread_idx_z();
unsigned __vx_block_idx_x();
unsigned __vx_block_idx_y();
unsigned __vx_block_idx_z();
void *__vx_shared_base();
void __vx_trap();
[[noreturn]] void __vx_stop(long long reason); // VX_ECALL_*
void __vx_nanosleep(unsigned);
__attribute__((convergent)) void __vx_barrier();
}

namespace vx::device {

/// Returns the address that a record holds as a pointer. The device may have 32-bit pointers.
template <typename T> T *at(uint64_t address) {
  return reinterpret_cast<T *>(static_cast<uintptr_t>(address));
}

} // namespace vx::device

#endif // VX_RUNTIME_DEVICE_CONTRACT_H
