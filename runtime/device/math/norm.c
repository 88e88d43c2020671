// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Euclidean norms and their reciprocals, and the reciprocal square root. The float functions work
// in double, where squares neither overflow nor lose bits; the double functions scale by a power of
// two and keep the sum of squares as a Pair, so the result is rounded nearly once.

#include "vxmath.h"

/// Two roundings, 1.5 units at most: the commonest of these functions is worth two instructions.
float __nv_rsqrtf(float x) {
  return 1.0f / __builtin_sqrtf(x);
}
float __nv_frsqrt_rn(float x) {
  return (float)(1.0 / __builtin_sqrt((double)x));
}

/// y (1 + r/2) with r = 1 - y^2 x, the residual of y = 1 / sqrt(x).
VX_INLINE double refineRsqrt(double y, Pair x) {
  Pair square = twoProduct(y, y);
  double r = fmaD(-square.hi, x.hi, 1.0);
  r = fmaD(-square.lo, x.hi, fmaD(-square.hi, x.lo, r));
  return fmaD(y * 0.5, r, y);
}

double __nv_rsqrt(double x) {
  double y = 1.0 / __builtin_sqrt(x);
  double better = refineRsqrt(y, (Pair){x, 0.0});
  return x > 0x1p-960 && x < 0x1p960 ? better : y;
}

VX_INLINE float normOf(double sum, int anyInfinite) {
  return anyInfinite ? INF_F : (float)__builtin_sqrt(sum);
}
VX_INLINE float rnormOf(double sum, int anyInfinite) {
  return anyInfinite ? 0.0f : (float)(1.0 / __builtin_sqrt(sum));
}
VX_INLINE double sumF(const float *v, int n, int *anyInfinite) {
  double sum = 0;
  *anyInfinite = 0;
  for (int i = 0; i < n; ++i) {
    sum = fmaD(v[i], v[i], sum);
    *anyInfinite |= absF(v[i]) == INF_F;
  }
  return sum;
}

#define FLOAT_NORMS(HYPOT, RHYPOT, PARAMS, N, ...)                                                 \
  float HYPOT PARAMS {                                                                             \
    float v[N] = {__VA_ARGS__};                                                                    \
    int infinite;                                                                                  \
    double sum = sumF(v, N, &infinite);                                                            \
    return normOf(sum, infinite);                                                                  \
  }                                                                                                \
  float RHYPOT PARAMS {                                                                            \
    float v[N] = {__VA_ARGS__};                                                                    \
    int infinite;                                                                                  \
    double sum = sumF(v, N, &infinite);                                                            \
    return rnormOf(sum, infinite);                                                                 \
  }
FLOAT_NORMS(__nv_hypotf, __nv_rhypotf, (float a, float b), 2, a, b)
FLOAT_NORMS(__nv_norm3df, __nv_rnorm3df, (float a, float b, float c), 3, a, b, c)
FLOAT_NORMS(__nv_norm4df, __nv_rnorm4df, (float a, float b, float c, float d), 4, a, b, c, d)

float __nv_normf(int n, const float *v) {
  int infinite;
  double sum = sumF(v, n, &infinite);
  return normOf(sum, infinite);
}
float __nv_rnormf(int n, const float *v) {
  int infinite;
  double sum = sumF(v, n, &infinite);
  return rnormOf(sum, infinite);
}

/// The sum of squares of the elements times SCALE^-2. SCALE is a power of two near the largest one.
typedef struct {
  Pair sum;
  double scale;
  double largest;
} Squares;

VX_INLINE Squares squares(const double *v, int n) {
  Squares s = {{0, 0}, 1, 0};
  double nan = 0;
  for (int i = 0; i < n; ++i) {
    s.largest = __builtin_fmax(s.largest, absD(v[i]));
    nan += v[i] * 0.0; // NaN for NaN (and for infinity, which is handled first)
  }
  u64 exponent = bitsOfD(s.largest) >> 52;
  exponent = exponent < 2 ? 2 : exponent > 2044 ? 2044 : exponent;
  s.scale = doubleOf(exponent << 52);
  double inverse = doubleOf((u64)(2046 - exponent) << 52);
  for (int i = 0; i < n; ++i) {
    double x = v[i] * inverse;
    Pair p = twoProduct(x, x);
    Pair q = twoSum(s.sum.hi, p.hi);
    s.sum = (Pair){q.hi, s.sum.lo + (q.lo + p.lo)};
  }
  s.sum.hi += nan;
  return s;
}

VX_INLINE double normD(const double *v, int n) {
  Squares s = squares(v, n);
  double r = __builtin_sqrt(s.sum.hi);
  double residual = fmaD(-r, r, s.sum.hi) + s.sum.lo;
  double better = fmaD(residual, 0.5 / r, r);
  return s.largest == INF_D ? INF_D : s.largest == 0 ? r : better * s.scale;
}

VX_INLINE double rnormD(const double *v, int n) {
  Squares s = squares(v, n);
  double y = refineRsqrt(1.0 / __builtin_sqrt(s.sum.hi), s.sum);
  // 1/scale may be subnormal: divide in two steps.
  return s.largest == INF_D ? 0.0 : s.largest == 0 && s.sum.hi == 0 ? INF_D : y / s.scale;
}

#define DOUBLE_NORMS(HYPOT, RHYPOT, PARAMS, N, ...)                                                \
  double HYPOT PARAMS {                                                                            \
    double v[N] = {__VA_ARGS__};                                                                   \
    return normD(v, N);                                                                            \
  }                                                                                                \
  double RHYPOT PARAMS {                                                                           \
    double v[N] = {__VA_ARGS__};                                                                   \
    return rnormD(v, N);                                                                           \
  }
DOUBLE_NORMS(__nv_hypot, __nv_rhypot, (double a, double b), 2, a, b)
DOUBLE_NORMS(__nv_norm3d, __nv_rnorm3d, (double a, double b, double c), 3, a, b, c)
DOUBLE_NORMS(__nv_norm4d, __nv_rnorm4d, (double a, double b, double c, double d), 4, a, b, c, d)

double __nv_norm(int n, const double *v) {
  return normD(v, n);
}
double __nv_rnorm(int n, const double *v) {
  return rnormD(v, n);
}
