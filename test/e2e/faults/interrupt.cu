// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --target=vortex,host %s -o %t
// RUN: env VX_BACKEND=sim %python %inputs/interrupt.py %t | FileCheck %s
// RUN: env VX_BACKEND=sim VX_MODE=timing VX_STATS=text %python %inputs/interrupt.py %t | FileCheck --check-prefixes=CHECK,STATS %s
// RUN: env VX_BACKEND=host %python %inputs/interrupt.py %t | FileCheck %s
//
// Ctrl-C while a kernel runs that never ends: what the program has printed comes out, the kernel is
// named, there are statistics if they were asked for, and the program ends by the signal.
//
// CHECK-DAG: vxrt: interrupted in `spin(int volatile*)`
// CHECK-DAG: before the kernel
// STATS-DAG: warp_instructions
// CHECK: ended by signal 2

#include <cstdio>

__global__ void spin(volatile int *p) {
  while (*p >= 0) // never the same state again, as far as anybody sees
    *p = (*p + 1) & 0xffffff;
}

int main() {
  int *p;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  std::fprintf(stderr, "ready\n");
  std::printf("before the kernel\n"); // stays in the buffer
  spin<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("after the kernel\n");
  return 0;
}
