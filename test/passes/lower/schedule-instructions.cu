// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results are not next to their uses where something else can be between, and nothing moves up over
// a join or down over a split, where both sides of a fork would execute it.
// RUN: %vxcc -O3 --lower=hw --emit=asm %s -o %t.64.s
// RUN: FileCheck %s --input-file=%t.64.s
// RUN: %vxcc -O3 --lower=hw --vx-xlen=32 --emit=asm %s -o %t.32.s
// RUN: FileCheck %s --input-file=%t.32.s

// CHECK-LABEL: {{^}}chains:
// CHECK: mul [[A:[a-z0-9]+]], a0, a0
// CHECK-NOT: addi
// CHECK: mul [[B:[a-z0-9]+]], a1, a1
// CHECK: addi {{.*}}, [[A]], 1
// CHECK-NOT: mul
// CHECK: addi {{.*}}, [[B]], 3
// CHECK: mul
// CHECK-NOT: xor
// CHECK: mul
// CHECK: xor
extern "C" __device__ __noinline__ unsigned chains(unsigned a, unsigned b) {
  return (a * a + 1) * a ^ (b * b + 3) * b;
}

// CHECK-LABEL: {{^}}fork:
// CHECK: vx.split
// CHECK: lw
// CHECK-NOT: {{addi|mul}}
// CHECK: vx.join
// CHECK: addi
// CHECK: mul
extern "C" __device__ __noinline__ unsigned fork(unsigned t, const unsigned *p) {
  unsigned v = 0;
  if (t & 1)
    v = p[t];
  return (v ^ t) * (t + 5) + t;
}

__global__ void both(unsigned *p) {
  p[threadIdx.x] = chains(p[threadIdx.x], threadIdx.x) + fork(threadIdx.x, p);
}
