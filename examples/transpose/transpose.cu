// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix transpose through a shared tile. The tile has one column of padding, so that reading it
// down a column touches a different bank per thread. A 32 x 8 block moves a 32 x 32 tile.
// usage: transpose [rows [columns]]

#include "../common/example.h"
#include <vector>

constexpr int TileSize = 32;
constexpr int BlockRows = 8;

__global__ void transpose(const int *in, int *out, int rows, int columns) {
  __shared__ int tile[TileSize][TileSize + 1];
  int x = blockIdx.x * TileSize + threadIdx.x;
  int y = blockIdx.y * TileSize + threadIdx.y;
  for (int j = 0; j < TileSize; j += BlockRows)
    if (x < columns && y + j < rows)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * TileSize + threadIdx.x;
  y = blockIdx.x * TileSize + threadIdx.y;
  for (int j = 0; j < TileSize; j += BlockRows)
    if (x < rows && y + j < columns)
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv) {
  const int rows = sizeArgument(argc, argv, 1, 301);
  const int columns = sizeArgument(argc, argv, 2, 450);
  const size_t count = size_t(rows) * columns, bytes = count * sizeof(int);
  Random random(3);
  std::vector<int> in(count), out(count);
  for (int &x : in)
    x = static_cast<int>(random.next());

  int *deviceIn, *deviceOut;
  CHECK(cudaMalloc(&deviceIn, bytes));
  CHECK(cudaMalloc(&deviceOut, bytes));
  CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(deviceOut, 0xff, bytes));

  const dim3 threads(TileSize, BlockRows);
  const dim3 blocks((columns + TileSize - 1) / TileSize, (rows + TileSize - 1) / TileSize);
  DeviceTimer timer;
  transpose<<<blocks, threads>>>(deviceIn, deviceOut, rows, columns);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFree(deviceOut));

  long mismatches = 0;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      mismatches += out[size_t(x) * rows + y] != in[size_t(y) * columns + x];
  std::printf("transpose: %d x %d, %u x %u blocks, %.3f ms\n", rows, columns, blocks.x, blocks.y,
              milliseconds);
  return verdict(mismatches);
}
