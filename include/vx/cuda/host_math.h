// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions that CUDA offers to host code beyond the C library's.

#ifndef VX_CUDA_HOST_MATH_H
#define VX_CUDA_HOST_MATH_H

#define VX_HOST static __host__ __inline__

VX_HOST double rsqrt(double x) { return 1.0 / ::sqrt(x); }
VX_HOST float rsqrtf(float x) { return (float)(1.0 / ::sqrt((double)x)); }
VX_HOST double rcbrt(double x) { return 1.0 / ::cbrt(x); }
VX_HOST float rcbrtf(float x) { return (float)(1.0 / ::cbrt((double)x)); }

// sin(pi x) and cos(pi x) through the nearest quarter turn, so that multiples of 1/2 are exact.
VX_HOST void __vx_sincospi(double x, double *s, double *c) {
  double quarter = ::nearbyint(::fmod(x, 2.0) * 2.0);
  double rest = (::fmod(x, 2.0) - quarter * 0.5) * 3.14159265358979323846;
  double sr = ::sin(rest), cr = ::cos(rest);
  switch ((int)quarter & 3) {
  case 0:
    *s = sr, *c = cr;
    break;
  case 1:
    *s = cr, *c = -sr;
    break;
  case 2:
    *s = -sr, *c = -cr;
    break;
  default:
    *s = -cr, *c = sr;
    break;
  }
}
VX_HOST void sincospi(double x, double *s, double *c) { __vx_sincospi(x, s, c); }
VX_HOST double sinpi(double x) {
  double s, c;
  __vx_sincospi(x, &s, &c);
  return s;
}
VX_HOST double cospi(double x) {
  double s, c;
  __vx_sincospi(x, &s, &c);
  return c;
}
VX_HOST void sincospif(float x, float *s, float *c) {
  double sd, cd;
  __vx_sincospi(x, &sd, &cd);
  *s = (float)sd, *c = (float)cd;
}
VX_HOST float sinpif(float x) { return (float)sinpi((double)x); }
VX_HOST float cospif(float x) { return (float)cospi((double)x); }

VX_HOST double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
VX_HOST float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
VX_HOST double norm4d(double a, double b, double c, double d) {
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}
VX_HOST float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
VX_HOST double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
VX_HOST float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
VX_HOST double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
VX_HOST float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
VX_HOST double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
VX_HOST float rhypotf(float a, float b) { return (float)rhypot(a, b); }
VX_HOST double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
VX_HOST float normcdff(float x) { return (float)normcdf(x); }
VX_HOST double erfcx(double x) {
  // Beyond 25 erfc underflows, where x * x is large enough for the asymptotic series.
  // The rounding error of the square is carried along, which exp would amplify.
  if (x < -27.0)
    return __builtin_huge_val();
  if (x < 25.0) {
    double square = x * x;
    return ::exp(square) * (1.0 + __builtin_fma(x, x, -square)) * ::erfc(x);
  }
  double r = 1.0 / (x * x), series = 1.0;
  for (double n = 8.5; n > 0.0; n -= 1.0)
    series = 1.0 - n * r * series;
  return 0.56418958354775628695 / x * series;
}
VX_HOST float erfcxf(float x) { return (float)erfcx(x); }

// The inverses of erf and erfc by Halley's method (f'' / f' is -2 z for both), which triples the
// digits of the first guess in each step: Abramowitz and Stegun 26.2.23, good to 4.5e-4.
VX_HOST double __vx_inverse_tail(double q) { // erfc(z) = q, 0 < q <= 1/2
  double t = ::sqrt(-2.0 * ::log(0.5 * q));
  double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  z *= 0.70710678118654752440;
  for (int step = 0; step < 3; ++step) {
    double rest = ::erfc(z) - q;
    z += rest / (1.12837916709551257390 * ::exp(-z * z) - z * rest);
  }
  return z;
}
VX_HOST double __vx_inverse_centre(double x) { // erf(z) = x, -1/2 <= x <= 1/2
  double z = x * 0.88622692545275801365;       // the first term of its series
  for (int step = 0; step < 4; ++step) {
    double rest = ::erf(z) - x;
    z -= rest / (1.12837916709551257390 * ::exp(-z * z) + z * rest);
  }
  return z;
}
VX_HOST double erfcinv(double q) {
  if (!(q > 0.0 && q < 2.0))
    return q == 0.0 ? __builtin_huge_val() : q == 2.0 ? -__builtin_huge_val() : __builtin_nan("");
  if (q >= 0.5 && q <= 1.5)
    return __vx_inverse_centre(1.0 - q);
  return q < 0.5 ? __vx_inverse_tail(q) : -__vx_inverse_tail(2.0 - q);
}
VX_HOST double erfinv(double x) {
  return __builtin_fabs(x) <= 0.5 ? __vx_inverse_centre(x)
                                  : __builtin_copysign(erfcinv(1.0 - __builtin_fabs(x)), x);
}
VX_HOST double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2.0 * p); }
VX_HOST float erfcinvf(float x) { return (float)erfcinv((double)x); }
VX_HOST float erfinvf(float x) { return (float)erfinv((double)x); }
VX_HOST float normcdfinvf(float x) { return (float)normcdfinv((double)x); }
VX_HOST double fdivide(double a, double b) { return a / b; }
VX_HOST float fdividef(float a, float b) { return a / b; }

#undef VX_HOST

#define VX_FLOAT_OVERLOAD(NAME)                                                                    \
  static __host__ __inline__ float NAME(float x) { return NAME##f(x); }                            \
  static __device__ __inline__ float NAME(float x) { return NAME##f(x); }
VX_FLOAT_OVERLOAD(rsqrt)
VX_FLOAT_OVERLOAD(rcbrt)
VX_FLOAT_OVERLOAD(sinpi)
VX_FLOAT_OVERLOAD(cospi)
VX_FLOAT_OVERLOAD(normcdf)
VX_FLOAT_OVERLOAD(erfcx)
VX_FLOAT_OVERLOAD(erfcinv)
VX_FLOAT_OVERLOAD(erfinv)
VX_FLOAT_OVERLOAD(normcdfinv)
#undef VX_FLOAT_OVERLOAD
static __device__ __inline__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static __host__ __inline__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static __device__ __inline__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
#if !defined(__CUDACC_RTC__) // sincosf of the host is <math.h>'s
static __host__ __inline__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
#endif

#endif // VX_CUDA_HOST_MATH_H
