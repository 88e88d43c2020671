// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.wide && %shapes --warp %t.wide && %shapes --few %t.wide
// RUN: %vxcc -O3 --vx-tiles=exact %s -o %t.exact && %shapes --warp %t.exact && %shapes --few %t.exact
// RUN: %if !paths %{ %vxcc -O3 --vx-isa=upstream --lower=hw %s -o %t.up && %shapes --wide --isa=upstream %t.up %}
// RUN: %if !paths %{ env VX_SET=isa.warp=upstream,core.num_threads=16 %run %t.up %}
//
// Kernels that use tiles of one small size only: groups as wide as the machine's warps, or exactly
// the tile. Votes, ballots, shuffles and meetings under conditions that differ between tiles and
// between the threads of one; barriers of the block between them; partial tiles are not formed. Tiles of one
// thread.

#include "../Inputs/harness.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <int N> __global__ void tiles(unsigned *out, const unsigned *in, int rounds) {
  __shared__ unsigned words[256];
  auto tile = cg::tiled_partition<N>(cg::this_thread_block());
  const unsigned t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
  unsigned v = in[at];
  for (int round = 0; round < rounds; ++round) {
    if (tile.any(v % 16 > 12)) {
      if (tile.thread_rank() % 2 == 0)
        v = v * 3 + 1;
      else
        v ^= v >> 3;
      v += tile.shfl(v, round % N);
    } else if (tile.all(v % 2 == 0)) {
      v += tile.ballot(v % 4 == 0) * 5;
    }
    words[t] = v;
    tile.sync();
    v += words[t ^ 1];
    tile.sync();
    v ^= cg::reduce(tile, v, cg::plus<unsigned>());
    if (v % 8 == 0)
      v += round;
    v += tile.shfl_down(v, 1) + tile.shfl_xor(v, N / 2);
    if (round % 3 == 2) {
      words[t] = v;
      __syncthreads();
      v += words[blockDim.x - 1 - t];
      __syncthreads();
    }
  }
  out[at] = v;
}

template <int N> void reference(std::vector<unsigned> &v, int rounds) {
  const int n = int(v.size());
  for (int round = 0; round < rounds; ++round) {
    for (int first = 0; first < n; first += N) {
      unsigned *tile = &v[first];
      bool any = false, all = true;
      unsigned ballot = 0, old[N], sum = 0;
      for (int r = 0; r < N; ++r) {
        any |= tile[r] % 16 > 12;
        all &= tile[r] % 2 == 0;
        ballot |= unsigned(tile[r] % 4 == 0) << r;
      }
      for (int r = 0; r < N; ++r)
        if (any)
          tile[r] = r % 2 == 0 ? tile[r] * 3 + 1 : tile[r] ^ tile[r] >> 3;
        else if (all)
          tile[r] += ballot * 5;
      unsigned source = tile[round % N];
      for (int r = 0; r < N; ++r)
        old[r] = tile[r] += any ? source : 0;
      for (int r = 0; r < N; ++r)
        sum += tile[r] += old[r ^ 1];
      for (int r = 0; r < N; ++r) {
        tile[r] ^= sum;
        tile[r] += tile[r] % 8 == 0 ? round : 0;
        old[r] = tile[r];
      }
      for (int r = 0; r < N; ++r)
        tile[r] += old[r + 1 < N ? r + 1 : r] + old[r ^ (N / 2)];
    }
    if (round % 3 == 2) {
      std::vector<unsigned> words = v;
      for (int t = 0; t < n; ++t)
        v[t] += words[n - 1 - t];
    }
  }
}

template <int N> void check(int threads) {
  const int blocks = 3, rounds = 7;
  std::vector<unsigned> in(threads * blocks);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = unsigned(i) * 2654435761u >> 9;
  DeviceArray<unsigned> deviceIn(in), out(in.size());
  tiles<N><<<blocks, threads>>>(out, deviceIn, rounds);
  std::vector<unsigned> got = out.host();
  for (int b = 0; b < blocks; ++b) {
    std::vector<unsigned> want(in.begin() + b * threads, in.begin() + (b + 1) * threads);
    reference<N>(want, rounds);
    for (int t = 0; t < threads; ++t)
      expectEqual(got[b * threads + t], want[t], "thread", N * 10000 + b * 1000 + t);
  }
}

/// Tiles of one thread: each vote is that thread's own.
__global__ void alone(unsigned *out) {
  auto tile = cg::tiled_partition<1>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  bool p = t % 3 == 0;
  unsigned r = tile.any(p) + 2 * tile.all(p) + 4 * tile.ballot(p) + 8 * tile.shfl(t, 0);
  if (t % 5 == 1)
    r += __ballot_sync(1u << t % 32, p) + __uni_sync(1u << t % 32, p) * 1000;
  out[t] = r;
}

void checkAlone(int threads) {
  DeviceArray<unsigned> out(threads);
  alone<<<1, threads>>>(out);
  std::vector<unsigned> got = out.host();
  for (int t = 0; t < threads; ++t) {
    unsigned p = t % 3 == 0;
    unsigned want = 7 * p + 8 * t + (t % 5 == 1 ? (p << t % 32) + 1000 : 0);
    expectEqual(got[t], want, "thread alone", threads * 1000 + t);
  }
}

int main() {
  for (int threads : {1, 48, 176})
    checkAlone(threads);
  for (int threads : {16, 48, 176}) {
    check<2>(threads);
    check<4>(threads);
    check<8>(threads);
    check<16>(threads);
  }
  return finish();
}
