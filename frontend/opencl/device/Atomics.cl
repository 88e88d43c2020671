// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic functions of OpenCL C 2.0 and later (OpenCL C 3.0, 6.15.12), for pointers to global, local
// and generic memory; those of OpenCL C 1.2 on 64-bit integers, too. libclc has the rest.

#include "frontend/opencl/device/Device.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define VX_ORDER memory_order_seq_cst
#define VX_SCOPE memory_scope_device

// A, the atomic type; T, its value; in address space AS.
#define VX_BASICS(AS, A, T)                                                                        \
  VX_INLINE void atomic_init(volatile AS A *p, T v) {                                              \
    __opencl_atomic_init(p, v);                                                                    \
  }                                                                                                \
  VX_INLINE T atomic_load(volatile AS A *p) {                                                      \
    return __opencl_atomic_load(p, VX_ORDER, VX_SCOPE);                                            \
  }                                                                                                \
  VX_INLINE T atomic_load_explicit(volatile AS A *p, memory_order o) {                             \
    return __opencl_atomic_load(p, o, VX_SCOPE);                                                   \
  }                                                                                                \
  VX_INLINE T atomic_load_explicit(volatile AS A *p, memory_order o, memory_scope s) {             \
    return __opencl_atomic_load(p, o, s);                                                          \
  }                                                                                                \
  VX_INLINE void atomic_store(volatile AS A *p, T v) {                                             \
    __opencl_atomic_store(p, v, VX_ORDER, VX_SCOPE);                                               \
  }                                                                                                \
  VX_INLINE void atomic_store_explicit(volatile AS A *p, T v, memory_order o) {                    \
    __opencl_atomic_store(p, v, o, VX_SCOPE);                                                      \
  }                                                                                                \
  VX_INLINE void atomic_store_explicit(volatile AS A *p, T v, memory_order o, memory_scope s) {    \
    __opencl_atomic_store(p, v, o, s);                                                             \
  }                                                                                                \
  VX_FETCH(AS, A, T, T, atomic_exchange, __opencl_atomic_exchange)                                 \
  VX_COMPARE(AS, A, T, strong, __global)                                                           \
  VX_COMPARE(AS, A, T, strong, __local)                                                            \
  VX_COMPARE(AS, A, T, strong, __private)                                                          \
  VX_COMPARE(AS, A, T, weak, __global)                                                             \
  VX_COMPARE(AS, A, T, weak, __local)                                                              \
  VX_COMPARE(AS, A, T, weak, __private)

// NAME(p, v) and its explicit forms, by builtin BY.
#define VX_FETCH(AS, A, T, V, NAME, BY)                                                            \
  VX_INLINE T NAME(volatile AS A *p, V v) {                                                        \
    return BY(p, v, VX_ORDER, VX_SCOPE);                                                           \
  }                                                                                                \
  VX_INLINE T NAME##_explicit(volatile AS A *p, V v, memory_order o) {                             \
    return BY(p, v, o, VX_SCOPE);                                                                  \
  }                                                                                                \
  VX_INLINE T NAME##_explicit(volatile AS A *p, V v, memory_order o, memory_scope s) {             \
    return BY(p, v, o, s);                                                                         \
  }

#define VX_COMPARE(AS, A, T, KIND, ES)                                                             \
  VX_INLINE bool atomic_compare_exchange_##KIND(volatile AS A *p, ES T *e, T v) {                  \
    return __opencl_atomic_compare_exchange_##KIND(p, e, v, VX_ORDER, VX_ORDER, VX_SCOPE);         \
  }                                                                                                \
  VX_INLINE bool atomic_compare_exchange_##KIND##_explicit(volatile AS A *p, ES T *e, T v,         \
                                                           memory_order a, memory_order b) {       \
    return __opencl_atomic_compare_exchange_##KIND(p, e, v, VX_ORDER, VX_ORDER, VX_SCOPE);         \
  }                                                                                                \
  VX_INLINE bool atomic_compare_exchange_##KIND##_explicit(                                        \
      volatile AS A *p, ES T *e, T v, memory_order a, memory_order b, memory_scope s) {            \
    return __opencl_atomic_compare_exchange_##KIND(p, e, v, VX_ORDER, VX_ORDER, s);                \
  }

#define VX_ARITHMETIC(AS, A, T, V)                                                                 \
  VX_FETCH(AS, A, T, V, atomic_fetch_add, __opencl_atomic_fetch_add)                               \
  VX_FETCH(AS, A, T, V, atomic_fetch_sub, __opencl_atomic_fetch_sub)
#define VX_BITWISE(AS, A, T, V)                                                                    \
  VX_FETCH(AS, A, T, V, atomic_fetch_or, __opencl_atomic_fetch_or)                                 \
  VX_FETCH(AS, A, T, V, atomic_fetch_xor, __opencl_atomic_fetch_xor)                               \
  VX_FETCH(AS, A, T, V, atomic_fetch_and, __opencl_atomic_fetch_and)                               \
  VX_FETCH(AS, A, T, V, atomic_fetch_min, __opencl_atomic_fetch_min)                               \
  VX_FETCH(AS, A, T, V, atomic_fetch_max, __opencl_atomic_fetch_max)

