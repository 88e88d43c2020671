// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 --vx-xlen=32,64 %s -o %t
// RUN: %run %t 1 2>&1 | FileCheck --check-prefix=BEHIND %s
// RUN: env VX_SET=isa.xlen=32 %run %t 1 2>&1 | FileCheck --check-prefix=BEHIND %s
// RUN: env VX_MODE=timing %run %t 1 2>&1 | FileCheck --check-prefix=BEHIND %s
// RUN: env VX_SET=memory.read_slack=0 %run %t 1 2>&1 | FileCheck --check-prefix=READ %s
// RUN: %run %t 0 2>&1 | FileCheck --check-prefix=ODD %s
//
// Atomics on 16 bits are protected to the byte: one after an allocation of three halves, in the
// same word as the last of them, and one at an odd address.
//
// BEHIND: kernel `swap(unsigned short*, unsigned short)` stopped: illegal memory access, writing 2 bytes at 0x{{[0-9a-f]*[26ae]}}
// BEHIND: behind: cudaErrorIllegalAddress
// READ: kernel `swap(unsigned short*, unsigned short)` stopped: illegal memory access, {{writing|reading}} 2 bytes at
// READ: behind: cudaErrorIllegalAddress
// ODD: kernel `swap(unsigned short*, unsigned short)` stopped: misaligned address, writing 2 bytes at 0x{{[0-9a-f]*}}3{{$}}
// ODD: odd: cudaErrorMisalignedAddress

#include "../Inputs/fault.h"
#include <cstdlib>

__global__ void swap(unsigned short *p, unsigned short expected) {
  atomicCAS(p, expected, static_cast<unsigned short>(1));
}

int main(int, char **argv) {
  unsigned short *p;
  cudaMalloc(&p, 6);
  cudaMemset(p, 0, 6);
  bool behind = std::atoi(argv[1]);
  // It is refused whether it would change anything or not.
  swap<<<1, 1>>>(behind ? p + 3 : reinterpret_cast<unsigned short *>(reinterpret_cast<char *>(p) + 3),
                 12345);
  outcome(behind ? "behind" : "odd");
  return ended();
}
