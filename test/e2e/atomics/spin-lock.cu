// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: env VX_MODE=timing VX_SET=core.num_warps=4,core.num_threads=4,run.max_cycles=400000 %run %t.3
// RUN: env VX_MODE=timing VX_SET=core.num_warps=4,core.num_threads=8,run.max_cycles=400000 %run %t.3
// RUN: env VX_MODE=timing VX_SET=core.num_warps=2,core.num_threads=16,run.max_cycles=400000 %run %t.3
// RUN: env VX_MODE=timing VX_SET=core.num_warps=8,core.num_threads=8,run.max_cycles=400000 %run %t.3
// RUN: env VX_MODE=timing VX_SET=num_cores=4,core.num_warps=4,core.num_threads=4,run.max_cycles=400000 %run %t.3
//
// Locks that all lanes of a warp contend for, by compare-and-swap and by exchange, with the critical
// section inside the loop, as SIMT machines need it. With cycles, where warps attempt in step: those that
// find the lock taken must not keep its holder, other lanes of whose warp still attempt, from proceeding.

#include "../Inputs/harness.h"

__global__ void compareAndSwap(int *lock, int *data) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)data = *(volatile int *)data + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void exchange(int *lock, int *data, int rounds) {
  for (int r = 0; r < rounds; ++r)
    for (bool leave = false; !leave;)
      if (atomicExch(lock, 1) == 0) {
        *(volatile int *)data = *(volatile int *)data + r;
        __threadfence();
        atomicExch(lock, 0);
        leave = true;
      }
}

int main() {
  DeviceArray<int> lock(1), counts(2);
  compareAndSwap<<<3, 50>>>(lock, counts);
  exchange<<<2, 37>>>(lock, counts + 1, 4);
  std::vector<int> got = counts.host();
  expectEqual(got[0], 3 * 50, "compare and swap");
  expectEqual(got[1], 2 * 37 * (0 + 1 + 2 + 3), "exchange");
  return finish();
}
