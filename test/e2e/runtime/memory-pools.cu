// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 --vx-xlen=32,64 %s -o %t && %run %t
// RUN: env VX_LOWERING=sw %run %t
// RUN: %shapes --few --xlen=32 %t
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Stream-ordered memory: what a stream frees it gets again, in its order; pools keep what their
// threshold allows; an allocation of another stream waits; freeing twice breaks nothing.

#include "../Inputs/harness.h"
#include <cstdint>

__global__ void fill(int *p, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    p[i] = value;
}

__global__ void accumulate(int *sum, const int *p, int n) {
  int local = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    local += p[i];
  atomicAdd(sum, local);
}

int main() {
  const int n = 1000;
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t threshold = UINT64_MAX, reserved = 0, used = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  int *sum, total = 0;
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  // Many short-lived blocks in two streams need the memory of few.
  for (int i = 0; i < 40; ++i) {
    cudaStream_t stream = i % 3 ? first : second;
    int *p;
    CHECK(cudaMallocAsync(&p, n * sizeof(int), stream));
    fill<<<2, 64, 0, stream>>>(p, n, i);
    accumulate<<<1, 64, 0, stream>>>(sum, p, n);
    CHECK(cudaFreeAsync(p, stream));
    total += i * n;
  }
  CHECK(cudaDeviceSynchronize());
  int result;
  CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
  expect(result == total, "blocks in the streams' order");
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  expect(used == 0 && reserved == 4096, "one block serves all");
  size_t before, after, all;
  CHECK(cudaMemGetInfo(&before, &all));
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaMemGetInfo(&after, &all));
  expect(after == before + reserved, "trimmed memory is the device's again");
  // A pool of the program's own, and mistakes.
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t own;
  CHECK(cudaMemPoolCreate(&own, &props));
  int *p;
  CHECK(cudaMallocFromPoolAsync(&p, n * sizeof(int), own, first));
  fill<<<1, 32, 0, first>>>(p, n, 3);
  CHECK(cudaFreeAsync(p, first));
  expect(cudaFreeAsync(p, first) == cudaErrorInvalidValue, "freed twice");
  expect(cudaGetLastError() == cudaErrorInvalidValue, "an error of the call");
  CHECK(cudaMemPoolDestroy(own));
  CHECK(cudaDeviceSynchronize());
  puts("PASS");
}
