// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions that mean the same on the device and on the host (lockstep.h). Each takes the
// member mask of the call. Where CUDA leaves a shuffle's result open, because its source is not
// among MEMBERS (the lanes that really take part), the caller gets its own value.

#ifndef TEST_E2E_LOCKSTEP_WARP_H
#define TEST_E2E_LOCKSTEP_WARP_H

#include "lockstep.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

__host__ __device__ inline unsigned laneId() { return linearThread() % 32; }
__host__ __device__ inline unsigned warpId() { return linearThread() / 32; }
__host__ __device__ inline unsigned bitsOf(unsigned v) {
  unsigned count = 0;
  for (; v; v &= v - 1)
    ++count;
  return count;
}
__host__ __device__ inline unsigned below(unsigned lane) { return (1u << lane) - 1; }

/// Returns the lanes of the aligned group of SIZE that LANE is in.
__host__ __device__ inline unsigned tileLanes(unsigned lane, unsigned size) {
  return size == 32 ? ~0u : below(size) << (lane & ~(size - 1));
}
/// Returns LANE if it is among MEMBERS, else the caller.
__host__ __device__ inline unsigned memberOr(unsigned members, unsigned lane) {
  return members >> (lane & 31) & 1 ? lane & 31 : laneId();
}
/// Returns the lowest of the MEMBERS, 0 if there is none.
__host__ __device__ inline unsigned lowest(unsigned members) {
  return bitsOf((members & (0 - members)) - 1) & 31;
}

// The lane that a shuffle reads (CUDA C++ Programming Guide, warp shuffle functions).
enum Shuffle : unsigned { Idx, Up, Down, Xor };
template <Shuffle Kind>
__host__ __device__ unsigned shuffleSource(unsigned operand, unsigned width) {
  unsigned lane = laneId(), first = lane & ~(width - 1), last = first + width - 1;
  if (Kind == Idx)
    return first + (operand & (width - 1));
  operand &= 31;
  unsigned source = Kind == Up ? lane - operand : Kind == Down ? lane + operand : lane ^ operand;
  // An exclusive or may read a lower segment, never a higher one.
  bool inside = Kind == Up ? static_cast<int>(source) >= static_cast<int>(first) : source <= last;
  return inside ? source : lane;
}

/// Returns the lane that PTX's shfl reads with the clamp in bits 0 to 4 and the segment mask in
/// bits 8 to 12 of BOUND.
template <Shuffle Kind>
__host__ __device__ unsigned boundedSource(unsigned operand, unsigned bound) {
  unsigned lane = laneId(), mask = bound >> 8 & 31;
  int low = lane & mask, high = low | (bound & 31 & ~mask), distance = operand & 31;
  int source = Kind == Idx    ? low | (distance & ~mask)
               : Kind == Up   ? static_cast<int>(lane) - distance
               : Kind == Down ? static_cast<int>(lane) + distance
                              : static_cast<int>(lane) ^ distance;
  return (Kind == Up ? source >= high : source <= high) ? source : lane;
}

// The device's side …
template <Shuffle Kind, class T>
__device__ inline T shuffleRaw(unsigned mask, T v, unsigned operand, unsigned width) {
  if constexpr (Kind == Idx)
    return __shfl_sync(mask, v, operand, width);
  else if constexpr (Kind == Up)
    return __shfl_up_sync(mask, v, operand, width);
  else if constexpr (Kind == Down)
    return __shfl_down_sync(mask, v, operand, width);
  else
    return __shfl_xor_sync(mask, v, operand, width);
}
template <Shuffle Kind, class T>
__device__ inline T shuffle(unsigned mask, unsigned members, T v, unsigned operand,
                            unsigned width = 32) {
  T got = shuffleRaw<Kind>(mask, v, operand, width);
  return members >> shuffleSource<Kind>(operand, width) & 1 ? got : v;
}
template <Shuffle Kind>
__device__ inline unsigned boundedShuffle(unsigned mask, unsigned members, unsigned v,
                                          unsigned operand, unsigned bound) {
  unsigned got;
#define SHUFFLE(MODE)                                                                              \
  asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, %3, %4;"                                        \
               : "=r"(got)                                                                         \
               : "r"(v), "r"(operand), "r"(bound), "r"(mask))
  if constexpr (Kind == Idx)
    SHUFFLE("idx");
  else if constexpr (Kind == Up)
    SHUFFLE("up");
  else if constexpr (Kind == Down)
    SHUFFLE("down");
  else
    SHUFFLE("bfly");
#undef SHUFFLE
  return members >> boundedSource<Kind>(operand, bound) & 1 ? got : v;
}
__device__ inline unsigned ballot(unsigned mask, bool p) { return __ballot_sync(mask, p); }
__device__ inline unsigned anyOf(unsigned mask, bool p) { return __any_sync(mask, p) != 0; }
__device__ inline unsigned allOf(unsigned mask, bool p) { return __all_sync(mask, p) != 0; }
template <class T> __device__ inline unsigned matchAny(unsigned mask, T v) {
  return __match_any_sync(mask, v);
}
template <class T> __device__ inline unsigned matchAll(unsigned mask, T v) {
  int same = 7;
  unsigned lanes = __match_all_sync(mask, v, &same);
  return same ? lanes : 12345;
}
#define LOCKSTEP_REDUCTION(NAME, CALL, T)                                                          \
  __device__ inline T NAME(unsigned mask, T v) { return CALL(mask, v); }
