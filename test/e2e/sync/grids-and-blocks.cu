// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// Every thread of 1-, 2- and 3-D grids and blocks of odd sizes runs exactly once and knows its
// coordinates, for blocks smaller and much larger than the core; also after barriers.

#include "../Inputs/harness.h"

struct Seen {
  uint3 block, thread;
  dim3 gridSize, blockSize;
  int count;
};

__global__ void record(Seen *seen) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  Seen &entry = seen[block * (blockDim.x * blockDim.y * blockDim.z) + thread];
  entry.block = blockIdx;
  entry.thread = threadIdx;
  entry.gridSize = gridDim;
  entry.blockSize = blockDim;
  atomicAdd(&entry.count, 1);
}

/// Adds up in SUMS what a thread knows of itself between barriers. AXES: which coordinates.
template <int Axes>
__global__ void recordBehindBarriers(unsigned *sums, int times) {
  __shared__ int count;
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0)
    count = 0;
  unsigned sum = 0;
  for (int i = 0; i < times; ++i) {
    __syncthreads();
    sum += (Axes & 1 ? threadIdx.x : 0) + (Axes & 2 ? threadIdx.y << 10 : 0) +
           (Axes & 4 ? threadIdx.z << 20 : 0);
    atomicAdd(&count, 1);
  }
  __syncthreads();
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  sums[blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + thread] = sum + (unsigned(count) << 26);
}

template <int Axes> static void checkBehindBarriers(dim3 block) {
  const unsigned threads = block.x * block.y * block.z, blocks = 3, times = 2;
  DeviceArray<unsigned> sums(size_t(threads) * blocks);
  recordBehindBarriers<Axes><<<blocks, block>>>(sums, times);
  CHECK(cudaGetLastError());
  std::vector<unsigned> host = sums.host();
  for (unsigned i = 0; i < threads * blocks; ++i) {
    unsigned t = i % threads, x = t % block.x, y = t / block.x % block.y, z = t / block.x / block.y;
    unsigned one = (Axes & 1 ? x : 0) + (Axes & 2 ? y << 10 : 0) + (Axes & 4 ? z << 20 : 0);
    expect(host[i] == one * times + (threads * times << 26), "sum of thread", i);
  }
}

static void checkBehindBarriers(dim3 block) {
  checkBehindBarriers<1>(block);
  checkBehindBarriers<2>(block);
  checkBehindBarriers<3>(block);
  checkBehindBarriers<4>(block);
  checkBehindBarriers<5>(block);
  checkBehindBarriers<6>(block);
  checkBehindBarriers<7>(block);
}

static bool same(const uint3 &a, unsigned x, unsigned y, unsigned z) {
  return a.x == x && a.y == y && a.z == z;
}

static void check(dim3 grid, dim3 block) {
  const unsigned threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  DeviceArray<Seen> device(size_t(threads) * blocks);
  record<<<grid, block>>>(device);
  CHECK(cudaGetLastError());
  std::vector<Seen> seen = device.host();
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned t = 0; t < threads; ++t) {
      const Seen &s = seen[size_t(b) * threads + t];
      bool good =
          s.count == 1 && same(s.block, b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y) &&
          same(s.thread, t % block.x, t / block.x % block.y, t / block.x / block.y) &&
          same(s.gridSize, grid.x, grid.y, grid.z) && same(s.blockSize, block.x, block.y, block.z);
      expect(good, "thread", size_t(b) * threads + t);
    }
}

int main() {
  check(dim3(1), dim3(1));
  check(dim3(7), dim3(40));
  check(dim3(3, 2), dim3(33, 3, 2));
  check(dim3(2, 3, 4), dim3(5, 7, 3));
  check(dim3(2), dim3(1000));
  check(dim3(1), dim3(1024));
  check(dim3(1, 2), dim3(1, 1, 64));
  check(dim3(1, 1, 3), dim3(16, 16, 4));
  check(dim3(500), dim3(3));
  check(dim3(1, 300), dim3(2, 2));
  for (dim3 block : {dim3(40), dim3(1024), dim3(1, 1024), dim3(16, 1, 64), dim3(1, 1, 64),
                     dim3(33, 5, 3), dim3(8, 16, 8)})
    checkBehindBarriers(block);
  return finish();
}
