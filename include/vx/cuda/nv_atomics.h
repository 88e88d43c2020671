// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The __nv_atomic_* functions, which are built into nvcc: with an order and a scope, on objects of
// 1 to 8 bytes. A wider scope than asked for is always right, so there is one.

#ifndef VX_CUDA_NV_ATOMICS_H
#define VX_CUDA_NV_ATOMICS_H

enum {
  __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace vx_detail {
/// The integer that holds an object of SIZE bytes.
template <int Size> struct AtomicWord;
template <> struct AtomicWord<1> {
  using Type = unsigned char;
};
template <> struct AtomicWord<2> {
  using Type = unsigned short;
};
template <> struct AtomicWord<4> {
  using Type = unsigned;
};
template <> struct AtomicWord<8> {
  using Type = unsigned long long;
};
template <class T> using AtomicWordOf = typename AtomicWord<sizeof(T)>::Type;
/// T, which another argument tells.
template <class T> struct SameType {
  using Type = T;
};
template <class T> struct SameType<volatile T> {
  using Type = T;
};
template <class T> struct SameType<const T> : SameType<T> {};
template <class T> struct SameType<const volatile T> {
  using Type = T;
};
template <class T> using SameTypeAs = typename SameType<T>::Type;
} // namespace vx_detail

#define VX_ATOMIC template <class T> static __device__ __forceinline__ __attribute__((__nodebug__))
#define VX_VALUE vx_detail::SameTypeAs<T>
#define VX_WORD vx_detail::AtomicWordOf<T>
#define VX_SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM
#define VX_WORD_AT(p) (volatile VX_WORD *)(p)

VX_ATOMIC VX_VALUE __nv_atomic_load_n(T *p, int order, VX_SCOPE) {
  (void)scope;
  return __builtin_bit_cast(
      VX_VALUE, __scoped_atomic_load_n((volatile const VX_WORD *)p, order, __MEMORY_SCOPE_SYSTEM));
}
VX_ATOMIC void __nv_atomic_load(T *p, VX_VALUE *result, int order, VX_SCOPE) {
  *result = __nv_atomic_load_n(p, order, scope);
}
VX_ATOMIC void __nv_atomic_store_n(T *p, VX_VALUE value, int order, VX_SCOPE) {
  (void)scope;
  __scoped_atomic_store_n(VX_WORD_AT(p), __builtin_bit_cast(VX_WORD, value), order,
                          __MEMORY_SCOPE_SYSTEM);
}
VX_ATOMIC void __nv_atomic_store(T *p, VX_VALUE *value, int order, VX_SCOPE) {
  __nv_atomic_store_n(p, *value, order, scope);
}
VX_ATOMIC VX_VALUE __nv_atomic_exchange_n(T *p, VX_VALUE value, int order, VX_SCOPE) {
  (void)scope;
  return __builtin_bit_cast(VX_VALUE, __scoped_atomic_exchange_n(VX_WORD_AT(p),
                                                                 __builtin_bit_cast(VX_WORD, value),
                                                                 order, __MEMORY_SCOPE_SYSTEM));
}
VX_ATOMIC void __nv_atomic_exchange(T *p, VX_VALUE *value, VX_VALUE *result, int order, VX_SCOPE) {
  *result = __nv_atomic_exchange_n(p, *value, order, scope);
}
VX_ATOMIC bool __nv_atomic_compare_exchange_n(T *p, VX_VALUE *expected, VX_VALUE value, bool weak,
                                              int success, int failure, VX_SCOPE) {
  (void)scope;
  (void)weak;
  VX_WORD was = __builtin_bit_cast(VX_WORD, *expected);
  bool done =
      __scoped_atomic_compare_exchange_n(VX_WORD_AT(p), &was, __builtin_bit_cast(VX_WORD, value),
                                         false, success, failure, __MEMORY_SCOPE_SYSTEM);
  if (!done)
    *expected = __builtin_bit_cast(VX_VALUE, was);
  return done;
}
VX_ATOMIC bool __nv_atomic_compare_exchange(T *p, VX_VALUE *expected, VX_VALUE *value, bool weak,
                                            int success, int failure, VX_SCOPE) {
  return __nv_atomic_compare_exchange_n(p, expected, *value, weak, success, failure, scope);
}

#define VX_ATOMIC_OPERATION(NAME)                                                                  \
  VX_ATOMIC VX_VALUE __nv_atomic_fetch_##NAME(T *p, VX_VALUE value, int order, VX_SCOPE) {         \
    (void)scope;                                                                                   \
    return __scoped_atomic_fetch_##NAME(p, value, order, __MEMORY_SCOPE_SYSTEM);                   \
  }                                                                                                \
  VX_ATOMIC void __nv_atomic_##NAME(T *p, VX_VALUE value, int order, VX_SCOPE) {                   \
    __nv_atomic_fetch_##NAME(p, value, order, scope);                                              \
  }
VX_ATOMIC_OPERATION(add)
VX_ATOMIC_OPERATION(sub)
VX_ATOMIC_OPERATION(and)
VX_ATOMIC_OPERATION(or)
VX_ATOMIC_OPERATION(xor)
VX_ATOMIC_OPERATION(min)
VX_ATOMIC_OPERATION(max)

static __device__ __forceinline__ void __nv_atomic_thread_fence(int order, VX_SCOPE) {
  if (order == __NV_ATOMIC_RELAXED)
    return;
  if (scope == __NV_THREAD_SCOPE_BLOCK || scope == __NV_THREAD_SCOPE_THREAD)
    __threadfence_block();
  else if (scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else
    __threadfence();
}

#undef VX_ATOMIC
#undef VX_VALUE
#undef VX_WORD
#undef VX_SCOPE
#undef VX_WORD_AT
#undef VX_ATOMIC_OPERATION

#endif // VX_CUDA_NV_ATOMICS_H
