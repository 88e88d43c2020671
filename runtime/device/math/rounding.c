// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with the rounding mode in the name: __fadd_rz and its kin. RISC-V instructions carry
// the mode, so each is one instruction, exact. Device only.

#include "vxmath.h"

#define RN(TYPE, P)                                                                                \
  TYPE __nv_##P##add_rn(TYPE x, TYPE y) {                                                          \
    return x + y;                                                                                  \
  }                                                                                                \
  TYPE __nv_##P##sub_rn(TYPE x, TYPE y) {                                                          \
    return x - y;                                                                                  \
  }                                                                                                \
  TYPE __nv_##P##mul_rn(TYPE x, TYPE y) {                                                          \
    return x * y;                                                                                  \
  }                                                                                                \
  TYPE __nv_##P##div_rn(TYPE x, TYPE y) {                                                          \
    return x / y;                                                                                  \
  }                                                                                                \
  TYPE __nv_##P##rcp_rn(TYPE x) {                                                                  \
    return 1 / x;                                                                                  \
  }
RN(float, f)
RN(double, d)
float __nv_fsqrt_rn(float x) {
  return __builtin_sqrtf(x);
}
double __nv_dsqrt_rn(double x) {
  return __builtin_sqrt(x);
}
float __nv_fmaf_rn(float x, float y, float z) {
  return fmaF(x, y, z);
}
float __nv_fmaf_ieee_rn(float x, float y, float z) {
  return fmaF(x, y, z);
}
double __nv_fma_rn(double x, double y, double z) {
  return fmaD(x, y, z);
}

float __nv_fast_fdividef(float x, float y) {
  return x / y;
}

#ifdef __riscv

// Contract functions (lib/VortexIR/VxFunctions.def): an instruction each.
#define ROUNDED(TYPE, P, S, FMA, MODE)                                                             \
  __attribute__((const)) TYPE __vx_fadd_##S##_##MODE(TYPE, TYPE);                                  \
  __attribute__((const)) TYPE __vx_fsub_##S##_##MODE(TYPE, TYPE);                                  \
  __attribute__((const)) TYPE __vx_fmul_##S##_##MODE(TYPE, TYPE);                                  \
  __attribute__((const)) TYPE __vx_fdiv_##S##_##MODE(TYPE, TYPE);                                  \
  __attribute__((const)) TYPE __vx_fsqrt_##S##_##MODE(TYPE);                                       \
  __attribute__((const)) TYPE __vx_fma_##S##_##MODE(TYPE, TYPE, TYPE);                             \
  TYPE __nv_##P##add_##MODE(TYPE x, TYPE y) {                                                      \
    return __vx_fadd_##S##_##MODE(x, y);                                                           \
  }                                                                                                \
  TYPE __nv_##P##sub_##MODE(TYPE x, TYPE y) {                                                      \
    return __vx_fsub_##S##_##MODE(x, y);                                                           \
  }                                                                                                \
  TYPE __nv_##P##mul_##MODE(TYPE x, TYPE y) {                                                      \
    return __vx_fmul_##S##_##MODE(x, y);                                                           \
  }                                                                                                \
  TYPE __nv_##P##div_##MODE(TYPE x, TYPE y) {                                                      \
    return __vx_fdiv_##S##_##MODE(x, y);                                                           \
  }                                                                                                \
  TYPE __nv_##P##rcp_##MODE(TYPE x) {                                                              \
    return __vx_fdiv_##S##_##MODE(1, x);                                                           \
  }                                                                                                \
  TYPE __nv_##P##sqrt_##MODE(TYPE x) {                                                             \
    return __vx_fsqrt_##S##_##MODE(x);                                                             \
  }                                                                                                \
  TYPE __nv_##FMA##_##MODE(TYPE x, TYPE y, TYPE z) {                                               \
    return __vx_fma_##S##_##MODE(x, y, z);                                                         \
  }
#define ROUNDED_BOTH(MODE)                                                                         \
  ROUNDED(float, f, f32, fmaf, MODE)                                                               \
  ROUNDED(double, d, f64, fma, MODE)                                                               \
  float __nv_fmaf_ieee_##MODE(float x, float y, float z) {                                         \
    return __vx_fma_f32_##MODE(x, y, z);                                                           \
  }
ROUNDED_BOTH(rz)
ROUNDED_BOTH(rd)
ROUNDED_BOTH(ru)

#endif
