// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel must not do ends the run with a report and an error, and the program goes on.
// RUN: %vxcc --vx-xlen=32 %s -o %t
// RUN: %rtl_4x8 %t 0 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: %rtl_4x8 %t 1 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: %rtl_4x8 %t 2 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: %rtl_4x8 %t 3 2>&1 | FileCheck %s --check-prefix=DOUBLE

// TRAP: vortex-rtl: {{.*}}breakpoint
// TRAP: failed
// MISALIGNED: vortex-rtl: {{.*}}misaligned
// MISALIGNED: failed
// NULL: vortex-rtl: {{.*}}
// NULL: failed
// The core has no double precision.
// DOUBLE: vortex-rtl: {{.*}}illegal instruction
// DOUBLE: failed

#include <cstdio>
#include <cstdlib>

__global__ void stop() { __trap(); }
__global__ void storeAt(int *address) { *address = 1; }
__global__ void half(double *x) { *x *= 0.5; }

int main(int, char **arguments) {
  int *memory;
  cudaMalloc(&memory, 64);
  switch (std::atoi(arguments[1])) {
  case 0:
    stop<<<1, 1>>>();
    break;
  case 1:
    storeAt<<<1, 1>>>(reinterpret_cast<int *>(reinterpret_cast<char *>(memory) + 2));
    break;
  case 2:
    storeAt<<<1, 1>>>(nullptr);
    break;
  default:
    half<<<1, 1>>>(reinterpret_cast<double *>(memory));
  }
  std::puts(cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
}
