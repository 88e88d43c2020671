// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0
// RUN: %shapes --warp %t.0
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --warp %t.3
// RUN: %if !paths %{ %vxcc --vx-isa=upstream %s -o %t.up %}
// RUN: %if !paths %{ %shapes --wide --isa=upstream %t.up %}
//
// Matches and reductions: full warps, partial warps, several masks at once, lanes that have left.

#include "../Inputs/harness.h"

constexpr int kResults = 8;

__device__ __noinline__ unsigned reduceOutOfLine(unsigned mask, unsigned v) {
  return __reduce_add_sync(mask, v);
}

__global__ void combine(unsigned *out, const unsigned *in, unsigned drop) {
  int i = threadIdx.x, lane = i & 31;
  unsigned v = in[i];
  unsigned *mine = out + i * kResults;
  mine[0] = __match_any_sync(~0u, v % 5);
  int all;
  mine[1] = __match_all_sync(0xffu << (lane & 24), v % 3 + (lane < 8 ? 0 : v), &all);
  mine[2] = all;
  mine[3] = reduceOutOfLine(~0u, v);
  mine[4] = __reduce_min_sync(0xfu << (lane & 28), v);
  if (drop >> lane & 1)
    return;
  mine[5] = __reduce_max_sync(~drop, (int)v - 7);
  mine[6] = __reduce_xor_sync(~drop, v);
  mine[7] = __match_any_sync(~drop, (unsigned long long)(v % 3) << 40);
}

static void check(int threads, unsigned drop) {
  std::vector<unsigned> in(threads);
  for (int t = 0; t < threads; ++t)
    in[t] = t < 8 ? t * 37 % 64 / 3 * 3 : t * 37 % 64;
  DeviceArray<unsigned> deviceIn(in), out(threads * kResults);
  combine<<<1, threads>>>(out, deviceIn, drop);
  std::vector<unsigned> got = out.host();
  for (int t = 0; t < threads; ++t) {
    int lane = t % 32, lanes = threads - (t - lane) < 32 ? threads - (t - lane) : 32;
    const unsigned *warp = &in[t - lane];
    auto key = [&](int l) { return warp[l] % 3 + (l < 8 ? 0 : warp[l]); };
    unsigned any = 0, tile = 0, sum = 0, min = ~0u, mix = 0, third = 0;
    bool all = true;
    int max = -1000;
    for (int l = 0; l < lanes; ++l) {
      any |= unsigned(warp[l] % 5 == warp[lane] % 5) << l;
      sum += warp[l];
      if (l / 8 == lane / 8) {
        tile |= 1u << l;
        all &= key(l) == key(lane);
      }
      if (l / 4 == lane / 4 && warp[l] < min)
        min = warp[l];
      if (drop >> l & 1)
        continue;
      if (int(warp[l]) - 7 > max)
        max = int(warp[l]) - 7;
      mix ^= warp[l];
      third |= unsigned(warp[l] % 3 == warp[lane] % 3) << l;
    }
    unsigned want[kResults] = {any, all ? tile : 0, all, sum, min, unsigned(max), mix, third};
    for (int r = 0; r < (drop >> lane & 1 ? 5 : kResults); ++r)
      expectEqual(got[t * kResults + r], want[r], "result", r * 1000 + t);
  }
}

int main() {
  check(32, 0);
  check(40, 0x91245);
  check(64, 0xfffffffe);
  check(25, 0x00ff00ff);
  return finish();
}
