// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusive prefix sums of an array. A warp scans with __shfl_up_sync; the warps' totals are
// scanned by the first warp, the blocks' totals by a second launch, and a third adds them to what
// follows. usage: scan [values [threads of a block]]

#include "../common/example.h"

__device__ unsigned scanOfWarp(unsigned value, unsigned lane) {
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    unsigned below = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += below;
  }
  return value;
}

/// Scans each block by itself; TOTALS (or null) gets the sum of each block.
__global__ void scanBlocks(const unsigned *in, unsigned *out, unsigned *totals, int n) {
  __shared__ unsigned ends[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = scanOfWarp(i < n ? in[i] : 0, lane);
  if (lane == 31)
    ends[warp] = sum;
  __syncthreads();
  if (warp == 0)
    ends[lane] = scanOfWarp(lane < blockDim.x / 32 ? ends[lane] : 0, lane);
  __syncthreads();
  if (warp > 0)
    sum += ends[warp - 1];
  if (i < n)
    out[i] = sum;
  if (totals && threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = sum;
}

__global__ void addBefore(unsigned *out, const unsigned *totals, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += totals[blockIdx.x - 1];
}

/// Scans DATA in place, however many levels of blocks that takes.
static void scan(unsigned *data, int n, int threads) {
  const int blocks = (n + threads - 1) / threads;
  if (blocks == 1) {
    scanBlocks<<<1, threads>>>(data, data, nullptr, n);
    return;
  }
  DeviceBuffer<unsigned> totals(blocks);
  scanBlocks<<<blocks, threads>>>(data, data, totals, n);
  scan(totals, blocks, threads);
  addBefore<<<blocks, threads>>>(data, totals, n);
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 40000);
  const int threads = blockArgument(argc, argv, 2, 256);
  Random random(17);
  std::vector<unsigned> values(n);
  for (unsigned &x : values)
    x = random.next() % 1000;
  DeviceBuffer<unsigned> data(values);

  DeviceTimer timer;
  scan(data, n, threads);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  std::vector<unsigned> sums = data.host();
  long mismatches = 0;
  unsigned expected = 0;
  for (int i = 0; i < n; ++i)
    mismatches += sums[i] != (expected += values[i]);
  std::printf("scan: %d values, blocks of %d, total %u, %.3f ms\n", n, threads, sums[n - 1],
              milliseconds);
  return verdict(mismatches);
}
