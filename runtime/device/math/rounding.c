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

#define ASM1(TYPE, INSN, MODE, X)                                                                  \
  TYPE r;                                                                                          \
  __asm__(INSN " %0, %1, " MODE : "=f"(r) : "f"(X));                                               \
  return r;
#define ASM2(TYPE, INSN, MODE, X, Y)                                                               \
  TYPE r;                                                                                          \
  __asm__(INSN " %0, %1, %2, " MODE : "=f"(r) : "f"(X), "f"(Y));                                   \
  return r;
#define ASM3(TYPE, INSN, MODE, X, Y, Z)                                                            \
  TYPE r;                                                                                          \
  __asm__(INSN " %0, %1, %2, %3, " MODE : "=f"(r) : "f"(X), "f"(Y), "f"(Z));                       \
  return r;

/// MODE is the suffix in CUDA's names, RM the rounding mode of the instruction.
#define ROUNDED(TYPE, P, S, MODE, RM)                                                              \
  TYPE __nv_##P##add_##MODE(TYPE x, TYPE y){                                                       \
      ASM2(TYPE, "fadd." S, RM, x, y)} TYPE __nv_##P##sub_##MODE(TYPE x, TYPE y){                  \
      ASM2(TYPE, "fsub." S, RM, x, y)} TYPE __nv_##P##mul_##MODE(TYPE x, TYPE y){                  \
      ASM2(TYPE, "fmul." S, RM, x, y)} TYPE __nv_##P##div_##MODE(TYPE x, TYPE y){                  \
      ASM2(TYPE, "fdiv." S, RM, x, y)} TYPE __nv_##P##rcp_##MODE(TYPE x) {                         \
    TYPE one = 1;                                                                                  \
    ASM2(TYPE, "fdiv." S, RM, one, x)                                                              \
  }                                                                                                \
  TYPE __nv_##P##sqrt_##MODE(TYPE x) {                                                             \
    ASM1(TYPE, "fsqrt." S, RM, x)                                                                  \
  }
#define ROUNDED_BOTH(MODE, RM)                                                                     \
  ROUNDED(float, f, "s", MODE, RM)                                                                 \
  ROUNDED(double, d, "d", MODE, RM)                                                                \
  float __nv_fmaf_##MODE(float x, float y, float z) {                                              \
    ASM3(float, "fmadd.s", RM, x, y, z)                                                            \
  }                                                                                                \
  float __nv_fmaf_ieee_##MODE(float x, float y, float z) {                                         \
    ASM3(float, "fmadd.s", RM, x, y, z)                                                            \
  }                                                                                                \
  double __nv_fma_##MODE(double x, double y, double z) {                                           \
    ASM3(double, "fmadd.d", RM, x, y, z)                                                           \
  }
ROUNDED_BOTH(rz, "rtz")
ROUNDED_BOTH(rd, "rdn")
ROUNDED_BOTH(ru, "rup")

#endif
