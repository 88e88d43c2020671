// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Functions that stay out of line ask for coordinates and shared variables, in loops and diverged
// code; structures by value that bound a loop with barriers, that are indexed, that are written.

#include "../Inputs/harness.h"

__shared__ unsigned common[64];

__device__ __attribute__((noinline)) unsigned mixIn(unsigned *where, unsigned v) {
  *where ^= v;
  return *where * 5 + threadIdx.x + blockIdx.x * 3;
}
unsigned mixInOnHost(unsigned *where, unsigned v, unsigned thread, unsigned block) {
  *where ^= v;
  return *where * 5 + thread + block * 3;
}

__device__ __attribute__((noinline)) unsigned fetch() { return common[40]; }

/// The call is in a divergent loop after a barrier; the trip count depends on what it returns.
__global__ void coordinates(unsigned *out) {
  unsigned slots[4] = {threadIdx.x, 1, 2, 3}, v = threadIdx.x * 3 + 708;
  common[threadIdx.x & 63] = threadIdx.x;
  __syncthreads();
  for (unsigned j = 0; j < v % 5 + 1; ++j)
    v = mixIn(&slots[threadIdx.x & 3], j + 7);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v + slots[threadIdx.x & 3];
}

__global__ void sharedVariable(unsigned *out) {
  if (threadIdx.x == 0)
    common[40] = blockIdx.x + 5;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = fetch();
}

struct Parameters {
  int rounds, values[8];
};

__global__ void readParameters(Parameters p, int *out) {
  __shared__ int slots[64];
  int sum = 0;
  for (int i = 0; i < p.rounds; ++i) {
    slots[threadIdx.x] = i + threadIdx.x;
    __syncthreads();
    sum += slots[63 - threadIdx.x] + p.values[(threadIdx.x + i) & 7];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void writeParameters(Parameters p, int *out) {
  p.values[threadIdx.x & 7] += threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int value : p.values)
    sum += value;
  out[threadIdx.x] = sum;
}

int main() {
  const unsigned blocks = 5, threads = 31;
  DeviceArray<unsigned> mixedIn(blocks * threads), fetched(blocks * threads);
  coordinates<<<blocks, threads>>>(mixedIn);
  sharedVariable<<<blocks, threads>>>(fetched);
  std::vector<unsigned> gotMixed = mixedIn.host(), gotFetched = fetched.host();
  for (unsigned i = 0; i < blocks * threads; ++i) {
    unsigned t = i % threads, slots[4] = {t, 1, 2, 3}, v = t * 3 + 708;
    for (unsigned j = 0; j < v % 5 + 1; ++j)
      v = mixInOnHost(&slots[t & 3], j + 7, t, i / threads);
    expectEqual(gotMixed[i], v + slots[t & 3], "coordinates", i);
    expectEqual(gotFetched[i], i / threads + 5, "shared variable", i);
  }
  Parameters p = {5, {1, 2, 3, 4, 5, 6, 7, 8}};
  DeviceArray<int> read(64), written(64);
  readParameters<<<1, 64>>>(p, read);
  writeParameters<<<1, 64>>>(p, written);
  std::vector<int> gotRead = read.host(), gotWritten = written.host();
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int i = 0; i < p.rounds; ++i)
      sum += i + 63 - t + p.values[(t + i) & 7];
    expectEqual(gotRead[t], sum, "read parameters", t);
    expectEqual(gotWritten[t], 36 + t, "written parameters", t);
  }
  return finish();
}
