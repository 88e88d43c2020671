// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: env VX_BACKEND=%build/lib/libvortex-vx.so VX_CHECK=memcheck,initcheck %run %t 2>&1 | FileCheck --check-prefix=GOOD %s
// RUN: env VX_BACKEND=%build/lib/libvortex-vx.so VX_CHECK=racecheck %run %t 2>&1 | FileCheck --check-prefix=UNSEEN %s
// RUN: env VX_BACKEND=%build/lib/libvortex-vx.so VX_CHECK=memcheck %run %t far 2>&1 | FileCheck --check-prefix=BAD %s
//
// The checkers in the simulator of a driver library, which knows memory, but no launches.
//
// GOOD:     7 cudaSuccess
// GOOD:     ERROR SUMMARY: 0 errors{{$}}
// UNSEEN:   kernel `{{.*}}` is run by a driver of Vortex's: racecheck cannot look at it
// UNSEEN:   ERROR SUMMARY: racecheck checked nothing
// BAD:      memcheck: invalid write of 4 bytes of global memory at 0x
// BAD-NEXT: kernel
// BAD-NEXT: this is an address of the host's stack
// BAD:      ERROR SUMMARY: 1 error

#include <cstdio>
#include <cuda_runtime.h>

__global__ void swap(int *p) {
  __shared__ int tile[8];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = tile[7 - threadIdx.x];
}

int main(int argc, char **) {
  int *p, value = 0;
  cudaMalloc(&p, 64);
  swap<<<2, 8>>>(argc > 1 ? &value : p);
  cudaError_t error = cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  printf("%d %s\n", value, cudaGetErrorName(error));
}
