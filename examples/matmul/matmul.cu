// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product C = A B of square matrices through tiles in shared memory; no warp function is
// used. A thread computes several elements of a column when the block has fewer rows than a tile:
// blocks of 32 threads are 8 x 4 on tiles of 8 x 8, blocks of 256 are 16 x 16.
// usage: matmul [size [threads of a block: 32, 64, 256 or 1024]]

#include "../common/example.h"
#include <cmath>

template <int Tile, int Rows>
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[Tile][Tile];
  __shared__ float tileB[Tile][Tile];
  constexpr int Each = Tile / Rows;
  const int x = threadIdx.x, column = blockIdx.x * Tile + x;
  float sum[Each] = {};
  for (int base = 0; base < n; base += Tile) {
#pragma unroll
    for (int e = 0; e < Each; ++e) {
      const int y = threadIdx.y + e * Rows, row = blockIdx.y * Tile + y;
      tileA[y][x] = row < n && base + x < n ? a[row * n + base + x] : 0.0f;
      tileB[y][x] = column < n && base + y < n ? b[(base + y) * n + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
#pragma unroll
      for (int e = 0; e < Each; ++e)
        sum[e] += tileA[threadIdx.y + e * Rows][k] * tileB[k][x];
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < Each; ++e) {
    const int row = blockIdx.y * Tile + threadIdx.y + e * Rows;
    if (row < n && column < n)
      c[row * n + column] = sum[e];
  }
}

template <int Tile, int Rows> static void launch(const float *a, const float *b, float *c, int n) {
  const int tiles = (n + Tile - 1) / Tile;
  matmul<Tile, Rows><<<dim3(tiles, tiles), dim3(Tile, Rows)>>>(a, b, c, n);
}

static long countMismatches(const std::vector<float> &a, const std::vector<float> &b,
                            const std::vector<float> &c, int n) {
  long mismatches = 0;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += double(a[row * n + k]) * b[k * n + column];
      // All terms are in [0, 1): the error of a float sum is at most n ulps of the result.
      mismatches += !(std::fabs(c[row * n + column] - sum) <= 1.2e-7 * n * sum + 1e-6);
    }
  return mismatches;
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 96);
  const int threads = sizeArgument(argc, argv, 2, 256);
  if (threads != 32 && threads != 64 && threads != 256 && threads != 1024) {
    std::fprintf(stderr, "matmul: blocks have 32, 64, 256 or 1024 threads\n");
    return 2;
  }
  Random random(12);
  std::vector<float> a(size_t(n) * n), b(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = random.nextFloat();
    b[i] = random.nextFloat();
  }
  DeviceBuffer<float> deviceA(a), deviceB(b), deviceC(a.size());

  DeviceTimer timer;
  if (threads == 32)
    launch<8, 4>(deviceA, deviceB, deviceC, n);
  else if (threads == 64)
    launch<8, 8>(deviceA, deviceB, deviceC, n);
  else if (threads == 256)
    launch<16, 16>(deviceA, deviceB, deviceC, n);
  else
    launch<32, 32>(deviceA, deviceB, deviceC, n);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  std::vector<float> c = deviceC.host();
  std::printf("matmul: %d x %d, blocks of %d, %.3f ms\n", n, n, threads, milliseconds);
  return verdict(countMismatches(a, b, c, n));
}
