// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::reduce and its operators. A standard operator on numbers inside a warp is one
// reduction of the compiler's contract (VxFunctions.def), which knows what the machine does best.
// Anything else is a butterfly of shuffles, or for a coalesced group a walk down its ranks.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define VX_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

// Operands: member mask, value, width of the aligned segment (0: any mask).
#define VX_CG_DECLARE(NAME, T) __device__ T __vx_reduce_##NAME(unsigned, T, unsigned);
extern "C" {
VX_CG_DECLARE(add_i32, unsigned)
VX_CG_DECLARE(add_i64, unsigned long long)
VX_CG_DECLARE(add_f32, float)
VX_CG_DECLARE(add_f64, double)
VX_CG_DECLARE(min_s32, int)
VX_CG_DECLARE(min_u32, unsigned)
VX_CG_DECLARE(min_s64, long long)
VX_CG_DECLARE(min_u64, unsigned long long)
VX_CG_DECLARE(min_f32, float)
VX_CG_DECLARE(min_f64, double)
VX_CG_DECLARE(max_s32, int)
VX_CG_DECLARE(max_u32, unsigned)
VX_CG_DECLARE(max_s64, long long)
VX_CG_DECLARE(max_u64, unsigned long long)
VX_CG_DECLARE(max_f32, float)
VX_CG_DECLARE(max_f64, double)
VX_CG_DECLARE(and_i32, unsigned)
VX_CG_DECLARE(and_i64, unsigned long long)
VX_CG_DECLARE(or_i32, unsigned)
VX_CG_DECLARE(or_i64, unsigned long long)
VX_CG_DECLARE(xor_i32, unsigned)
VX_CG_DECLARE(xor_i64, unsigned long long)
}
#undef VX_CG_DECLARE

