// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t.1
// RUN: %shapes --few %t.1
// RUN: env VX_LOWERING=sw %t.1
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --few %t.3
//
// A structure passed by value to a function out of line that only reads it, changed in each iteration of a
// loop; the function also synchronizes with the other lanes, or has no effect at all.

#include "../Inputs/harness.h"

struct Small {
  unsigned value;
};
__host__ __device__ __attribute__((noinline)) unsigned next(Small s, unsigned i) {
  return s.value * 3 + i;
}
__device__ __noinline__ unsigned nextTogether(Small s, unsigned i) {
  return __ballot_sync(~0u, i > 50) ? s.value * 3 + i : 0;
}
__device__ __noinline__ unsigned walk(unsigned first, unsigned iterations) {
  Small alone = {first};
  for (unsigned i = iterations + 1; i-- > 0;)
    alone = {next(alone, i)};
  return alone.value;
}
__device__ __noinline__ unsigned walkTogether(unsigned first, unsigned iterations) {
  Small together = {first};
  for (unsigned i = iterations + 1; i-- > 0;)
    together = {nextTogether(together, i + 60)};
  return together.value;
}
__global__ void kernel(unsigned *out, unsigned iterations) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * thread] = walk(thread, iterations + threadIdx.x % 5);
  out[2 * thread + 1] = walkTogether(thread + 5, iterations + threadIdx.x / 32);
}

int main() {
  constexpr unsigned kBlock = 96, kGrid = 3, kTurns = 9;
  DeviceArray<unsigned> out(2 * kGrid * kBlock);
  kernel<<<kGrid, kBlock>>>(out, kTurns);
  std::vector<unsigned> got = out.host();
  for (unsigned thread = 0; thread < kGrid * kBlock; ++thread) {
    Small alone = {thread}, together = {thread + 5};
    for (unsigned i = kTurns + thread % kBlock % 5 + 1; i-- > 0;)
      alone = {next(alone, i)};
    for (unsigned i = kTurns + thread % kBlock / 32 + 1; i-- > 0;)
      together = {next(together, i + 60)};
    expectEqual(got[2 * thread], alone.value, "alone", thread);
    expectEqual(got[2 * thread + 1], together.value, "together", thread);
  }
  return finish();
}
