// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 --vx-xlen=32,64 %s -o %t
// RUN: %shapes --few %t
// RUN: %shapes --few --lower=sw %t
// RUN: %shapes --few --xlen=32 %t
// RUN: env VX_MODE=timing %run %t
// RUN: %run %t > %t.1 && %run %t > %t.2 && diff %t.1 %t.2
//
// Clocks in functional mode: they never go backwards, a kernel that waits for a time does not hit it to
// the cycle, and every run is the same.

#include "../Inputs/harness.h"

constexpr int kKernels = 16, kThreads = 8;

/// Waits as CUDA's sample of concurrent kernels does.
__global__ void wait(clock_t *took, clock_t count) {
  unsigned start = static_cast<unsigned>(clock());
  clock_t offset = 0;
  while (offset < count) {
    unsigned end = static_cast<unsigned>(clock());
    offset = static_cast<clock_t>(end - start);
  }
  took[0] = offset;
}

__global__ void readClocks(long long *differences) {
  int i = threadIdx.x;
  long long last = clock64(), least = 1000, most = 0;
  for (int k = 0; k < 40; ++k) {
    long long now = clock64();
    least = now - last < least ? now - last : least;
    most = now - last > most ? now - last : most;
    last = now;
  }
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  differences[3 * i] = least;
  differences[3 * i + 1] = most;
  differences[3 * i + 2] = static_cast<long long>(after - before);
}

int main() {
  DeviceArray<clock_t> took(1);
  // Whatever number of instructions the loop has, it divides some of these.
  int exact = 0;
  for (int k = 1; k <= kKernels; ++k) {
    clock_t count = 2520 * k;
    wait<<<1, 1>>>(took, count);
    clock_t got = took.host()[0];
    std::printf("%ld: %ld\n", long(count), long(got));
    expect(got >= count && got < count + 1000, "waited", k);
    exact += got == count;
  }
  expect(exact < kKernels / 2, "hit to the cycle", exact);

  DeviceArray<long long> differences(3 * kThreads);
  readClocks<<<1, kThreads>>>(differences);
  std::vector<long long> got = differences.host();
  for (int i = 0; i < kThreads; ++i) {
    expect(got[3 * i] > 0, "clock64", i);
    expect(got[3 * i + 1] > got[3 * i], "clock64, irregular", i);
    expect(got[3 * i + 2] > 0, "globaltimer", i);
  }
  return finish();
}