namespace cooperative_groups {

#define VX_CG_OPERATOR(NAME, EXPRESSION)                                                           \
  template <class T> struct NAME {                                                                 \
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

/// The number of the machine that carries a T: its bits for integers (64 if more than 32), the
/// reductions that depend on the sign, and what floating-point types have.
enum class Carrier { None, S32, U32, S64, U64, F32, F64 };
template <class T> struct CarrierOf {
  static constexpr bool integer = std::is_integral<T>::value && sizeof(T) <= 8;
  static constexpr bool isSigned = std::is_signed<T>::value;
  static constexpr Carrier value = integer
                                       ? (sizeof(T) == 8 ? (isSigned ? Carrier::S64 : Carrier::U64)
                                                         : (isSigned ? Carrier::S32 : Carrier::U32))
                                   : std::is_same<T, float>::value  ? Carrier::F32
                                   : std::is_same<T, double>::value ? Carrier::F64
                                                                    : Carrier::None;
};

// Picks the contract's function for an operator and a carrier.
template <class Op, Carrier> struct WarpReduction {
  static constexpr bool exists = false;
};
#define VX_CG_REDUCTION(OP, CARRIER, NAME)                                                         \
  template <class T> struct WarpReduction<OP<T>, Carrier::CARRIER> {                               \
    static constexpr bool exists = true;                                                           \
    static VX_CG T run(unsigned mask, T value, unsigned width) {                                   \
      return (T)__vx_reduce_##NAME(mask, value, width);                                            \
    }                                                                                              \
  };
#define VX_CG_REDUCTION_OF_BITS(OP, NAME)                                                          \
  VX_CG_REDUCTION(OP, S32, NAME##_i32)                                                             \
  VX_CG_REDUCTION(OP, U32, NAME##_i32)                                                             \
  VX_CG_REDUCTION(OP, S64, NAME##_i64)                                                             \
  VX_CG_REDUCTION(OP, U64, NAME##_i64)
#define VX_CG_REDUCTION_OF_ORDER(OP, NAME)                                                         \
  VX_CG_REDUCTION(OP, S32, NAME##_s32)                                                             \
  VX_CG_REDUCTION(OP, U32, NAME##_u32)                                                             \
  VX_CG_REDUCTION(OP, S64, NAME##_s64)                                                             \
  VX_CG_REDUCTION(OP, U64, NAME##_u64)
#define VX_CG_REDUCTION_OF_FLOAT(OP, NAME)                                                         \
  VX_CG_REDUCTION(OP, F32, NAME##_f32)                                                             \
  VX_CG_REDUCTION(OP, F64, NAME##_f64)
VX_CG_REDUCTION_OF_BITS(plus, add)
VX_CG_REDUCTION_OF_FLOAT(plus, add)
VX_CG_REDUCTION_OF_ORDER(less, min)
VX_CG_REDUCTION_OF_FLOAT(less, min)
VX_CG_REDUCTION_OF_ORDER(greater, max)
VX_CG_REDUCTION_OF_FLOAT(greater, max)
VX_CG_REDUCTION_OF_BITS(bit_and, and)
VX_CG_REDUCTION_OF_BITS(bit_or, or)
VX_CG_REDUCTION_OF_BITS(bit_xor, xor)
#undef VX_CG_REDUCTION
#undef VX_CG_REDUCTION_OF_BITS
#undef VX_CG_REDUCTION_OF_ORDER
#undef VX_CG_REDUCTION_OF_FLOAT

template <unsigned N, class T, class Op>
VX_CG T reduceByShuffles(const warp_tile<N> &group, T value, Op &op) {
#pragma unroll
  for (unsigned bits = 1; bits < N; bits *= 2)
    value = op(value, group.shfl_xor(value, bits));
  return value;
}

// Halves the number of ranks that still hold something; rank 0 ends with the result. There are as
// many steps as the largest group needs: groups of different sizes stay together.
template <class T, class Op>
VX_CG T reduceByShuffles(const coalesced_group &group, T value, Op &op) {
  unsigned rank = group.thread_rank(), left = group.num_threads();
#pragma unroll
  for (unsigned step = 0; step < 5; ++step) {
    unsigned half = (left + 1) / 2;
    T other = group.shfl_down(value, half);
    if (rank + half < left)
      value = op(value, other);
    left = half;
  }
  return group.shfl(value, 0);
}

template <bool Standard> struct WarpReducer {
  template <class Group, class T, class Op>
  static VX_CG T run(const Group &group, T value, Op &op) {
    return reduceByShuffles(group, value, op);
  }
};
template <> struct WarpReducer<true> {
  template <class Group, class T, class Op> static VX_CG T run(const Group &group, T value, Op &) {
    return WarpReduction<Op, CarrierOf<T>::value>::run(group.member_mask(), value, Group::kWidth);
  }
};

template <class Group, class T, class Op>
VX_CG T reduceInWarp(const Group &group, T value, Op &op) {
  return WarpReducer<WarpReduction<Op, CarrierOf<T>::value>::exists>::run(group, value, op);
}

template <unsigned N, class T, class Op>
VX_CG T reduceGroup(const warp_tile<N> &group, T value, Op &op) {
  return reduceInWarp(group, value, op);
}
template <class T, class Op> VX_CG T reduceGroup(const coalesced_group &group, T value, Op &op) {
  return reduceInWarp(group, value, op);
}
// Each warp by itself, then one value per warp.
template <unsigned N, class T, class Op>
VX_CG T reduceGroup(const block_tile<N> &group, T value, Op &op) {
  warp_tile<32> warp = tiled_partition<32>(this_thread_block());
  return group.combine(reduceInWarp(warp, value, op), op);
}

/// ATOMIC (a cuda::atomic or cuda::atomic_ref) becomes OP of itself and VALUE. What it was before.
template <class Atomic, class T, class Op> VX_CG T update(Atomic &atomic, T value, Op &op) {
  T before = atomic.load();
  while (!atomic.compare_exchange_weak(before, op(before, value)))
    ;
  return before;
}
template <class Atomic, class T> VX_CG T update(Atomic &atomic, T value, const plus<T> &) {
  return atomic.fetch_add(value);
}

/// For use in types only (std::declval is a host function).
template <class T> __device__ T someValue();
template <class T, class Op>
using ResultOf =
    typename std::decay<decltype(someValue<Op &>()(someValue<T>(), someValue<T>()))>::type;

} // namespace details

/// OP, which is associative and commutative, over the values of all members; every member gets it.
template <class Group, class T, class Op>
VX_CG auto reduce(const Group &group, T &&value, Op &&op)
    -> details::ResultOf<typename std::decay<T>::type, typename std::decay<Op>::type> {
  using Plain = typename std::decay<Op>::type;
  using Result = details::ResultOf<typename std::decay<T>::type, Plain>;
  Plain function(op);
  return details::reduceGroup(group, static_cast<Result>(value), function);
}

/// Reduces as above; the result is stored by one member or combined with an atomic. The result may
/// be there only after the group synchronizes.
template <class Group, class Result, class T, class Op>
VX_CG void reduce_store_async(const Group &group, Result *to, T &&value, Op &&op) {
  auto result = reduce(group, static_cast<T &&>(value), op);
  if (group.thread_rank() == 0)
    *to = result;
}
template <class Group, class Atomic, class T, class Op>
VX_CG void reduce_update_async(const Group &group, Atomic &atomic, T &&value, Op &&op) {
  auto result = reduce(group, static_cast<T &&>(value), op);
  if (group.thread_rank() == 0)
    details::update(atomic, result, op);
}

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_REDUCE_H
