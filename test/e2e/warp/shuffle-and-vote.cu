// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0
// RUN: %shapes --warp %t.0
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --warp %t.3
// RUN: %vxcc --vx-xlen=32 %s -o %t.32
// RUN: %shapes --warp --xlen=32 %t.32
// RUN: %if !paths %{ %vxcc --vx-isa=upstream %s -o %t.up %}
// RUN: %if !paths %{ %shapes --wide --isa=upstream %t.up %}
//
// Shuffles and votes with constant and variable lanes, widths and member masks; lanes that have
// left; functions that are not inlined.

#include "../Inputs/harness.h"

constexpr int kResults = 12;

template <class T> __device__ __noinline__ T neighbour(T v) { return __shfl_xor_sync(~0u, v, 1); }

__global__ void exchange(unsigned *out, const unsigned *in, int width, int stay) {
  int t = threadIdx.x, lane = t % 32;
  unsigned *mine = out + t * kResults;
  unsigned v = in[t];
  unsigned tile = 0xffu << (lane & 24);
  mine[0] = __shfl_xor_sync(~0u, v, 5);
  mine[1] = __shfl_down_sync(~0u, v, 4, 8);
  mine[2] = __shfl_up_sync(~0u, v, lane % 4, width);
  mine[3] = __shfl_sync(~0u, v, v, width);
  mine[4] = __ballot_sync(~0u, v & 1);
  mine[5] = __ballot_sync(tile, v & 1);
  mine[6] = __any_sync(tile, v % 8 == 3) + 2 * __all_sync(tile, v % 8 != 3) +
            4 * __uni_sync(tile, v < 1000);
  mine[7] = neighbour(v);
  double d = __shfl_down_sync(~0u, v * 0.5, 3);
  mine[8] = unsigned(d * 2);
  mine[9] = unsigned(neighbour((unsigned long long)v << 32 | lane) >> 31);
  if (lane >= stay)
    return;
  unsigned here = __activemask();
  mine[10] = here;
  __syncwarp(here);
  mine[11] = v & 4 ? __ballot_sync(__activemask(), 1) : __ballot_sync(__activemask(), v & 1);
}

int main() {
  const int threads = 64;
  std::vector<unsigned> in(threads);
  for (int t = 0; t < threads; ++t)
    in[t] = unsigned(t * 37 % 64 + (t < 32 ? 0 : 900));
  for (int width = 1; width <= 32; width *= 2) {
    int stay = 32 - width / 2;
    DeviceArray<unsigned> deviceIn(in), out(threads * kResults);
    exchange<<<1, threads>>>(out, deviceIn, width, stay);
    std::vector<unsigned> got = out.host();
    for (int t = 0; t < threads; ++t) {
      int lane = t % 32;
      const unsigned *warp = &in[t - lane], *mine = &got[t * kResults];
      unsigned v = in[t], odd = 0, high = 0, oddLow = 0, tile = 0xffu << (lane & 24);
      bool any = false, below = false, above = false;
      for (int l = 0; l < 32; ++l) {
        odd |= (warp[l] & 1) << l;
        if (l < stay)
          (warp[l] & 4 ? high : oddLow) |= (warp[l] & 4 ? 1 : warp[l] & 1) << l;
        if (tile >> l & 1) {
          any |= warp[l] % 8 == 3;
          (warp[l] < 1000 ? below : above) = true;
        }
      }
      int up = lane % 4, first = lane / width * width;
      unsigned want[kResults] = {warp[lane ^ 5],
                                 lane % 8 < 4 ? warp[lane + 4] : v,
                                 lane - up >= first ? warp[lane - up] : v,
                                 warp[first + v % width],
                                 odd,
                                 odd & tile,
                                 unsigned(any + 2 * !any + 4 * (below != above)),
                                 warp[lane ^ 1],
                                 lane < 29 ? warp[lane + 3] : v,
                                 warp[lane ^ 1] * 2,
                                 stay == 32 ? ~0u : (1u << stay) - 1,
                                 v & 4 ? high : oddLow};
      for (int r = 0; r < (lane < stay ? kResults : 10); ++r)
        expectEqual(mine[r], want[r], "result", r * 1000 + width * 10000 + t);
    }
  }
  return finish();
}