LOCKSTEP_REDUCTION(reduceAdd, __reduce_add_sync, unsigned)
LOCKSTEP_REDUCTION(reduceMin, __reduce_min_sync, unsigned)
LOCKSTEP_REDUCTION(reduceMax, __reduce_max_sync, unsigned)
LOCKSTEP_REDUCTION(reduceMin, __reduce_min_sync, int)
LOCKSTEP_REDUCTION(reduceMax, __reduce_max_sync, int)
LOCKSTEP_REDUCTION(reduceAnd, __reduce_and_sync, unsigned)
LOCKSTEP_REDUCTION(reduceOr, __reduce_or_sync, unsigned)
LOCKSTEP_REDUCTION(reduceXor, __reduce_xor_sync, unsigned)
#undef LOCKSTEP_REDUCTION
__device__ inline void syncLanes(unsigned mask) { __syncwarp(mask); }
/// Returns those of the MEMBERS that run together. On a device with paths (PATHS), lanes that are
/// at the same place in another iteration may run with them, as CUDA allows.
__device__ inline unsigned activeLanes([[maybe_unused]] unsigned members) {
#ifdef PATHS
  return __match_any_sync(__activemask(), members);
#else
  return __activemask();
#endif
}

// … and the host's.
enum class WarpCall : unsigned { Shuffle, Vote, Match, Reduce, Sync, Active, Tile };
__host__ inline const Lockstep::Exchange &exchangeAt(unsigned mask, WarpCall call,
                                                 unsigned long long value) {
  return lockstep().exchangeInWarp(mask, static_cast<unsigned>(call), value);
}
template <class T> __host__ unsigned long long toBits(T v) {
  unsigned long long bits = 0;
  std::memcpy(&bits, &v, sizeof(T));
  return bits;
}
template <class T> __host__ T fromBits(unsigned long long bits) {
  T v;
  std::memcpy(&v, &bits, sizeof(T));
  return v;
}
template <class T>
__host__ T readLane(unsigned mask, unsigned members, T v, unsigned source) {
  const Lockstep::Exchange &all = exchangeAt(mask, WarpCall::Shuffle, toBits(v));
  expect((members & mask & ~all.members) == 0, "members that do not take part", members);
  return all.members >> source & 1 ? fromBits<T>(all.values[source]) : v;
}
template <Shuffle Kind, class T>
__host__ T shuffle(unsigned mask, unsigned members, T v, unsigned operand, unsigned width = 32) {
  return readLane(mask, members, v, shuffleSource<Kind>(operand, width));
}
template <Shuffle Kind>
__host__ unsigned boundedShuffle(unsigned mask, unsigned members, unsigned v, unsigned operand,
                                 unsigned bound) {
  return readLane(mask, members, v, boundedSource<Kind>(operand, bound));
}
__host__ inline unsigned ballot(unsigned mask, bool p) {
  const Lockstep::Exchange &all = exchangeAt(mask, WarpCall::Vote, p);
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    lanes |= (all.members >> lane & 1 && all.values[lane]) << lane;
  return lanes;
}
__host__ inline unsigned anyOf(unsigned mask, bool p) { return ballot(mask, p) != 0; }
__host__ inline unsigned allOf(unsigned mask, bool p) { return ballot(mask, !p) == 0; }
template <class T> __host__ unsigned matchAny(unsigned mask, T v) {
  const Lockstep::Exchange &all = exchangeAt(mask, WarpCall::Match, toBits(v));
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    lanes |= (all.members >> lane & 1 && all.values[lane] == toBits(v)) << lane;
  return lanes;
}
template <class T> __host__ unsigned matchAll(unsigned mask, T v) {
  unsigned lanes = matchAny(mask, v);
  bool same = lanes == lockstep().lastMembers();
  return same ? lanes : 12345;
}
template <class T, class F> __host__ T reduceLanes(unsigned mask, T v, F combine) {
  const Lockstep::Exchange &all = exchangeAt(mask, WarpCall::Reduce, toBits(v));
  unsigned first = lowest(all.members);
  T result = fromBits<T>(all.values[first]);
  for (unsigned lane = first + 1; lane < 32; ++lane)
    if (all.members >> lane & 1)
      result = combine(result, fromBits<T>(all.values[lane]));
  return result;
}
#define LOCKSTEP_REDUCTION(NAME, T, EXPRESSION)                                                    \
  __host__ inline T NAME(unsigned mask, T v) {                                                     \
    return reduceLanes(mask, v, [](T a, T b) -> T { return EXPRESSION; });                         \
  }
LOCKSTEP_REDUCTION(reduceAdd, unsigned, a + b)
LOCKSTEP_REDUCTION(reduceMin, unsigned, a < b ? a : b)
LOCKSTEP_REDUCTION(reduceMax, unsigned, a < b ? b : a)
LOCKSTEP_REDUCTION(reduceMin, int, a < b ? a : b)
LOCKSTEP_REDUCTION(reduceMax, int, a < b ? b : a)
LOCKSTEP_REDUCTION(reduceAnd, unsigned, a &b)
LOCKSTEP_REDUCTION(reduceOr, unsigned, a | b)
LOCKSTEP_REDUCTION(reduceXor, unsigned, a ^ b)
#undef LOCKSTEP_REDUCTION
__host__ inline void syncLanes(unsigned mask) { exchangeAt(mask, WarpCall::Sync, 0); }
__host__ inline unsigned activeLanes(unsigned members) {
  return exchangeAt(members, WarpCall::Active, 0).members;
}

#include "lockstep-groups.h"

#endif // TEST_E2E_LOCKSTEP_WARP_H
