// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that run four iterations in one: every kind of index and comparison, numbers of iterations
// around multiples of four, other ones in each lane, starts near the ends of the index's range;
// loops with votes and shuffles, whose number is one for the warp.
// RUN: %vxcc -O3 -I%S/../Inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %t
// RUN: %vxcc -O3 --vx-xlen=32 -I%S/../Inputs %s -o %t.32
// RUN: env VX_SET=isa.xlen=32 %t.32
#include "harness.h"
#include <climits>

// A loop of each kind, over a table of 64 values that repeats.
template <class T> struct Less {
  __host__ __device__ static unsigned sum(const unsigned *p, T first, T n, T stride) {
    unsigned sum = 0;
    for (T i = first; i < n; i += stride)
      sum = sum * 3 + p[i - first];
    return sum;
  }
};
/// The increment is that of another type and may wrap; the table starts where the index does.
struct Wide {
  __host__ __device__ static unsigned sum(const unsigned *p, int first, int n, int stride) {
    unsigned sum = 0;
    const unsigned *table = p - static_cast<long long>(first);
    for (int i = first; i < n; i += static_cast<unsigned>(stride))
      sum = sum * 3 + table[static_cast<long long>(i)];
    return sum;
  }
};
struct Steps {
  __host__ __device__ static unsigned sum(const unsigned *p, int first, int n, int) {
    unsigned sum = 0;
    for (unsigned i = 0, count = n > first ? unsigned(n) - unsigned(first) : 0; i != count; ++i)
      sum = sum * 3 + p[i % 64] + p[2 * (i & 31)];
    return sum;
  }
};
/// Compares before the step, loads and stores.
struct Behind {
  __host__ __device__ static unsigned sum(const unsigned *p, int first, int n, int stride) {
    unsigned sum = 0, i = 0;
    do {
      sum = sum * 3 + p[i];
      i += stride > 0 ? stride : 1;
    } while (i < unsigned(n > first ? unsigned(n) - unsigned(first) : 0));
    return sum;
  }
};

/// Lanes have other numbers of iterations.
__host__ __device__ inline int boundOf(int first, int n, unsigned thread) {
  return unsigned(n) - unsigned(first) > 4 ? n - int(thread % 5) : n;
}

template <class Loop> __global__ void run(const unsigned *p, unsigned *out, int first, int n, int stride) {
  out[threadIdx.x] = Loop::sum(p, first, boundOf(first, n, threadIdx.x), stride);
}

constexpr unsigned kTable = 512, kThreads = 40;

template <class Loop> void check(const char *name, DeviceArray<unsigned> &table, const std::vector<unsigned> &host,
           const std::vector<int> &starts) {
  DeviceArray<unsigned> out(kThreads);
  for (int first : starts)
    for (int count : {0, 1, 3, 4, 5, 8, 11, 64, 257})
      for (int stride : {1, 2, 3, 64, 100}) {
        int n = first + count;
        run<Loop><<<1, kThreads>>>(table, out, first, n, stride);
        std::vector<unsigned> got = out.host();
        for (unsigned t = 0; t < kThreads; ++t)
          expectEqual(got[t], Loop::sum(host.data(), first, boundOf(first, n, t), stride), name, t);
      }
}

/// Votes and shuffles: the bound is one for all threads.
__global__ void warpLoops(unsigned *out, unsigned n, unsigned stride) {
  unsigned value = threadIdx.x * 7 + n, result = 0;
  for (unsigned i = 0; i < n; i += stride) {
    result = result * 5 + __ballot_sync(~0u, value > i * 11);
    value += __shfl_xor_sync(~0u, value, i & 31) + __any_sync(~0u, value % 64 == i);
  }
  out[threadIdx.x] = result ^ value;
}
std::vector<unsigned> warpLoopsOnHost(unsigned n, unsigned stride) {
  std::vector<unsigned> value(32), result(32);
  for (unsigned t = 0; t < 32; ++t)
    value[t] = t * 7 + n;
  for (unsigned i = 0; i < n; i += stride) {
    std::vector<unsigned> old = value;
    unsigned above = 0, any = 0;
    for (unsigned t = 0; t < 32; ++t) {
      above |= unsigned(value[t] > i * 11) << t;
      any |= value[t] % 64 == i;
    }
    for (unsigned t = 0; t < 32; ++t) {
      result[t] = result[t] * 5 + above;
      value[t] += old[t ^ (i & 31)] + any;
    }
  }
  for (unsigned t = 0; t < 32; ++t)
    result[t] ^= value[t];
  return result;
}

int main() {
  std::vector<unsigned> host(kTable);
  for (unsigned i = 0; i < kTable; ++i)
    host[i] = i * 2654435761u;
  DeviceArray<unsigned> table(host), out(32);
  check<Less<int>>("int", table, host, {0, 7, -9, INT_MAX - 600, INT_MIN + 9});
  check<Less<unsigned>>("unsigned", table, host, {0, 7, INT_MAX - 100});
  check<Wide>("wide", table, host, {0, 7, -9, INT_MAX - 600, INT_MIN + 9});
  check<Steps>("steps", table, host, {0, 7, -9, INT_MAX - 600, INT_MIN + 9});
  check<Behind>("behind", table, host, {0, 7, -9, INT_MAX - 600, INT_MIN + 9});
  for (unsigned n : {0u, 1u, 3u, 4u, 5u, 7u, 8u, 33u})
    for (unsigned stride : {1u, 2u, 5u}) {
      warpLoops<<<1, 32>>>(out, n, stride);
      std::vector<unsigned> got = out.host(), want = warpLoopsOnHost(n, stride);
      for (unsigned t = 0; t < 32; ++t)
        expectEqual(got[t], want[t], "warp", t);
    }
  return finish();
}
