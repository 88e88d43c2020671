// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B, square matrices, a group for each square tile of C: the tiles of A and B that it needs
// pass through local memory.

#include "arguments.h"

using namespace native;

static void sgemm2(void *block) {
  auto *arguments = static_cast<Arguments *>(block);
  const float *a = arguments->a, *b = arguments->b;
  uint32_t size = arguments->size, tile = arguments->tile;
  auto *tileA = static_cast<float *>(localMemory(2 * tile * tile * sizeof(float)));
  float *tileB = tileA + tile * tile;
  uint32_t x = threadIdx.x, y = threadIdx.y;
  uint32_t row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (uint32_t k = 0; k < size; k += tile) {
    tileA[y * tile + x] = a[row * size + k + x];
    tileB[y * tile + x] = b[(k + y) * size + column];
    barrier();
    for (uint32_t i = 0; i < tile; ++i)
      sum += tileA[y * tile + i] * tileB[i * tile + x];
    barrier();
  }
  arguments->c[row * size + column] = sum;
}

extern "C" void nativeMain(Arguments *arguments) {
  uint32_t tile = arguments->tile, tiles = arguments->size / tile;
  spawn({tiles, tiles, 1}, {tile, tile, 1}, sgemm2, arguments);
}
