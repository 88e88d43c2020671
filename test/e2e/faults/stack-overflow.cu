// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O1 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: %vxcc -g -O0 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
//
// A recursion that never ends in one thread of many is stopped and reported, whatever size stacks
// have; a recursion that is merely deep is not. Stacks for which there is no room are refused.

#include "../Inputs/fault.h"

__device__ __attribute__((noinline)) int descend(int depth, volatile int *out) {
  volatile int frame[4] = {depth, depth + 1, depth + 2, depth + 3};
  out[0] = frame[depth & 3];
  if (depth == 0)
    return 0;
  return descend(depth - 1, out) + frame[1];
}

__global__ void recurse(int *out, int depth, int deepThread) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = descend(i == deepThread ? depth : 3, out + i);
}

// Frames of functions with barriers are on a stack of their own.
__device__ int descendTogether(int depth, int *out) {
  int mine = out[depth & 31];
  __syncthreads();
  return depth == 0 ? 0 : descendTogether(depth - 1, out) * 3 + mine;
}
__global__ void recurseTogether(int *out, int depth) {
  out[threadIdx.x] = descendTogether(depth, out);
}

__global__ void enormous(int *out, int i) {
  int values[1 << 28];
  for (int k = 0; k < 10; ++k)
    values[k * i] = out[k];
  out[0] = values[out[1]];
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  // CHECK: kernel `enormous(int*, int)` needs 10737{{[0-9]+}} bytes of stack for each thread; with 32 lanes, the device has room for stacks of 67108864 bytes
  // CHECK: enormous: cudaErrorLaunchOutOfResources
  enormous<<<1, 1>>>(out, 1000);
  outcome("enormous");
  // CHECK: cudaDeviceSetLimit: stacks of 1099511627776 bytes for each thread: with 32 lanes, the device has room for stacks of 67108864 bytes
  // CHECK: limit: cudaErrorInvalidValue
  cudaDeviceSetLimit(cudaLimitStackSize, size_t(1) << 40);
  outcome("limit");
  recurse<<<2, 32>>>(out, 20, 40);
  // CHECK: deep: cudaSuccess
  outcome("deep");
  recurse<<<2, 32>>>(out, 1 << 30, 40);
  // CHECK: {{[Ss]}}tack overflow
  // CHECK: endless: cudaErrorHardwareStackError
  outcome("endless");
  cudaDeviceReset();
  cudaMalloc(&out, 64 * sizeof(int));
  recurseTogether<<<2, 32>>>(out, 15);
  // CHECK: together: cudaSuccess
  outcome("together");
  recurseTogether<<<2, 32>>>(out, 1 << 30);
  // CHECK: stack-overflow.cu:27
  // CHECK: too deep together: cudaError{{LaunchFailure|IllegalInstruction}}
  outcome("too deep together");
  cudaDeviceReset();
  cudaMalloc(&out, 64 * sizeof(int));
  cudaDeviceSetLimit(cudaLimitStackSize, 1 << 18);
  recurse<<<2, 32>>>(out, 2000, 40);
  // CHECK: deeper: cudaSuccess
  outcome("deeper");
  recurse<<<2, 32>>>(out, 1 << 30, 40);
  // CHECK: tack overflow, writing {{[48]}} bytes at
  // CHECK: block: [1,0,0], thread: [8,0,0]
  // CHECK: endless, large stacks: cudaErrorHardwareStackError
  outcome("endless, large stacks");
  // CHECK: ended normally
  return ended();
}
