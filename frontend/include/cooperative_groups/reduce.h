// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::reduce and its operators. 32-bit integers take the warp's own reductions,
// everything else a butterfly (tiles) or a walk down the ranks (coalesced groups).

#ifndef VX_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define VX_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#define VX_CG __device__ __forceinline__

namespace cooperative_groups {

#define VX_CG_OPERATOR(NAME, EXPRESSION)                                                           \
  template <class T = void> struct NAME {                                                          \
    VX_CG T operator()(T a, T b) const { return EXPRESSION; }                                      \
  };
VX_CG_OPERATOR(plus, a + b)
VX_CG_OPERATOR(less, b < a ? b : a)
VX_CG_OPERATOR(greater, a < b ? b : a)
VX_CG_OPERATOR(bit_and, a &b)
VX_CG_OPERATOR(bit_or, a | b)
VX_CG_OPERATOR(bit_xor, a ^ b)
#undef VX_CG_OPERATOR

namespace details {

// Picks __reduce_*_sync where there is one for T and OP.
template <class T, class Op> struct WarpReduction { static constexpr bool exists = false; };
#define VX_CG_WORD(OP, FUNCTION, T)                                                                \
  template <> struct WarpReduction<T, OP<T>> {                                                     \
    static constexpr bool exists = true;                                                           \
    static VX_CG T run(unsigned mask, T value) { return FUNCTION(mask, value); }                   \
  };
VX_CG_WORD(plus, __reduce_add_sync, int)
VX_CG_WORD(plus, __reduce_add_sync, unsigned)
VX_CG_WORD(less, __reduce_min_sync, int)
VX_CG_WORD(less, __reduce_min_sync, unsigned)
VX_CG_WORD(greater, __reduce_max_sync, int)
VX_CG_WORD(greater, __reduce_max_sync, unsigned)
VX_CG_WORD(bit_and, __reduce_and_sync, unsigned)
VX_CG_WORD(bit_or, __reduce_or_sync, unsigned)
VX_CG_WORD(bit_xor, __reduce_xor_sync, unsigned)
#undef VX_CG_WORD

template <unsigned N, class T, class Op>
VX_CG T reduceByExchange(const warp_tile<N> &group, T value, Op op) {
  for (unsigned bits = N / 2; bits; bits /= 2)
    value = op(value, group.shfl_xor(value, bits));
  return value;
}

// Each warp by itself, then one value per warp.
template <unsigned N, class T, class Op>
VX_CG T reduceByExchange(const block_tile<N> &group, T value, Op op) {
  return group.combine(reduceByExchange(tiled_partition<32>(this_thread_block()), value, op), op);
}

// Halves the number of ranks that still hold something; rank 0 ends with the result.
template <class T, class Op>
VX_CG T reduceByExchange(const coalesced_group &group, T value, Op op) {
  unsigned rank = group.thread_rank();
  for (unsigned left = group.num_threads(); left > 1;) {
    unsigned half = (left + 1) / 2;
    T other = group.shfl_down(value, half);
    if (rank + half < left)
      value = op(value, other);
    left = half;
  }
  return group.shfl(value, 0);
}

// A group inside one warp has a member mask.
template <class Group> struct InWarp {
  static constexpr bool value = std::is_base_of<warp_group, Group>::value;
};

template <bool Word> struct Reducer {
  template <class Group, class T, class Op> static VX_CG T run(const Group &group, T value, Op op) {
    return reduceByExchange(group, value, op);
  }
};
template <> struct Reducer<true> {
  template <class Group, class T, class Op> static VX_CG T run(const Group &group, T value, Op) {
    return WarpReduction<T, Op>::run(group.member_mask(), value);
  }
};

} // namespace details

/// OP over the values of all members, in every member.
template <class Group, class T, class Op> VX_CG T reduce(const Group &group, T value, Op &&op) {
  using Plain = typename std::decay<Op>::type;
  constexpr bool word = details::WarpReduction<T, Plain>::exists && details::InWarp<Group>::value;
  return details::Reducer<word>::run(group, value, Plain(op));
}

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_REDUCE_H
