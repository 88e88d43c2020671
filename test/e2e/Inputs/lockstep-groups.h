// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of a block, of N <= 32 threads that are all there, and parts of them: the same on the device
// (cooperative groups) and on the host. Included by lockstep-warp.h.

#ifndef TEST_E2E_LOCKSTEP_TILES_H
#define TEST_E2E_LOCKSTEP_TILES_H

// The device's side …
template <unsigned N> __device__ inline auto tileOf() {
  return cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block());
}
template <unsigned N> __device__ inline unsigned tileRank() { return tileOf<N>().thread_rank(); }
template <unsigned N> __device__ inline unsigned tileNumber() {
  return tileOf<N>().meta_group_rank();
}
template <unsigned N> __device__ inline void tileSync() { tileOf<N>().sync(); }
template <unsigned N> __device__ inline unsigned tileBallot(bool p) {
  return tileOf<N>().ballot(p);
}
template <unsigned N> __device__ inline unsigned tileAny(bool p) {
  return tileOf<N>().any(p) != 0;
}
template <unsigned N> __device__ inline unsigned tileAll(bool p) {
  return tileOf<N>().all(p) != 0;
}
template <unsigned N, Shuffle Kind, class T> __device__ inline T tileShuffle(T v, unsigned by) {
  if constexpr (Kind == Idx)
    return tileOf<N>().shfl(v, by % N);
  else if constexpr (Kind == Up)
    return tileOf<N>().shfl_up(v, by % N);
  else if constexpr (Kind == Down)
    return tileOf<N>().shfl_down(v, by % N);
  else
    return tileOf<N>().shfl_xor(v, by % N);
}
template <unsigned N> __device__ inline unsigned tileSum(unsigned v) {
  return cooperative_groups::reduce(tileOf<N>(), v, cooperative_groups::plus<unsigned>());
}
template <unsigned N> __device__ inline int tileMin(int v) {
  return cooperative_groups::reduce(tileOf<N>(), v, cooperative_groups::less<int>());
}
template <unsigned N> __device__ inline unsigned tileMatch(unsigned v) {
  return tileOf<N>().match_any(v);
}
/// A tile split by a predicate: ranks, sizes and sums of the parts.
template <unsigned N> __device__ inline unsigned partSum(bool p, unsigned v) {
  auto part = cooperative_groups::binary_partition(tileOf<N>(), p);
  unsigned other = part.shfl(v, part.num_threads() - 1);
  unsigned sum = cooperative_groups::reduce(part, v, cooperative_groups::plus<unsigned>());
  return sum + other * 3 + part.thread_rank() * 5 + part.num_threads() * 7;
}
template <unsigned N> __device__ inline unsigned labelSum(unsigned label, unsigned v) {
  auto part = cooperative_groups::labeled_partition(tileOf<N>(), label);
  unsigned next = part.shfl_down(v, 1);
  return (part.thread_rank() + 1 < part.num_threads() ? next : 0) + part.ballot(v & 1) * 3 +
         part.meta_group_rank() * 5;
}

// … and the host's.
template <unsigned N> __host__ unsigned tileRank() { return laneId() % N; }
template <unsigned N> __host__ unsigned tileNumber() { return linearThread() / N; }
template <unsigned N> __host__ const unsigned long long *meetTile(unsigned long long value) {
  const Lockstep::Exchange &all = meetAt(tileLanes(laneId(), N), WarpCall::Tile, value);
  expect(all.members == tileLanes(laneId(), N), "tiles with all threads", linearThread());
  return all.values + laneId() / N * N;
}
template <unsigned N> __host__ void tileSync() { meetTile<N>(0); }
template <unsigned N> __host__ unsigned tileBallot(bool p) {
  const unsigned long long *values = meetTile<N>(p);
  unsigned bits = 0;
  for (unsigned i = 0; i < N; ++i)
    bits |= static_cast<unsigned>(values[i]) << i;
  return bits;
}
template <unsigned N> __host__ unsigned tileAny(bool p) { return tileBallot<N>(p) != 0; }
template <unsigned N> __host__ unsigned tileAll(bool p) { return tileBallot<N>(!p) == 0; }
template <unsigned N, Shuffle Kind, class T> __host__ T tileShuffle(T v, unsigned by) {
  const unsigned long long *values = meetTile<N>(toBits(v));
  return fromBits<T>(values[shuffleSource<Kind>(by % N, N) % N]);
}
template <unsigned N> __host__ unsigned tileSum(unsigned v) {
  const unsigned long long *values = meetTile<N>(v);
  unsigned sum = 0;
  for (unsigned i = 0; i < N; ++i)
    sum += static_cast<unsigned>(values[i]);
  return sum;
}
template <unsigned N> __host__ int tileMin(int v) {
  const unsigned long long *values = meetTile<N>(toBits(v));
  int least = v;
  for (unsigned i = 0; i < N; ++i)
    least = fromBits<int>(values[i]) < least ? fromBits<int>(values[i]) : least;
  return least;
}
template <unsigned N> __host__ unsigned tileMatch(unsigned v) {
  const unsigned long long *values = meetTile<N>(v);
  unsigned bits = 0;
  for (unsigned i = 0; i < N; ++i)
    bits |= (values[i] == v) << i;
  return bits;
}
template <unsigned N> __host__ unsigned partSum(bool p, unsigned v) {
  const unsigned long long *values = meetTile<N>(static_cast<unsigned long long>(p) << 32 | v);
  unsigned sum = 0, last = 0, rank = 0, size = 0;
  for (unsigned i = 0; i < N; ++i)
    if (values[i] >> 32 == p) {
      last = static_cast<unsigned>(values[i]);
      sum += last;
      rank += i < tileRank<N>();
      ++size;
    }
  return sum + last * 3 + rank * 5 + size * 7;
}
template <unsigned N> __host__ unsigned labelSum(unsigned label, unsigned v) {
  const unsigned long long *values = meetTile<N>(static_cast<unsigned long long>(label) << 32 | v);
  unsigned next = 0, bits = 0, size = 0, parts = 0, self = tileRank<N>();
  bool nextSeen = false;
  // Parts are numbered by their first lanes.
  unsigned first = 0;
  while (values[first] >> 32 != label)
    ++first;
  for (unsigned i = 0; i < N; ++i) {
    bool leads = true;
    for (unsigned j = 0; j < i; ++j)
      leads &= values[j] >> 32 != values[i] >> 32;
    parts += leads && i < first;
    if (values[i] >> 32 != label)
      continue;
    bits |= static_cast<unsigned>(values[i] & 1) << size++;
    if (i > self && !nextSeen) {
      next = static_cast<unsigned>(values[i]);
      nextSeen = true;
    }
  }
  return next + bits * 3 + parts * 5;
}

#endif // TEST_E2E_LOCKSTEP_TILES_H
