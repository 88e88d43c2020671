// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions: shuffles, votes, matches, reductions. 64-bit values travel as two words.

#ifndef VX_CUDA_WARP_H
#define VX_CUDA_WARP_H

#define VX_WARP static __device__ __forceinline__

// The operand that names the segment (PTX): its high byte masks the lane bits that select a
// segment, its low byte is the last lane that may be read.
#define VX_SHUFFLE_32(NAME, KIND, LAST, LANE, T)                                                   \
  VX_WARP T NAME##_sync(unsigned mask, T value, LANE lane, int width = 32) {                       \
    return __builtin_bit_cast(                                                                     \
        T, __nvvm_shfl_sync_##KIND##_i32(mask, __builtin_bit_cast(int, value), lane,               \
                                         ((32 - width) << 8) | LAST));                             \
  }
#define VX_SHUFFLE_64(NAME, LANE, T)                                                               \
  VX_WARP T NAME##_sync(unsigned mask, T value, LANE lane, int width = 32) {                       \
    unsigned long long bits = __builtin_bit_cast(unsigned long long, value);                       \
    unsigned low = NAME##_sync(mask, (unsigned)bits, lane, width);                                 \
    unsigned high = NAME##_sync(mask, (unsigned)(bits >> 32), lane, width);                        \
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low);                            \
  }
#define VX_SHUFFLE(NAME, KIND, LAST, LANE)                                                         \
  VX_SHUFFLE_32(NAME, KIND, LAST, LANE, int)                                                       \
  VX_SHUFFLE_32(NAME, KIND, LAST, LANE, unsigned)                                                  \
  VX_SHUFFLE_32(NAME, KIND, LAST, LANE, float)                                                     \
  VX_SHUFFLE_64(NAME, LANE, long)                                                                  \
  VX_SHUFFLE_64(NAME, LANE, unsigned long)                                                         \
  VX_SHUFFLE_64(NAME, LANE, long long)                                                             \
  VX_SHUFFLE_64(NAME, LANE, unsigned long long)                                                    \
  VX_SHUFFLE_64(NAME, LANE, double)

VX_SHUFFLE(__shfl, idx, 0x1f, int)
VX_SHUFFLE(__shfl_up, up, 0, unsigned)
VX_SHUFFLE(__shfl_down, down, 0x1f, unsigned)
VX_SHUFFLE(__shfl_xor, bfly, 0x1f, int)

VX_WARP void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
VX_WARP void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
VX_WARP void __barrier_sync_count(unsigned id, unsigned count) {
  __nvvm_barrier_sync_cnt(id, count);
}

VX_WARP int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
VX_WARP int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
VX_WARP int __uni_sync(unsigned mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
VX_WARP unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
VX_WARP unsigned __activemask() { return __nvvm_activemask(); }

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

VX_WARP unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_add(value, mask);
}
VX_WARP int __reduce_add_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_add(value, mask);
}
VX_WARP unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umin(value, mask);
}
VX_WARP int __reduce_min_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_min(value, mask);
}
VX_WARP unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umax(value, mask);
}
VX_WARP int __reduce_max_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_max(value, mask);
}
VX_WARP unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_and(value, mask);
}
VX_WARP unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_or(value, mask);
}
VX_WARP unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_xor(value, mask);
}

#undef VX_WARP
#undef VX_SHUFFLE
#undef VX_SHUFFLE_32
#undef VX_SHUFFLE_64
#undef VX_MATCH
#undef VX_BITS_32
#undef VX_BITS_64

#endif // VX_CUDA_WARP_H
