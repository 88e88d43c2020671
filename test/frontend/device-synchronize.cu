// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %vxcc -c %s -o /dev/null 2>&1 | FileCheck %s
//
// Device code cannot wait for what it has launched. A function of both sides that does is fine on
// the host.

__global__ void child() {}
__host__ __device__ void both() { cudaDeviceSynchronize(); }
__global__ void parent() {
  child<<<1, 1>>>();
  // CHECK: device-synchronize.cu:[[#@LINE+1]]:{{.*}} error: cudaDeviceSynchronize() is not available in device code{{.*}}cudaStreamTailLaunch
  cudaDeviceSynchronize();
}
int main() { both(); }
// CHECK: 1 error
