// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that one lane has, given to a function by all of them: what the others have is open, but
// they remain others. Shuffles of every size, groups, and functions by value, inline and not.
// RUN: %vxcc -O0 -Wno-uninitialized -Wno-sometimes-uninitialized -I%inputs %s -o %t.O0
// RUN: %shapes --warp --lower=hw %t.O0
// RUN: %vxcc -O1 -Wno-uninitialized -Wno-sometimes-uninitialized -I%inputs %s -o %t.O1
// RUN: %shapes --warp --lower=hw %t.O1
// RUN: %vxcc -O3 -Wno-uninitialized -Wno-sometimes-uninitialized -I%inputs %s -o %t
// RUN: %shapes --warp --lower=hw %t
// RUN: %shapes --warp --lower=sw %t

#include "harness.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 96, kWarps = kThreads / 32;

template <class T> __device__ T take(T *counter, T n) {
  return atomicAdd(counter, n);
}

struct Pair {
  unsigned first, second;
};

__device__ __noinline__ unsigned outOfLine(unsigned mask, unsigned value, int lane) {
  return __shfl_sync(mask, value, lane);
}
__device__ __forceinline__ unsigned chosen(Pair pair, bool isLeader) {
  return isLeader ? pair.first + pair.second : 0;
}

/// The counters, from each of which something is taken once by each warp.
enum { Shuffled, Wide, Grouped, WideGrouped, Tiled, OutOfLine, Struct, Real, Counters };

__global__ void leaders(unsigned *words, unsigned long long *wides, float *reals, unsigned *out) {
  unsigned lane = threadIdx.x % 32, sum = 0;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());

  unsigned word;
  if (lane == 0)
    word = take(&words[Shuffled], 1u);
  sum += __shfl_sync(~0u, word, 0);

  unsigned long long wide;
  if (lane == 5)
    wide = take(&wides[Wide], 1ull);
  sum += __shfl_sync(~0u, wide, 5);

  unsigned grouped;
  if (warp.thread_rank() == 0)
    grouped = take(&words[Grouped], 1u);
  sum += warp.shfl(grouped, 0);

  unsigned long long wideGrouped;
  if (warp.thread_rank() == 0)
    wideGrouped = take(&wides[WideGrouped], 1ull);
  sum += warp.shfl(wideGrouped, 0);

  unsigned long long tiled;
  if (tile.thread_rank() == 3)
    tiled = take(&wides[Tiled], 1ull);
  sum += tile.shfl(tiled, 3) < 4 * kWarps;

  unsigned value;
  if (lane == 31)
    value = take(&words[OutOfLine], 1u);
  sum += outOfLine(~0u, value, 31);

  Pair pair;
  if (lane == 7) {
    pair.first = take(&words[Struct], 1u);
    pair.second = 100;
  }
  sum += chosen(pair, lane == 7);

  float real;
  if (lane == 2)
    real = take(&reals[Real], 1.0f);
  sum += __shfl_sync(~0u, real, 2);
  out[threadIdx.x] = sum;
}

int main() {
  DeviceArray<unsigned> words(Counters), out(kThreads);
  DeviceArray<unsigned long long> wides(Counters);
  DeviceArray<float> reals(Counters);
  leaders<<<1, kThreads>>>(words, wides, reals, out);
  std::vector<unsigned> word = words.host(), got = out.host();
  std::vector<unsigned long long> wide = wides.host();
  for (int i : {Shuffled, Grouped, OutOfLine, Struct})
    expectEqual(word[i], (unsigned)kWarps, "words", i);
  for (int i : {Wide, WideGrouped})
    expectEqual(wide[i], (unsigned long long)kWarps, "wides", i);
  expectEqual(wide[Tiled], 4ull * kWarps, "tiles");
  expectEqual(reals.host()[Real], (float)kWarps, "reals");
  // All lanes of a warp have what its leaders took, each a number below the number of warps.
  unsigned total = 0;
  for (int first = 0; first < kThreads; first += 32) {
    for (int t = first; t < first + 32; ++t)
      EXPECT(got[t] - got[first] == 0 || t == first + 7);
    EXPECT(got[first + 7] >= got[first] + 100 && got[first + 7] < got[first] + 100 + kWarps);
    total += got[first];
  }
  // Six counters that give 0, 1 and 2, and one for each warp's tiles.
  EXPECT(total == 6 * (0 + 1 + 2) + kWarps);
  return finish();
}
