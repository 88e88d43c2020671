// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What groups are made of: positions of threads, sets of lanes as masks, and the exchange of values
// of any type. Nothing here branches on a mask, so that lanes of different groups stay together.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_LANES_H
#define VX_CUDA_COOPERATIVE_GROUPS_LANES_H

#include <cuda_runtime.h>
#include <type_traits>

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {
namespace details {

VX_CG unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
VX_CG unsigned lanesBelow() { return (1u << lane()) - 1u; }

VX_CG unsigned threadRank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
VX_CG unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
VX_CG unsigned long long blockRank() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
VX_CG unsigned long long gridBlocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}

/// The lanes of this warp that the block has threads for.
VX_CG unsigned presentLanes() {
  unsigned left = blockThreads() - (threadRank() & ~31u);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}

/// The lane that holds the N-th set bit of MASK, counted from 0; 32 if there are not that many.
/// Each step decides one bit of the answer by the number of bits set in a half.
VX_CG unsigned nthLane(unsigned mask, unsigned n) {
  unsigned by2 = mask - ((mask >> 1) & 0x55555555u);
  unsigned by4 = (by2 & 0x33333333u) + ((by2 >> 2) & 0x33333333u);
  unsigned by8 = (by4 + (by4 >> 4)) & 0x0f0f0f0fu;
  unsigned by16 = (by8 + (by8 >> 8)) & 0x00ff00ffu;
  unsigned low = by16 & 0xffu, all = low + (by16 >> 16);
  unsigned at = 0, rest = n, above;
  above = rest >= low;
  at += above * 16, rest -= above * low;
  low = (by8 >> at) & 0xffu, above = rest >= low;
  at += above * 8, rest -= above * low;
  low = (by4 >> at) & 0xfu, above = rest >= low;
  at += above * 4, rest -= above * low;
  low = (by2 >> at) & 0x3u, above = rest >= low;
  at += above * 2, rest -= above * low;
  low = (mask >> at) & 0x1u, above = rest >= low;
  at += above;
  return n < all ? at : 32u;
}

/// The bits of VALUE that MASK selects, moved together at the low end. Each step moves by a power
/// of two the bits whose distance has that power (Hacker's Delight, compress).
VX_CG unsigned gatherBits(unsigned value, unsigned mask) {
  value &= mask;
  unsigned zerosBelow = ~mask << 1;
#pragma unroll
  for (int step = 0; step < 5; ++step) {
    unsigned odd = zerosBelow ^ (zerosBelow << 1);
    odd ^= odd << 2;
    odd ^= odd << 4;
    odd ^= odd << 8;
    odd ^= odd << 16;
    unsigned move = odd & mask, moving = value & move;
    mask = (mask ^ move) | (move >> (1 << step));
    value = (value ^ moving) | (moving >> (1 << step));
    zerosBelow &= ~odd;
  }
  return value;
}

/// The members of MASK whose ranks are in the same run of N as this lane's.
VX_CG unsigned runOfRanks(unsigned mask, unsigned n) {
  unsigned rank = __popc(mask & lanesBelow()), first = rank - rank % n;
  unsigned from = nthLane(mask, first), end = nthLane(mask, first + n);
  unsigned belowEnd = end < 32 ? (1u << end) - 1u : 0xffffffffu;
  return mask & belowEnd & (0xffffffffu << from);
}

// Shuffles as function objects, for words of 32 and 64 bits.
#define VX_CG_SHUFFLE(NAME, FUNCTION)                                                              \
  struct NAME {                                                                                    \
    unsigned mask, lane;                                                                           \
    int width;                                                                                     \
    template <class Word> VX_CG Word operator()(Word word) const {                                 \
      return FUNCTION(mask, word, lane, width);                                                    \
    }                                                                                              \
  };
VX_CG_SHUFFLE(ShuffleIdx, __shfl_sync)
VX_CG_SHUFFLE(ShuffleUp, __shfl_up_sync)
VX_CG_SHUFFLE(ShuffleDown, __shfl_down_sync)
VX_CG_SHUFFLE(ShuffleXor, __shfl_xor_sync)
#undef VX_CG_SHUFFLE

/// A value of any plain type of up to 32 bytes crosses lanes in words.
template <class T, class Shuffle> VX_CG T exchange(const T &value, Shuffle shuffle) {
  static_assert(std::is_trivially_copyable<T>::value, "only plain data can be exchanged");
  static_assert(sizeof(T) <= 32, "a value to exchange has at most 32 bytes");
  constexpr unsigned wide = sizeof(T) / 8, rest = sizeof(T) % 8;
  struct Words {
    unsigned long long wide[wide + 1];
  } words = {};
  memcpy(&words, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < wide; ++i)
    words.wide[i] = shuffle(words.wide[i]);
  if (rest > 4)
    words.wide[wide] = shuffle(words.wide[wide]);
  else if (rest)
    words.wide[wide] = shuffle((unsigned)words.wide[wide]);
  T result;
  memcpy(&result, &words, sizeof(T));
  return result;
}
template <class Shuffle> VX_CG float exchange(const float &value, Shuffle shuffle) {
  return shuffle(value);
}
template <class Shuffle> VX_CG double exchange(const double &value, Shuffle shuffle) {
  return shuffle(value);
}
template <class Shuffle> VX_CG int exchange(const int &value, Shuffle shuffle) {
  return shuffle(value);
}
template <class Shuffle> VX_CG unsigned exchange(const unsigned &value, Shuffle shuffle) {
  return shuffle(value);
}

} // namespace details
} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_LANES_H
