// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B, square matrices, a task for each element of C.

#include "arguments.h"

using namespace native;

static void sgemm(void *block) {
  auto *arguments = static_cast<Arguments *>(block);
  const float *a = arguments->a, *b = arguments->b;
  uint32_t size = arguments->size, column = blockIdx.x, row = blockIdx.y;
  float sum = 0;
  for (uint32_t k = 0; k < size; ++k)
    sum += a[row * size + k] * b[k * size + column];
  arguments->c[row * size + column] = sum;
}

extern "C" void nativeMain(Arguments *arguments) {
  Index grid = {uint32_t(arguments->size), uint32_t(arguments->size), 1};
  spawn(grid, sgemm, arguments);
}
