// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3 && env VX_LOWERING=sw %t.3
// RUN: %vxcc -O0 %s -o %t.0 && %t.0
//
// Copies to shared memory by cuda_pipeline.h and cuda_pipeline_primitives.h: all sizes, parts filled
// with zeros, two stages in flight, numbered batches.

#include "../Inputs/harness.h"
#include <cuda_pipeline.h>

constexpr int kThreads = 64, kStages = 6;

__global__ void sizes(const char *from, char *to) {
  __shared__ __align__(16) char shared[kThreads][32];
  char *mine = shared[threadIdx.x];
  const char *source = from + 32 * threadIdx.x;
  __pipeline_memcpy_async(mine, source, 16);
  __pipeline_memcpy_async(mine + 16, source + 16, 8, 3);
  __pipeline_memcpy_async(mine + 24, source + 24, 4);
  __pipeline_memcpy_async(mine + 28, source + 28, 4, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = 0; i < 32; ++i)
    to[32 * threadIdx.x + i] = shared[threadIdx.x ^ 1][i];
}

__global__ void stages(const int *from, int *to) {
  __shared__ int shared[2][kThreads];
  nvcuda::experimental::pipeline pipe;
  size_t batch = 0;
  nvcuda::experimental::memcpy_async(shared[0][threadIdx.x], from[threadIdx.x], pipe);
  batch = pipe.commit();
  int sum = 0;
  for (int stage = 0; stage < kStages; ++stage) {
    if (stage + 1 < kStages) {
      nvcuda::experimental::memcpy_async(&shared[(stage + 1) % 2][threadIdx.x],
                                         from + (stage + 1) * kThreads + threadIdx.x, sizeof(int),
                                         pipe);
      size_t next = pipe.commit();
      pipe.wait(batch);
      batch = next;
    } else {
      pipe.wait_prior<0>();
    }
    __syncthreads();
    sum = 3 * sum + shared[stage % 2][kThreads - 1 - threadIdx.x];
    __syncthreads();
  }
  to[threadIdx.x] = sum;
}

int main() {
  std::vector<char> bytes(32 * kThreads), back(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = char(1 + i % 127);
  std::vector<int> numbers(kThreads * kStages), sums(kThreads);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int(i * 2654435761u >> 8);
  char *device;
  CHECK(cudaMalloc(&device, 4 * bytes.size()));
  CHECK(cudaMemcpy(device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  sizes<<<1, kThreads>>>(device, device + bytes.size());
  CHECK(cudaMemcpy(back.data(), device + bytes.size(), bytes.size(), cudaMemcpyDeviceToHost));
  for (int t = 0; t < kThreads; ++t)
    for (int i = 0; i < 32; ++i) {
      bool zero = (i >= 21 && i < 24) || i >= 28;
      expectEqual(back[32 * t + i], zero ? char(0) : bytes[32 * (t ^ 1) + i], "byte", 32 * t + i);
    }
  CHECK(cudaMemcpy(device, numbers.data(), 4 * numbers.size(), cudaMemcpyHostToDevice));
  int *result = (int *)(device + 4 * numbers.size());
  stages<<<1, kThreads>>>((const int *)device, result);
  CHECK(cudaMemcpy(sums.data(), result, 4 * sums.size(), cudaMemcpyDeviceToHost));
  for (int t = 0; t < kThreads; ++t) {
    int sum = 0;
    for (int stage = 0; stage < kStages; ++stage)
      sum = 3 * sum + numbers[stage * kThreads + kThreads - 1 - t];
    expectEqual(sums[t], sum, "sum", t);
  }
  return finish();
}
