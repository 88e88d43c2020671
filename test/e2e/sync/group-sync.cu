// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %shapes --warp %t
// RUN: %vxcc -O3 -DTILES %s -o %t.tiles && %shapes --few %t.tiles && %shapes --few --lower=sw %t.tiles
//
// Groups of 64 to 512 threads synchronize by themselves: all of a block, some of them while others do not,
// different numbers of times, before barriers of the whole block and between them.

#include "../Inputs/harness.h"
#include <cooperative_groups.h>

template <int N> __device__ void synchronize() {
#ifdef TILES
  namespace cg = cooperative_groups;
  cg::tiled_partition<N>(cg::this_thread_block()).sync();
#else
  __barrier_sync_count(1 + threadIdx.x / N, N);
#endif
}

/// Sums of groups of N threads through shared memory; GROUPS of them take part, each as often as its
/// number says.
template <int N> __global__ void sums(unsigned *out, const unsigned *in, int groups) {
  __shared__ unsigned words[1024];
  const int t = threadIdx.x, group = t / N, rank = t % N;
  unsigned result = 0;
  words[t] = 0;
  __syncthreads();
  if (group < groups)
    for (int round = 0; round <= group; ++round) {
      words[t] = in[t] + round;
      synchronize<N>();
      for (int half = N / 2; half > 0; half /= 2) {
        if (rank < half)
          words[t] += words[t + half];
        synchronize<N>();
      }
      result += words[group * N];
      synchronize<N>();
    }
  __syncthreads();
  out[t] = result + words[blockDim.x - 1 - t];
}

template <int N> void check(int threads, int groups) {
  std::vector<unsigned> in(threads);
  for (int t = 0; t < threads; ++t)
    in[t] = unsigned(t) * 2654435761u >> 20;
  DeviceArray<unsigned> deviceIn(in), out(threads);
  sums<N><<<1, threads>>>(out, deviceIn, groups);
  std::vector<unsigned> got = out.host();
  // Values that each thread leaves in shared memory: partial sums of the last round.
  std::vector<unsigned> words(threads, 0), want(threads, 0);
  for (int group = 0; group < groups; ++group)
    for (int round = 0; round <= group; ++round) {
      unsigned *mine = &words[group * N];
      for (int r = 0; r < N; ++r)
        mine[r] = in[group * N + r] + unsigned(round);
      for (int half = N / 2; half > 0; half /= 2)
        for (int r = 0; r < half; ++r)
          mine[r] += mine[r + half];
      for (int r = 0; r < N; ++r)
        want[group * N + r] += mine[0];
    }
  for (int t = 0; t < threads; ++t)
    expectEqual(got[t], want[t] + words[threads - 1 - t], "sum", N * 10000 + t);
}

/// Groups of N threads add their numbers to one sum, group after group, each thread with the lock.
template <int N> __global__ void inTurn(unsigned *out) {
  __shared__ volatile unsigned turn, sum;
  __shared__ int lock;
  const int t = threadIdx.x, group = t / N;
  if (t == 0)
    turn = sum = lock = 0;
  __syncthreads();
  if (t % N == 0)
    while (turn != group)
      ;
  synchronize<N>();
  while (atomicExch(&lock, 1) != 0)
    ;
  sum = sum + t;
  __threadfence_block();
  atomicExch(&lock, 0);
  synchronize<N>();
  out[t] = sum;
  synchronize<N>();
  if (t % N == 0)
    turn = group + 1;
}

template <int N> void checkInTurn(int threads) {
  DeviceArray<unsigned> out(threads);
  inTurn<N><<<1, threads>>>(out);
  std::vector<unsigned> got = out.host();
  for (int t = 0; t < threads; ++t) {
    unsigned last = (t / N + 1) * N - 1;
    expectEqual(got[t], last * (last + 1) / 2, "in turn", N * 10000 + t);
  }
}

int main() {
  check<64>(64, 1);
  check<64>(256, 4);
  check<64>(320, 3);
  check<128>(512, 2);
  check<256>(256, 1);
  check<256>(1024, 4);
  check<512>(1024, 1);
  checkInTurn<64>(64);
  checkInTurn<64>(256);
  checkInTurn<128>(512);
  return finish();
}
