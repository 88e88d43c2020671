// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions. Below 8, polynomials on a few intervals, each with the function's zero taken
// out as a factor, so that the relative error stays small around the zeros. From 8 on, Hankel's
// form
//   J(x) = sqrt(2 / (pi x)) (P cos c - Q sin c),  Y(x) = sqrt(2 / (pi x)) (P sin c + Q cos c)
// with c = x - pi/4 (order 0) or x - 3 pi/4 (order 1). Higher orders by recurrence.

#include "tables.h"
#include "vxmath.h"

#define TWO_OVER_PI 0.63661977236758138
#define SQRT_1_PI 0.56418958354775628

/// (x - zero) * polynomial, the zero as a Pair.
#define PIECE(x, ZERO, TABLE) (((x) - ZERO##_HI - ZERO##_LO) * POLYNOMIAL((x) - ZERO##_HI, TABLE))

/// sqrt(2) times sine and cosine of x - pi/4.
VX_INLINE void phase(double x, double *sine, double *cosine) {
  double s, c;
  __nv_sincos(x, &s, &c);
  *sine = s - c;
  *cosine = s + c;
}

typedef struct {
  double j, y;
} Both;

VX_INLINE Both hankel0(double x) {
  double u = 64 / (x * x), s, c;
  double p = POLYNOMIAL(u, kP0), q = POLYNOMIAL(u, kQ0) / x;
  double scale = SQRT_1_PI / __builtin_sqrt(x);
  phase(x, &s, &c);
  return (Both){scale * (p * c - q * s), scale * (p * s + q * c)};
}

VX_INLINE Both hankel1(double x) {
  double u = 64 / (x * x), s, c;
  double p = POLYNOMIAL(u, kP1), q = POLYNOMIAL(u, kQ1) / x;
  double scale = SQRT_1_PI / __builtin_sqrt(x);
  phase(x, &s, &c); // cos(x - 3 pi/4) = sin(x - pi/4), sin(x - 3 pi/4) = -cos(x - pi/4)
  return (Both){scale * (p * s + q * c), scale * (q * s - p * c)};
}

double __nv_j0(double x) {
  double m = absD(x);
  if (m < 1.5)
    return POLYNOMIAL(m * m, kJ0);
  if (m < 4)
    return PIECE(m, J0_ZERO1, kJ0Piece1);
  if (m < 7)
    return PIECE(m, J0_ZERO2, kJ0Piece2);
  if (m < 8)
    return PIECE(m, J0_ZERO3, kJ0Piece3);
  return m < INF_D ? hankel0(m).j : m == INF_D ? 0.0 : x;
}

double __nv_j1(double x) {
  double m = absD(x), r;
  if (m < 2)
    r = m * POLYNOMIAL(m * m, kJ1);
  else if (m < 5.5)
    r = PIECE(m, J1_ZERO1, kJ1Piece1);
  else if (m < 8)
    r = PIECE(m, J1_ZERO2, kJ1Piece2);
  else
    r = m < INF_D ? hankel1(m).j : m == INF_D ? 0.0 : m;
  return x < 0 ? -r : r;
}

double __nv_y0(double x) {
  if (x <= 0 || x != x)
    return x == 0 ? -INF_D : NAN_D;
  if (x < 2) {
    double fromZero = x - Y0_ZERO0_HI - Y0_ZERO0_LO;
    double near = __nv_log1p(fromZero / Y0_ZERO0_HI), far = __nv_log(x) - __nv_log(Y0_ZERO0_HI);
    double logarithm = absD(fromZero) < 0.5 ? near : far;
    double regular = fromZero * (x + Y0_ZERO0_HI) * POLYNOMIAL(x * x, kY0);
    return fmaD(TWO_OVER_PI * logarithm, POLYNOMIAL(x * x, kJ0), regular);
  }
  if (x < 5.5)
    return PIECE(x, Y0_ZERO1, kY0Piece1);
  if (x < 8)
    return PIECE(x, Y0_ZERO2, kY0Piece2);
  return x < INF_D ? hankel0(x).y : 0.0;
}

