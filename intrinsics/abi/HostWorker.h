// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as code of the host CPU (Lowering::Host): what a worker thread of the runtime and the
// code it runs share. An image is an x86-64 ELF, linked to VX_STARTUP_ADDR as any image; the entry
// of a kernel is
//
//     void entry(const LaunchDescriptor *)
//
// and runs one block, the one that its worker names. Workers run on stacks that are aligned to
// their size; a worker's HostWorker is at the lowest address of its stack's area, so code finds it
// from the stack pointer alone.

#ifndef VX_ABI_HOST_WORKER_H
#define VX_ABI_HOST_WORKER_H

#include "intrinsics/abi/LaunchDescriptor.h"

namespace vx::abi {

/// Size and alignment of a worker's area: this block, a page that faults, the stack.
inline constexpr uint64_t kHostWorkerBytes = uint64_t(1) << 23;

struct HostWorker {
  ThreadControlBlock control; // first: the control block of the running thread
  uint64_t block;             // linear number of the block to run
  uint64_t shared;            // its shared memory
  uint64_t context;           // its values that live across regions
  uint64_t stop;              // void (*)(uint64_t reason): ends the kernel, does not return
  uint64_t clock;             // uint64_t (*)(): nanoseconds
  uint64_t yield;             // void (*)(): lets others run, in a loop that waits for them
  uint64_t vectorBits;        // of the vectors that code may use: 256, or 512 with AVX-512
};

/// `reason` of a stop besides VX_ECALL_*.
inline constexpr uint64_t kHostStopTrap = 0;

} // namespace vx::abi

#endif // VX_ABI_HOST_WORKER_H
