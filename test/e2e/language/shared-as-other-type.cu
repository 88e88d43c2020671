// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t.1
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.1 | FileCheck %s
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --warp %t.3
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %run %t.3 | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=thread-per-lane VX_SET=core.num_warps=4,core.num_threads=8 %run %t.3 | FileCheck %s
// RUN: %vxcc -O3 --target=host %s -o %t.host
// RUN: %run %t.host | FileCheck %s
// CHECK: PASS
//
// Shared memory that is written as one type and read as another, as radix sorts do: 16-bit counters
// are cleared and scanned as 32-bit words, without and with a barrier between the accesses.

#include "../Inputs/harness.h"

constexpr int kThreads = 32, kRows = 9;

__host__ __device__ unsigned keyOf(unsigned i) {
  return i * 7919u % 97u;
}

__global__ void rank(unsigned *out) {
  __shared__ union {
    unsigned short digits[kRows][kThreads][2];
    unsigned rows[kThreads][kRows];
  } s;
  int t = threadIdx.x;
  unsigned *words = &reinterpret_cast<unsigned(*)[kThreads]>(s.digits)[0][0];
#pragma unroll
  for (int k = 0; k < kRows; ++k)
    words[k * kThreads + t] = 0;
  unsigned digit = keyOf(t) & 15;
  unsigned short *counter = &s.digits[digit & 7][t][digit >> 3], before = *counter;
  *counter = before + 1;
  __syncthreads();
  unsigned *row = s.rows[t], kept[kRows], sum = 0;
#pragma unroll
  for (int k = 0; k < kRows; ++k)
    sum += kept[k] = row[k];
  unsigned v = sum;
#pragma unroll
  for (int n = 1; n < kThreads; n *= 2) {
    unsigned other = __shfl_up_sync(~0u, v, n);
    if (t >= n)
      v += other;
  }
  unsigned exclusive = v - sum + (__shfl_sync(~0u, v, kThreads - 1) << 16);
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    unsigned here = kept[k];
    row[k] = exclusive;
    exclusive += here;
  }
  __syncthreads();
  out[blockIdx.x * kThreads + t] = before + *counter;
}

// Global memory, a thread alone.
__global__ void bits(const float *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *reinterpret_cast<float *>(&out[i]) = in[i];
  unsigned short *halves = reinterpret_cast<unsigned short *>(&out[i]);
  halves[1] ^= 0x8000;
  out[i] += 1;
}

int main() {
  constexpr int kCount = 4 * kThreads;
  std::vector<float> floats(kCount);
  for (int i = 0; i < kCount; ++i)
    floats[i] = 0.37f * i - 11;
  DeviceArray<unsigned> ranks(kCount), patterns(kCount);
  DeviceArray<float> values(floats);
  rank<<<kCount / kThreads, kThreads>>>(ranks);
  bits<<<2, kCount / 2>>>(values, patterns);
  auto gotRanks = ranks.host(), gotPatterns = patterns.host();
  for (int i = 0; i < kCount; ++i) {
    unsigned wanted = 0, t = i % kThreads, digit = keyOf(t) & 15, pattern;
    for (unsigned other = 0; other < kThreads; ++other) {
      unsigned its = keyOf(other) & 15;
      wanted += its < digit || (its == digit && other < t);
    }
    expectEqual(gotRanks[i], wanted, "rank", i);
    memcpy(&pattern, &floats[i], sizeof pattern);
    expectEqual(gotPatterns[i], (pattern ^ 0x80000000u) + 1, "bits", i);
  }
  return finish();
}
