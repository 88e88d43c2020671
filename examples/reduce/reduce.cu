// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of an array. Each thread adds up its share; a warp adds its threads' sums with shuffles, and
// the first warp adds the warps' sums, which passed through shared memory. A second launch of one
// block adds the blocks' sums.
// usage: reduce [values [threads of a block [blocks]]]

#include "../common/example.h"

__device__ int sumOfWarp(int value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void reduce(const int *in, int *out, int n) {
  __shared__ int sums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = sumOfWarp(sum);
  if (blockDim.x > 32) {
    if (lane == 0)
      sums[warp] = sum;
    __syncthreads();
    if (warp == 0)
      sum = sumOfWarp(lane < blockDim.x / 32 ? sums[lane] : 0);
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 60000);
  const int threads = blockArgument(argc, argv, 2, 256);
  const int blocks = sizeArgument(argc, argv, 3, 16);
  Random random(15);
  std::vector<int> in(n);
  int expected = 0;
  for (int &x : in) {
    x = int(random.next() % 2001) - 1000;
    expected += x;
  }
  DeviceBuffer<int> deviceIn(in), partial(blocks), result(1);

  DeviceTimer timer;
  reduce<<<blocks, threads>>>(deviceIn, partial, n);
  reduce<<<1, threads>>>(partial, result, blocks);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  int sum = result.host()[0];
  std::printf("reduce: %d values, %d blocks of %d, sum %d, %.3f ms\n", n, blocks, threads, sum,
              milliseconds);
  return verdict(sum != expected);
}
