// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intrinsics __sinf, __expf, __logf, __powf …: short, without branches, as accurate as CUDA
// documents them (absolute error 2^-21.4 for sine and cosine in [-pi, pi], relative error 2^-22
// or so for the others near 1). The polynomials are Chebyshev fits on the reduced range.

#include "vxmath.h"

/// 2^x for |x| <= 0.5.
VX_INLINE float exp2Fraction(float f) {
  float r = 1.5403530e-4f;
  r = fmaF(r, f, 1.3333558e-3f);
  r = fmaF(r, f, 9.6181291e-3f);
  r = fmaF(r, f, 5.5504109e-2f);
  r = fmaF(r, f, 2.4022651e-1f);
  r = fmaF(r, f, 6.9314718e-1f);
  return fmaF(r, f, 1.0f);
}

/// 2^n by two exact factors, so that subnormal results are reached by one rounding.
VX_INLINE float scaleByPower(float x, int n) {
  int half = n >> 1;
  return x * floatOf((u32)(127 + half) << 23) * floatOf((u32)(127 + n - half) << 23);
}

VX_INLINE float fastExp2(float x) {
  float limited = __builtin_fminf(__builtin_fmaxf(x, -160.0f), 130.0f);
  float whole = __builtin_rintf(limited);
  float r = scaleByPower(exp2Fraction(limited - whole), (int)whole);
  return x != x ? x : r;
}

/// log2 of a positive x: exponent plus an odd polynomial in (m - 1) / (m + 1), m in [0.70, 1.41].
VX_INLINE float fastLog2(float x) {
  int subnormal = x < 0x1p-126f;
  float y = subnormal ? x * 0x1p24f : x;
  u32 offset = bitsOfF(y) - 0x3f3504f3u; // sqrt(1/2)
  int exponent = (int)offset >> 23;
  float m = floatOf((offset & 0x7fffff) + 0x3f3504f3u);
  float s = (m - 1) / (m + 1), s2 = s * s;
  float p = 0.45f;
  p = fmaF(p, s2, 0.57684516f);
  p = fmaF(p, s2, 0.96179670f);
  p = fmaF(p, s2, 2.8853901f);
  float r = fmaF(p, s, (float)(exponent - (subnormal ? 24 : 0)));
  r = x == INF_F ? x : r;
  return x > 0 ? r : x == 0 ? -INF_F : NAN_F;
}

/// x - n pi/2 for the nearest n, in three steps; good for |x| up to some 10^5.
VX_INLINE float reduceQuarter(float x, int *quadrant) {
  float n = __builtin_rintf(x * 0.63661977f);
  float r = fmaF(n, -1.5707963f, x);
  r = fmaF(n, 4.3711388e-8f, r);
  r = fmaF(n, 1.7151245e-15f, r);
  *quadrant = (int)__builtin_fminf(__builtin_fmaxf(n, -1e9f), 1e9f);
  return r;
}
VX_INLINE float sinQuarter(float r) {
  float s = r * r;
  float p = fmaF(2.7183114e-6f, s, -1.9839334e-4f);
  p = fmaF(p, s, 8.3333293e-3f);
  p = fmaF(p, s, -1.6666666e-1f);
  return fmaF(p * s, r, r);
}
VX_INLINE float cosQuarter(float r) {
  float s = r * r;
  float p = fmaF(2.4433157e-5f, s, -1.3887316e-3f);
  p = fmaF(p, s, 4.1666646e-2f);
  p = fmaF(p, s, -0.5f);
  return fmaF(p, s, 1.0f);
}
/// The sine of x + SHIFT quarters of a turn.
VX_INLINE float fastSine(float x, int shift) {
  int quadrant;
  float r = reduceQuarter(x, &quadrant);
  quadrant += shift;
  float v = quadrant & 1 ? cosQuarter(r) : sinQuarter(r);
  v = quadrant & 2 ? -v : v;
  return absF(x) < INF_F ? v : NAN_F;
}

float __nv_fast_sinf(float x) {
  return fastSine(x, 0);
}
float __nv_fast_cosf(float x) {
  return fastSine(x, 1);
}
void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = fastSine(x, 0);
  *c = fastSine(x, 1);
}
float __nv_fast_tanf(float x) {
  return fastSine(x, 0) / fastSine(x, 1);
}
float __nv_fast_expf(float x) {
  return fastExp2(x * 1.4426950f);
}
float __nv_fast_exp10f(float x) {
  return fastExp2(x * 3.3219281f);
}
float __nv_fast_log2f(float x) {
  return fastLog2(x);
}
float __nv_fast_logf(float x) {
  return fastLog2(x) * 0.69314718f;
}
float __nv_fast_log10f(float x) {
  return fastLog2(x) * 0.30103000f;
}
float __nv_fast_powf(float x, float y) {
  return fastExp2(y * fastLog2(x));
}
