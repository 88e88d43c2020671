// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions: shuffles, votes, matches, reductions. What NVVM has an intrinsic for is called by
// it; shuffles of 64-bit values are functions of the compiler's contract (VxFunctions.def).

#ifndef VX_CUDA_WARP_H
#define VX_CUDA_WARP_H

#define VX_WARP static __device__ __forceinline__ __attribute__((__nodebug__))

extern "C" {
__device__ unsigned long long __vx_shfl_idx_64(unsigned, unsigned long long, unsigned, unsigned);
__device__ unsigned long long __vx_shfl_up_64(unsigned, unsigned long long, unsigned, unsigned);
__device__ unsigned long long __vx_shfl_down_64(unsigned, unsigned long long, unsigned, unsigned);
__device__ unsigned long long __vx_shfl_bfly_64(unsigned, unsigned long long, unsigned, unsigned);
}

VX_WARP unsigned __activemask() { return __nvvm_activemask(); }

VX_WARP void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
VX_WARP void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
VX_WARP void __barrier_sync_count(unsigned id, unsigned count) {
  __nvvm_barrier_sync_cnt(id, count);
}

// The forms without a member mask exchange values among the lanes that are here together.
#define VX_WITHOUT_MASK(NAME)                                                                      \
  __attribute__((deprecated(#NAME "() is deprecated in favor of " #NAME                            \
                                  "_sync() and may be removed in a future release")))

// The operand that names the segment (PTX): its high byte masks the lane bits that select a
// segment, its low byte is the last lane that may be read.
#define VX_SEGMENT(WIDTH, LAST) (((32 - (WIDTH)) << 8) | (LAST))
#define VX_SHUFFLE_OF_32(KIND, MASK, VALUE, LANE, SEGMENT)                                         \
  __nvvm_shfl_sync_##KIND##_i32(MASK, __builtin_bit_cast(int, VALUE), LANE, SEGMENT)
#define VX_SHUFFLE_OF_64(KIND, MASK, VALUE, LANE, SEGMENT)                                         \
  __vx_shfl_##KIND##_64(MASK, __builtin_bit_cast(unsigned long long, VALUE), LANE, SEGMENT)
#define VX_SHUFFLE_OF(NAME, KIND, BITS, LAST, LANE, T)                                             \
  VX_WARP T NAME##_sync(unsigned mask, T value, LANE lane, int width = 32) {                       \
    return __builtin_bit_cast(                                                                     \
        T, VX_SHUFFLE_OF_##BITS(KIND, mask, value, lane, VX_SEGMENT(width, LAST)));                \
  }                                                                                                \
  VX_WITHOUT_MASK(NAME) VX_WARP T NAME(T value, LANE lane, int width = 32) {                       \
    return NAME##_sync(__activemask(), value, lane, width);                                        \
  }
#define VX_SHUFFLE(NAME, KIND, LAST, LANE)                                                         \
  VX_SHUFFLE_OF(NAME, KIND, 32, LAST, LANE, int)                                                   \
  VX_SHUFFLE_OF(NAME, KIND, 32, LAST, LANE, unsigned)                                              \
  VX_SHUFFLE_OF(NAME, KIND, 32, LAST, LANE, float)                                                 \
  VX_SHUFFLE_OF(NAME, KIND, 64, LAST, LANE, long)                                                  \
  VX_SHUFFLE_OF(NAME, KIND, 64, LAST, LANE, unsigned long)                                         \
  VX_SHUFFLE_OF(NAME, KIND, 64, LAST, LANE, long long)                                             \
  VX_SHUFFLE_OF(NAME, KIND, 64, LAST, LANE, unsigned long long)                                    \
  VX_SHUFFLE_OF(NAME, KIND, 64, LAST, LANE, double)

VX_SHUFFLE(__shfl, idx, 0x1f, int)
VX_SHUFFLE(__shfl_up, up, 0, unsigned)
VX_SHUFFLE(__shfl_down, down, 0x1f, unsigned)
VX_SHUFFLE(__shfl_xor, bfly, 0x1f, int)

#define VX_VOTE(NAME, KIND, T)                                                                     \
  VX_WARP T NAME##_sync(unsigned mask, int predicate) {                                            \
    return __nvvm_vote_##KIND##_sync(mask, predicate);                                             \
  }                                                                                                \
  VX_WITHOUT_MASK(NAME) VX_WARP T NAME(int predicate) {                                            \
    return NAME##_sync(__activemask(), predicate);                                                 \
  }
VX_VOTE(__all, all, int)
VX_VOTE(__any, any, int)
VX_VOTE(__uni, uni, int)
VX_VOTE(__ballot, ballot, unsigned)

// Position of the n-th set bit of MASK counted from bit BASE upwards (n > 0) or downwards (n < 0).
VX_WARP unsigned __fns(unsigned mask, unsigned base, int n) { return __nvvm_fns(mask, base, n); }

#define VX_MATCH(T, WIDTH)                                                                         \
  VX_WARP unsigned __match_any_sync(unsigned mask, T value) {                                      \
    return __nvvm_match_any_sync_i##WIDTH(mask, __builtin_bit_cast(VX_BITS_##WIDTH, value));       \
  }                                                                                                \
  VX_WARP unsigned __match_all_sync(unsigned mask, T value, int *predicate) {                      \
    return __nvvm_match_all_sync_i##WIDTH##p(mask, __builtin_bit_cast(VX_BITS_##WIDTH, value),     \
                                             predicate);                                           \
  }
#define VX_BITS_32 unsigned
#define VX_BITS_64 unsigned long long
VX_MATCH(int, 32)
VX_MATCH(unsigned, 32)
VX_MATCH(float, 32)
VX_MATCH(long, 64)
VX_MATCH(unsigned long, 64)
VX_MATCH(long long, 64)
VX_MATCH(unsigned long long, 64)
VX_MATCH(double, 64)

#define VX_REDUCTION(NAME, T, KIND)                                                                \
  VX_WARP T NAME(unsigned mask, T value) { return __nvvm_redux_sync_##KIND(value, mask); }
VX_REDUCTION(__reduce_add_sync, unsigned, add)
VX_REDUCTION(__reduce_add_sync, int, add)
VX_REDUCTION(__reduce_min_sync, unsigned, umin)
VX_REDUCTION(__reduce_min_sync, int, min)
VX_REDUCTION(__reduce_max_sync, unsigned, umax)
VX_REDUCTION(__reduce_max_sync, int, max)
VX_REDUCTION(__reduce_and_sync, unsigned, and)
VX_REDUCTION(__reduce_or_sync, unsigned, or)
VX_REDUCTION(__reduce_xor_sync, unsigned, xor)

#undef VX_WARP
#undef VX_WITHOUT_MASK
#undef VX_SEGMENT
#undef VX_SHUFFLE
#undef VX_SHUFFLE_OF
#undef VX_SHUFFLE_OF_32
#undef VX_SHUFFLE_OF_64
#undef VX_VOTE
#undef VX_MATCH
#undef VX_BITS_32
#undef VX_BITS_64
#undef VX_REDUCTION

#endif // VX_CUDA_WARP_H
