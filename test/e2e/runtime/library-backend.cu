// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vortex.h does not tell of paths.
// UNSUPPORTED: paths
// A program on a driver library of Vortex's interface, which is our own simulator with that
// interface: the same results, and events have the cycles that the image leaves when it ends.
//
// RUN: %vxcc -O1 --vx-xlen=32,64 %s -o %t
// RUN: env VX_BACKEND=%build/lib/libvortex-vx.so %run %t | FileCheck %s
// RUN: env VX_BACKEND=%build/lib/libvortex-vx.so VX_SET=isa.xlen=32,num_cores=2 %run %t | FileCheck %s
// RUN: sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do VX_BACKEND=%build/lib/libvortex-vx.so %run %t; done' | FileCheck %s --check-prefix=AGAIN
// RUN: env VX_BACKEND=%build/lib/libvortex-vx.so not %run %t fault 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: env VX_BACKEND=/lib/x86_64-linux-gnu/libm.so.6 not %run %t 2>&1 | FileCheck %s --check-prefix=OTHER
//
// Threads ask for the device's properties while another one copies and launches.
// AGAIN-COUNT-16: sum 4950, in cycles: yes
// CHECK: sum 4950, in cycles: yes
// FAULT: illegal memory access: store of 4 byte(s) at 0x8
// FAULT: error 719
// OTHER: it has no function vx_dev_open, nor vx_dev_init

#include <cstdio>

__global__ void addUp(int *sum, int *where) {
  atomicAdd(sum, int(blockIdx.x * blockDim.x + threadIdx.x));
  if (where)
    *where = 1;
}

int main(int argc, char **) {
  int *sum, result = 0;
  cudaEvent_t begin, end;
  cudaError_t status = cudaMalloc(&sum, sizeof *sum);
  if (status == cudaSuccess) {
    cudaMemset(sum, 0, sizeof *sum);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    addUp<<<10, 10>>>(sum, argc > 1 ? (int *)8 : nullptr);
    cudaEventRecord(end);
    status = cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  }
  if (status != cudaSuccess) {
    std::printf("error %d\n", int(status));
    return 1;
  }
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  // 1 GHz: some hundred to some ten thousand cycles.
  bool isTime = milliseconds > 1e-4f && milliseconds < 1e-1f;
  std::printf("sum %d, in cycles: %s\n", result, isTime ? "yes" : "no");
  return 0;
}
