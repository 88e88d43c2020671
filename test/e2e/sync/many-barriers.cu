// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of over a hundred parallel regions: values that live from one to the next, to a later one, through all of
// them, and that only some threads set on the way.
// RUN: %vxcc -O3 -std=c++17 -I%inputs %s -o %t && %shapes --few %t
// RUN: %shapes --few --lower=sw %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -std=c++17 -I%inputs %s -o %t.0
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 -std=c++17 --target=host -I%inputs %s -o %t.host && env VX_HOST_THREADS=2 %run %t.host

#include "shapes.h"

#define BOTH __host__ __device__

BOTH unsigned size() {
  return blockSize().x * blockSize().y * blockSize().z;
}

template <int ROUNDS> BOTH unsigned rounds(Shared &s, unsigned x, unsigned n, bool withVotes) {
  const unsigned t = linearThread(), first = x, count = size();
  unsigned older = x, some = 1, same = n; // `same` is one value for all threads
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i) {
    s.a[t] = x ^ some;
    sync();
    unsigned got = s.a[(t + i + 1) % count];
    sync();
    if (got % 3 == i % 3)
      some = got + i;
    if (i % 4 == 0)
      older = x + same;
    same = same * 5 + i;
    x = got * 3 + older + (withVotes ? reduceAdd(presentLanes(), got & 7) : 0);
  }
  return x ^ first ^ some ^ same;
}

SHAPE(barriers) {
  *out = rounds<70>(s, in[linearThread() % 256], n, false);
}
SHAPE(barriersAndReductions) {
  *out = rounds<40>(s, in[linearThread() % 256], n, true);
}

int main() {
  COMPARE_SHAPE(barriers, 1);
  COMPARE_SHAPE(barriersAndReductions, 1);
  return finish();
}