double __nv_y1(double x) {
  if (x <= 0 || x != x)
    return x == 0 ? -INF_D : NAN_D;
  if (x < 1.25) {
    double j = x * POLYNOMIAL(x * x, kJ1);
    double regular = x * POLYNOMIAL(x * x, kY1);
    return fmaD(TWO_OVER_PI, fmaD(__nv_log(x), j, -1 / x), regular);
  }
  if (x < 3.75)
    return PIECE(x, Y1_ZERO1, kY1Piece1);
  if (x < 7)
    return PIECE(x, Y1_ZERO2, kY1Piece2);
  if (x < 8)
    return PIECE(x, Y1_ZERO3, kY1Piece3);
  return x < INF_D ? hankel1(x).y : 0.0;
}

/// Upward recurrence, stable for Y always and for J while the order is below x.
VX_INLINE double upward(int n, double x, double zeroth, double first) {
  for (int k = 1; k < n; ++k) {
    double next = 2 * k / x * first - zeroth;
    zeroth = first;
    first = next;
  }
  return first;
}

/// Miller's method for J of order N > x: the recurrence downward from an arbitrary start far above,
/// scaled by J0 + 2 J2 + 2 J4 + … = 1.
VX_INLINE double miller(int n, double x) {
  int start = n + (int)__builtin_sqrt(60.0 * n) + 16;
  start += start & 1;
  double above = 0, here = 1e-280, sum = 0, wanted = 0;
  for (int k = start; k > 0; --k) {
    double below = 2 * k / x * here - above;
    above = here;
    here = below;
    if (absD(here) > 1e200) { // scale everything down before it overflows
      above *= 1e-200, here *= 1e-200, sum *= 1e-200, wanted *= 1e-200;
    }
    sum += k - 1 != 0 && ((k - 1) & 1) == 0 ? 2 * here : 0;
    wanted = k - 1 == n ? here : wanted;
  }
  return wanted / (sum + here);
}

double __nv_jn(int n, double x) {
  if (x != x || n < 0)
    return NAN_D; // as in CUDA: defined for n >= 0
  if (n == 0)
    return __nv_j0(x);
  if (n == 1)
    return __nv_j1(x);
  double m = absD(x);
  double r = m == 0 || m == INF_D ? 0.0
             : m > n              ? upward(n, m, __nv_j0(m), __nv_j1(m))
                                  : miller(n, m);
  return x < 0 && (n & 1) ? -r : r;
}

double __nv_yn(int n, double x) {
  if (x != x || n < 0 || x < 0)
    return NAN_D;
  if (n == 0)
    return __nv_y0(x);
  if (n == 1)
    return __nv_y1(x);
  if (x == 0)
    return -INF_D;
  double r = upward(n, x, __nv_y0(x), __nv_y1(x));
  return r != r ? -INF_D : r; // infinity minus infinity on the way down
}

double __nv_cyl_bessel_i0(double x) {
  double m = absD(x);
  if (m < 8)
    return POLYNOMIAL(m * m * (1.0 / 64), kI0);
  double e = __nv_exp(m * 0.5);
  double r = POLYNOMIAL(16 / m - 1, kI0Large) / __builtin_sqrt(m) * e * e;
  return m == INF_D ? m : r;
}

double __nv_cyl_bessel_i1(double x) {
  double m = absD(x), r;
  if (m < 8) {
    r = m * POLYNOMIAL(m * m * (1.0 / 64), kI1);
  } else {
    double e = __nv_exp(m * 0.5);
    r = POLYNOMIAL(16 / m - 1, kI1Large) / __builtin_sqrt(m) * e * e;
    r = m == INF_D ? m : r;
  }
  return x < 0 ? -r : r;
}

float __nv_j0f(float x) {
  return (float)__nv_j0((double)x);
}
float __nv_j1f(float x) {
  return (float)__nv_j1((double)x);
}
float __nv_jnf(int n, float x) {
  return (float)__nv_jn(n, (double)x);
}
float __nv_y0f(float x) {
  return (float)__nv_y0((double)x);
}
float __nv_y1f(float x) {
  return (float)__nv_y1((double)x);
}
float __nv_ynf(int n, float x) {
  return (float)__nv_yn(n, (double)x);
}
float __nv_cyl_bessel_i0f(float x) {
  return (float)__nv_cyl_bessel_i0((double)x);
}
float __nv_cyl_bessel_i1f(float x) {
  return (float)__nv_cyl_bessel_i1((double)x);
}
