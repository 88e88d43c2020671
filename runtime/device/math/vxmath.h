// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the sources of the device math library (vxmath.bc). They are freestanding C, compiled
// to bitcode for the device and, for the accuracy tests, for the host. Functions called by CUDA's
// headers are named __nv_*; __vxm_* are called by passes/import only.
//
// Style of this folder: branches are cheap only if all threads of a warp take the same one, so
// short alternatives are written as selects, and no errno or exception flag is kept.

#ifndef VX_DEVICE_MATH_VXMATH_H
#define VX_DEVICE_MATH_VXMATH_H

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;

#define VX_INLINE static inline __attribute__((always_inline))

#define NAN_F __builtin_nanf("")
#define NAN_D __builtin_nan("")
#define INF_F __builtin_inff()
#define INF_D __builtin_inf()

VX_INLINE u32 bitsOfF(float x) {
  return __builtin_bit_cast(u32, x);
}
VX_INLINE float floatOf(u32 x) {
  return __builtin_bit_cast(float, x);
}
VX_INLINE u64 bitsOfD(double x) {
  return __builtin_bit_cast(u64, x);
}
VX_INLINE double doubleOf(u64 x) {
  return __builtin_bit_cast(double, x);
}

VX_INLINE float fmaF(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
VX_INLINE double fmaD(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
VX_INLINE double absD(double x) {
  return __builtin_fabs(x);
}
VX_INLINE float absF(float x) {
  return __builtin_fabsf(x);
}

/// An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2.
typedef struct {
  double hi, lo;
} Pair;

/// x + y, exactly.
VX_INLINE Pair twoSum(double x, double y) {
  double s = x + y, t = s - x;
  return (Pair){s, (x - (s - t)) + (y - t)};
}

/// x * y, exactly (barring underflow).
VX_INLINE Pair twoProduct(double x, double y) {
  double p = x * y;
  return (Pair){p, fmaD(x, y, -p)};
}

/// p * y, to about 100 bits.
VX_INLINE Pair mulPair(Pair p, double y) {
  Pair r = twoProduct(p.hi, y);
  r.lo = fmaD(p.lo, y, r.lo);
  return r;
}

/// Horner's rule; COEFFICIENTS from the highest power down.
VX_INLINE double polynomial(double x, const double *coefficients, int n) {
  double r = coefficients[0];
  for (int i = 1; i < n; ++i)
    r = fmaD(r, x, coefficients[i]);
  return r;
}
#define POLYNOMIAL(x, table) polynomial(x, table, sizeof(table) / sizeof(table[0]))

/// Horner's rule for the coefficients 1/13, 1/11, …, 1/3 of atanh(s) / s = 1 + s^2/3 + s^4/5 + …,
/// S2 being s^2; P: the value of those above.
VX_INLINE double atanhFrom13(double p, double s2) {
  p = fmaD(p, s2, 1.0 / 13);
  p = fmaD(p, s2, 1.0 / 11);
  p = fmaD(p, s2, 1.0 / 9);
  p = fmaD(p, s2, 1.0 / 7);
  p = fmaD(p, s2, 1.0 / 5);
  return fmaD(p, s2, 1.0 / 3);
}

double __nv_exp(double), __nv_log(double), __nv_pow(double, double), __nv_log1p(double);
double __nv_sin(double), __nv_cos(double), __nv_sinpi(double), __nv_erfc(double);
double __nv_erf(double), __nv_erfcx(double), __nv_erfcinv(double), __nv_sqrt(double);
void __nv_sincos(double, double *, double *);

#endif // VX_DEVICE_MATH_VXMATH_H
