// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the entries of a kernel cost: code before the loop over blocks, in it, and in the loops over
// CUDA warps and threads. A loop of the source counts as four turns, whatever its bound.
// RUN: %vxcc -O2 --emit=elf %s -o %t.elf
// RUN: %vx_objdump --kernels %t.elf | %python %S/Inputs/costs.py > %t.txt
// RUN: FileCheck %s < %t.txt

// A thread on each lane: nothing is in a loop over threads. The entry for large blocks has one.
// CHECK: plain hw directCost: start, once, block
// CHECK: plain hw chunkedCost: start, once, block, thread
// CHECK: plain block-per-lane directCost: start, once, block, thread
__global__ void plain(float *out, float x) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// With warp functions, threads are in loops over the lanes of a CUDA warp.
// CHECK: exchange hw directCost: start, once, block
// CHECK: exchange block-per-lane directCost: start, once, block, warp, thread
__global__ void exchange(int *data) {
  data[threadIdx.x] = __shfl_xor_sync(0xffffffff, data[threadIdx.x], 1);
}

// CHECK: loop over plain, hw: far accesses 4 times
__global__ void loop(volatile float *out, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    out[threadIdx.x] = 1;
}

// CHECK: stack over plain, hw: on the stack 4
__global__ void stack(int *out, int n) {
  volatile int array[16];
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    array[i] = i;
  out[threadIdx.x] = n;
}
