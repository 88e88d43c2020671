// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// z = x + y, a task for each element.

#include "arguments.h"

using namespace native;

static void vecadd(void *block) {
  auto *arguments = static_cast<Arguments *>(block);
  uint32_t i = blockIdx.x;
  arguments->c[i] = arguments->a[i] + arguments->b[i];
}

extern "C" void nativeMain(Arguments *arguments) {
  Index grid = {uint32_t(arguments->size), 1, 1};
  spawn(grid, vecadd, arguments);
}
