// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions that clang's headers lack or give as PTX text: address-space queries and
// conversions, funnel shifts, timers.

#ifndef VX_CUDA_DEVICE_H
#define VX_CUDA_DEVICE_H

#define VX_DEVICE static __device__ __forceinline__ __attribute__((__nodebug__))

VX_DEVICE __attribute__((const)) unsigned __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
VX_DEVICE __attribute__((const)) unsigned __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
VX_DEVICE __attribute__((const)) unsigned __isConstant(const void *p) {
  return __nvvm_isspacep_const(p);
}
/// Parameters of kernels are in global memory.
VX_DEVICE __attribute__((const)) unsigned __isGridConstant(const void *p) {
  (void)p;
  return 0;
}
VX_DEVICE __attribute__((const)) unsigned __isLocal(const void *p) {
  return __nvvm_isspacep_local(p);
}

/// A pointer with a hint for the cache, which has none: the pointer.
VX_DEVICE void *__nv_associate_access_property(const void *p, unsigned long long) {
  return (void *)p;
}

VX_DEVICE __SIZE_TYPE__ __cvta_generic_to_shared(const void *p) {
  return (__SIZE_TYPE__)(void __attribute__((address_space(3))) *)p;
}
VX_DEVICE __SIZE_TYPE__ __cvta_generic_to_global(const void *p) {
  return (__SIZE_TYPE__)(void __attribute__((address_space(1))) *)p;
}
VX_DEVICE __SIZE_TYPE__ __cvta_generic_to_constant(const void *p) {
  return (__SIZE_TYPE__)(void __attribute__((address_space(4))) *)p;
}
VX_DEVICE __SIZE_TYPE__ __cvta_generic_to_local(const void *p) {
  return (__SIZE_TYPE__)(void __attribute__((address_space(5))) *)p;
}
VX_DEVICE void *__cvta_shared_to_generic(__SIZE_TYPE__ p) {
  return (void *)(void __attribute__((address_space(3))) *)p;
}
VX_DEVICE void *__cvta_global_to_generic(__SIZE_TYPE__ p) {
  return (void *)(void __attribute__((address_space(1))) *)p;
}
VX_DEVICE void *__cvta_constant_to_generic(__SIZE_TYPE__ p) {
  return (void *)(void __attribute__((address_space(4))) *)p;
}
VX_DEVICE void *__cvta_local_to_generic(__SIZE_TYPE__ p) {
  return (void *)(void __attribute__((address_space(5))) *)p;
}

// The high (l) or low (r) word of high:low shifted; `c` clamps the distance to 32, the others wrap.
VX_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
VX_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
VX_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
VX_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Dot products of four bytes, or of two halves with the low or high two bytes, added to c: of words
// and of the vectors A and B, whose unsigned ones are UA and UB.
#define VX_DOT_PRODUCT(name, A, B, UA, UB)                                                         \
  extern "C" __device__ int __vxm_##name##_ss(unsigned, unsigned, int);                            \
  extern "C" __device__ int __vxm_##name##_uu(unsigned, unsigned, int);                            \
  VX_DEVICE int __##name(int a, int b, int c) { return __vxm_##name##_ss(a, b, c); }               \
  VX_DEVICE unsigned __##name(unsigned a, unsigned b, unsigned c) {                                \
    return __vxm_##name##_uu(a, b, c);                                                             \
  }                                                                                                \
  VX_DEVICE int __##name(A a, B b, int c) {                                                        \
    return __##name(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);                    \
  }                                                                                                \
  VX_DEVICE unsigned __##name(UA a, UB b, unsigned c) {                                            \
    return __##name(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);          \
  }
VX_DOT_PRODUCT(dp4a, char4, char4, uchar4, uchar4)
VX_DOT_PRODUCT(dp2a_lo, short2, char4, ushort2, uchar4)
VX_DOT_PRODUCT(dp2a_hi, short2, char4, ushort2, uchar4)
#undef VX_DOT_PRODUCT

// The names of compute capability 2.0.
VX_DEVICE int syncthreads_count(bool p) { return __syncthreads_count(p); }
VX_DEVICE bool syncthreads_and(bool p) { return __syncthreads_and(p); }
VX_DEVICE bool syncthreads_or(bool p) { return __syncthreads_or(p); }

VX_DEVICE void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }

#undef VX_DEVICE

#endif // VX_CUDA_DEVICE_H
