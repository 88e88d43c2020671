// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %vxcc -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %vxcc --default-stream=per-thread -c %s -o /dev/null 2>&1 | FileCheck %s
//
// Calls of CUDA's device runtime that device code cannot make: waiting for what it has launched,
// occupancy, graphs. Functions of both sides that make them are fine on the host.

#include <cuda_runtime.h>

__global__ void child() {}
__host__ __device__ void both() {
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, child, 128, 0);
  cudaDeviceSynchronize();
}
__global__ void parent(int *blocks, cudaGraphExec_t graph) {
  child<<<1, 1>>>();
  // CHECK-DAG: host-only-calls.cu:[[#@LINE+1]]:{{.*}} error: cudaDeviceSynchronize() is not available in device code{{.*}}cudaStreamTailLaunch
  cudaDeviceSynchronize();
  // CHECK-DAG: host-only-calls.cu:[[#@LINE+1]]:{{.*}} error: cudaOccupancyMaxActiveBlocksPerMultiprocessor() is not available in device code: how many blocks
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, child, 128, 0);
  // CHECK-DAG: host-only-calls.cu:[[#@LINE+1]]:{{.*}} error: cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags() is not available
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, child, 128, 0, 0);
  // CHECK-DAG: host-only-calls.cu:[[#@LINE+1]]:{{.*}} error: cudaGraphLaunch() is not available in device code: graphs are run by the host
  cudaGraphLaunch(graph, cudaStreamGraphTailLaunch);
  // CHECK-DAG: host-only-calls.cu:[[#@LINE+1]]:{{.*}} error: cudaGetCurrentGraphExec() is not available in device code
  cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget);
}
int main() { both(); }
// CHECK: 6 errors
