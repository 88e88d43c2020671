// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to guest memory that threads of this process may access at the same time (shared pages):
// aligned ones are in one piece, read-modify-write is atomic. Where no other thread accesses the
// memory they cost what plain accesses do, or hardly more.

#ifndef VX_SIMULATOR_FUNC_HOSTATOMICS_H
#define VX_SIMULATOR_FUNC_HOSTATOMICS_H

#include <cstdint>

namespace vx::sim {

/// Guest memory seen as a T, whatever type the program gives it.
template <typename T> struct GuestWord {
  using Type __attribute__((may_alias)) = T;
};

template <typename T> T atomicLoad(const uint8_t *aligned) {
  return __atomic_load_n(reinterpret_cast<const typename GuestWord<T>::Type *>(aligned),
                         __ATOMIC_RELAXED);
}

template <typename T> void atomicStore(uint8_t *aligned, T value) {
  __atomic_store_n(reinterpret_cast<typename GuestWord<T>::Type *>(aligned), value,
                   __ATOMIC_RELAXED);
}

/// Stores VALUE if the memory holds EXPECTED; else EXPECTED becomes what it holds.
template <typename T> bool atomicExchange(uint8_t *aligned, T &expected, T value) {
  return __atomic_compare_exchange_n(reinterpret_cast<typename GuestWord<T>::Type *>(aligned),
                                     &expected, value, /*weak=*/false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_HOSTATOMICS_H
