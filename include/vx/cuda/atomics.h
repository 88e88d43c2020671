// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's atomic functions as clang's scoped atomics: relaxed, at device scope; the _block and
// _system variants differ in scope only. They become LLVM's atomicrmw and cmpxchg.

#ifndef VX_CUDA_ATOMICS_H
#define VX_CUDA_ATOMICS_H

#define VX_ATOMIC static __device__ __forceinline__ __attribute__((__nodebug__))

// One two-operand function at one scope.
#define VX_ATOMIC_RMW_AT(NAME, BUILTIN, T, SCOPE)                                                  \
  VX_ATOMIC T NAME(T *address, T value) { return BUILTIN(address, value, __ATOMIC_RELAXED, SCOPE); }
#define VX_ATOMIC_RMW(NAME, BUILTIN, T)                                                            \
  VX_ATOMIC_RMW_AT(NAME, BUILTIN, T, __MEMORY_SCOPE_DEVICE)                                        \
  VX_ATOMIC_RMW_AT(NAME##_block, BUILTIN, T, __MEMORY_SCOPE_WRKGRP)                                \
  VX_ATOMIC_RMW_AT(NAME##_system, BUILTIN, T, __MEMORY_SCOPE_SYSTEM)

#define VX_ATOMIC_RMW_INTEGERS(NAME, BUILTIN)                                                      \
  VX_ATOMIC_RMW(NAME, BUILTIN, int)                                                                \
  VX_ATOMIC_RMW(NAME, BUILTIN, unsigned)                                                           \
  VX_ATOMIC_RMW(NAME, BUILTIN, long long)                                                          \
  VX_ATOMIC_RMW(NAME, BUILTIN, unsigned long long)

VX_ATOMIC_RMW(atomicAdd, __scoped_atomic_fetch_add, int)
VX_ATOMIC_RMW(atomicAdd, __scoped_atomic_fetch_add, unsigned)
VX_ATOMIC_RMW(atomicAdd, __scoped_atomic_fetch_add, unsigned long long)
VX_ATOMIC_RMW(atomicAdd, __scoped_atomic_fetch_add, float)
VX_ATOMIC_RMW(atomicAdd, __scoped_atomic_fetch_add, double)
VX_ATOMIC_RMW(atomicSub, __scoped_atomic_fetch_sub, int)
VX_ATOMIC_RMW(atomicSub, __scoped_atomic_fetch_sub, unsigned)
VX_ATOMIC_RMW_INTEGERS(atomicMin, __scoped_atomic_fetch_min)
VX_ATOMIC_RMW_INTEGERS(atomicMax, __scoped_atomic_fetch_max)
VX_ATOMIC_RMW_INTEGERS(atomicAnd, __scoped_atomic_fetch_and)
VX_ATOMIC_RMW_INTEGERS(atomicOr, __scoped_atomic_fetch_or)
VX_ATOMIC_RMW_INTEGERS(atomicXor, __scoped_atomic_fetch_xor)
VX_ATOMIC_RMW(atomicExch, __scoped_atomic_exchange_n, int)
VX_ATOMIC_RMW(atomicExch, __scoped_atomic_exchange_n, unsigned)
VX_ATOMIC_RMW(atomicExch, __scoped_atomic_exchange_n, unsigned long long)
// ((old >= value) ? 0 : old + 1) and ((old == 0 || old > value) ? value : old - 1)
VX_ATOMIC unsigned atomicInc(unsigned *address, unsigned value) {
  return __nvvm_atom_inc_gen_ui(address, value);
}
VX_ATOMIC unsigned atomicDec(unsigned *address, unsigned value) {
  return __nvvm_atom_dec_gen_ui(address, value);
}
// A wider scope than asked for is always right. vx-insert-sync-hints knows functions of the block's
// scope by their names, so these have their instruction themselves.
VX_ATOMIC unsigned atomicInc_block(unsigned *address, unsigned value) {
  return __nvvm_atom_inc_gen_ui(address, value);
}
VX_ATOMIC unsigned atomicInc_system(unsigned *p, unsigned value) { return atomicInc(p, value); }
VX_ATOMIC unsigned atomicDec_block(unsigned *address, unsigned value) {
  return __nvvm_atom_dec_gen_ui(address, value);
}
VX_ATOMIC unsigned atomicDec_system(unsigned *p, unsigned value) { return atomicDec(p, value); }

// The generic exchange takes floating point through memory.
#define VX_ATOMIC_EXCH_AT(NAME, T, SCOPE)                                                          \
  VX_ATOMIC T NAME(T *address, T value) {                                                          \
    T old;                                                                                         \
    __scoped_atomic_exchange(address, &value, &old, __ATOMIC_RELAXED, SCOPE);                      \
    return old;                                                                                    \
  }
VX_ATOMIC_EXCH_AT(atomicExch, float, __MEMORY_SCOPE_DEVICE)
VX_ATOMIC_EXCH_AT(atomicExch_block, float, __MEMORY_SCOPE_WRKGRP)
VX_ATOMIC_EXCH_AT(atomicExch_system, float, __MEMORY_SCOPE_SYSTEM)

#define VX_ATOMIC_CAS_AT(NAME, T, SCOPE)                                                           \
  VX_ATOMIC T NAME(T *address, T compare, T value) {                                               \
    __scoped_atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,          \
                                       __ATOMIC_RELAXED, SCOPE);                                   \
    return compare;                                                                                \
  }
#define VX_ATOMIC_CAS(T)                                                                           \
  VX_ATOMIC_CAS_AT(atomicCAS, T, __MEMORY_SCOPE_DEVICE)                                            \
  VX_ATOMIC_CAS_AT(atomicCAS_block, T, __MEMORY_SCOPE_WRKGRP)                                      \
  VX_ATOMIC_CAS_AT(atomicCAS_system, T, __MEMORY_SCOPE_SYSTEM)
VX_ATOMIC_CAS(int)
VX_ATOMIC_CAS(unsigned)
VX_ATOMIC_CAS(unsigned long long)
VX_ATOMIC_CAS(unsigned short)

#undef VX_ATOMIC
#undef VX_ATOMIC_RMW
#undef VX_ATOMIC_RMW_AT
#undef VX_ATOMIC_RMW_INTEGERS
#undef VX_ATOMIC_EXCH_AT
#undef VX_ATOMIC_CAS
#undef VX_ATOMIC_CAS_AT

#endif // VX_CUDA_ATOMICS_H
