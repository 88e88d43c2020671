// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments that compare.py passes to a kernel.

#ifndef VX_BENCH_NATIVE_ARGUMENTS_H
#define VX_BENCH_NATIVE_ARGUMENTS_H

#include "spawn.h"

struct Arguments {
  uint64_t entry; ///< of the kernel, for the start-up code: where it is in a launch descriptor
  uint64_t size;  ///< elements, or rows and columns of a matrix
  uint64_t tile;  ///< rows and columns of a tile
  const float *a, *b;
  float *c;
};

#endif // VX_BENCH_NATIVE_ARGUMENTS_H
