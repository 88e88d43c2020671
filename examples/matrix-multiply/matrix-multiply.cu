// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiled matrix product C = A B. A block computes one tile of C; the tiles of A and B that it needs
// pass through shared memory, so the barrier is inside a loop. Sizes need not be tile multiples.
// usage: matrix-multiply [rows [columns [inner]]]

#include "../common/example.h"
#include <cmath>
#include <vector>

template <int Tile>
__global__ void matrixMultiply(const float *a, const float *b, float *c, int rows, int columns,
                               int inner) {
  __shared__ float tileA[Tile][Tile];
  __shared__ float tileB[Tile][Tile];
  const int row = blockIdx.y * Tile + threadIdx.y;
  const int column = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < inner; base += Tile) {
    const int k = base + threadIdx.x, l = base + threadIdx.y;
    tileA[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0.0f;
    tileB[threadIdx.y][threadIdx.x] =
        column < columns && l < inner ? b[l * columns + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

static long countMismatches(const std::vector<float> &a, const std::vector<float> &b,
                            const std::vector<float> &c, int rows, int columns, int inner) {
  long mismatches = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      double sum = 0;
      for (int k = 0; k < inner; ++k)
        sum += double(a[row * inner + k]) * b[k * columns + column];
      // All terms are in [0, 1): the error of a float sum is at most inner ulps of the result.
      double bound = 1.2e-7 * inner * sum + 1e-6;
      mismatches += !(std::fabs(c[row * columns + column] - sum) <= bound);
    }
  return mismatches;
}

int main(int argc, char **argv) {
  const int rows = sizeArgument(argc, argv, 1, 100);
  const int columns = sizeArgument(argc, argv, 2, 84);
  const int inner = sizeArgument(argc, argv, 3, 116);
  Random random(2);
  std::vector<float> a(size_t(rows) * inner), b(size_t(inner) * columns), c(size_t(rows) * columns);
  for (float &x : a)
    x = random.nextFloat();
  for (float &x : b)
    x = random.nextFloat();

  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&deviceB, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&deviceC, c.size() * sizeof(float)));
  CHECK(cudaMemcpy(deviceA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  constexpr int tile = 16;
  const dim3 threads(tile, tile);
  const dim3 blocks((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  DeviceTimer timer;
  matrixMultiply<tile><<<blocks, threads>>>(deviceA, deviceB, deviceC, rows, columns, inner);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(c.data(), deviceC, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));

  std::printf("matrix-multiply: (%d x %d) * (%d x %d), %d x %d tiles, %.3f ms\n", rows, inner,
              inner, columns, tile, tile, milliseconds);
  return verdict(countMismatches(a, b, c, rows, columns, inner));
}