#define VX_FLAGS(AS)                                                                               \
  VX_INLINE bool atomic_flag_test_and_set(volatile AS atomic_flag *p) {                            \
    return __opencl_atomic_exchange(p, 1, VX_ORDER, VX_SCOPE);                                     \
  }                                                                                                \
  VX_INLINE bool atomic_flag_test_and_set_explicit(volatile AS atomic_flag *p, memory_order o) {   \
    return __opencl_atomic_exchange(p, 1, o, VX_SCOPE);                                            \
  }                                                                                                \
  VX_INLINE bool atomic_flag_test_and_set_explicit(volatile AS atomic_flag *p, memory_order o,     \
                                                   memory_scope s) {                               \
    return __opencl_atomic_exchange(p, 1, o, s);                                                   \
  }                                                                                                \
  VX_INLINE void atomic_flag_clear(volatile AS atomic_flag *p) {                                   \
    __opencl_atomic_store(p, 0, VX_ORDER, VX_SCOPE);                                               \
  }                                                                                                \
  VX_INLINE void atomic_flag_clear_explicit(volatile AS atomic_flag *p, memory_order o) {          \
    __opencl_atomic_store(p, 0, o, VX_SCOPE);                                                      \
  }                                                                                                \
  VX_INLINE void atomic_flag_clear_explicit(volatile AS atomic_flag *p, memory_order o,            \
                                            memory_scope s) {                                      \
    __opencl_atomic_store(p, 0, o, s);                                                             \
  }

#define VX_INTEGERS(AS, A, T)                                                                      \
  VX_BASICS(AS, A, T)                                                                              \
  VX_ARITHMETIC(AS, A, T, T)                                                                       \
  VX_BITWISE(AS, A, T, T)
// On 64 bits the types of pointers are those of long; their operands may have the other sign.
#define VX_ALL(AS)                                                                                 \
  VX_INTEGERS(AS, atomic_int, int)                                                                 \
  VX_INTEGERS(AS, atomic_uint, uint)                                                               \
  VX_INTEGERS(AS, atomic_long, long)                                                               \
  VX_INTEGERS(AS, atomic_ulong, ulong)                                                             \
  VX_ARITHMETIC(AS, atomic_ulong, ulong, long)                                                     \
  VX_BITWISE(AS, atomic_ulong, ulong, long)                                                        \
  VX_BITWISE(AS, atomic_long, long, ulong)                                                         \
  VX_BASICS(AS, atomic_float, float)                                                               \
  VX_BASICS(AS, atomic_double, double)                                                             \
  VX_FLAGS(AS)
VX_ALL(__global)
VX_ALL(__local)
VX_ALL(__generic)

// These are the functions of OpenCL C 1.2 on 64 bits.
#define VX_LONG(AS, T)                                                                             \
  VX_INLINE T atom_add(volatile AS T *p, T v) {                                                    \
    return __opencl_atomic_fetch_add((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);     \
  }                                                                                                \
  VX_INLINE T atom_sub(volatile AS T *p, T v) {                                                    \
    return __opencl_atomic_fetch_sub((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);     \
  }                                                                                                \
  VX_INLINE T atom_xchg(volatile AS T *p, T v) {                                                   \
    return __opencl_atomic_exchange((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);      \
  }                                                                                                \
  VX_INLINE T atom_inc(volatile AS T *p) {                                                         \
    return atom_add(p, (T)1);                                                                      \
  }                                                                                                \
  VX_INLINE T atom_dec(volatile AS T *p) {                                                         \
    return atom_sub(p, (T)1);                                                                      \
  }                                                                                                \
  VX_INLINE T atom_cmpxchg(volatile AS T *p, T e, T v) {                                           \
    __opencl_atomic_compare_exchange_strong((volatile AS VX_ATOMIC_##T *)p, &e, v, VX_RELAXED,     \
                                            VX_RELAXED, VX_SCOPE);                                 \
    return e;                                                                                      \
  }                                                                                                \
  VX_INLINE T atom_min(volatile AS T *p, T v) {                                                    \
    return __opencl_atomic_fetch_min((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);     \
  }                                                                                                \
  VX_INLINE T atom_max(volatile AS T *p, T v) {                                                    \
    return __opencl_atomic_fetch_max((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);     \
  }                                                                                                \
  VX_INLINE T atom_and(volatile AS T *p, T v) {                                                    \
    return __opencl_atomic_fetch_and((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);     \
  }                                                                                                \
  VX_INLINE T atom_or(volatile AS T *p, T v) {                                                     \
    return __opencl_atomic_fetch_or((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);      \
  }                                                                                                \
  VX_INLINE T atom_xor(volatile AS T *p, T v) {                                                    \
    return __opencl_atomic_fetch_xor((volatile AS VX_ATOMIC_##T *)p, v, VX_RELAXED, VX_SCOPE);     \
  }
#define VX_RELAXED memory_order_relaxed
#define VX_ATOMIC_long atomic_long
#define VX_ATOMIC_ulong atomic_ulong
VX_LONG(__global, long)
VX_LONG(__global, ulong)
VX_LONG(__local, long)
VX_LONG(__local, ulong)
