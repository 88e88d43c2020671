// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of intrinsics that CUDA's headers leave to programs can be theirs.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s

// CHECK: asm {{.*}}globaltimer
__device__ __forceinline__ unsigned long long __globaltimer() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}

__global__ void kernel(unsigned long long *out) { *out = __globaltimer(); }
