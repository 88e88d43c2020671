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
  if (x < 25.0)
    return ::exp(x * x) * ::erfc(x);
  double r = 1.0 / (x * x);
  return 0.56418958354775628695 / x * (1.0 - 0.5 * r * (1.0 - 1.5 * r * (1.0 - 2.5 * r)));
}
VX_HOST float erfcxf(float x) { return (float)erfcx(x); }
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
#undef VX_FLOAT_OVERLOAD
static __device__ __inline__ float erfcinv(float x) { return erfcinvf(x); }
static __device__ __inline__ float erfinv(float x) { return erfinvf(x); }
static __device__ __inline__ float normcdfinv(float x) { return normcdfinvf(x); }
static __device__ __inline__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static __host__ __inline__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static __device__ __inline__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
#if !defined(__CUDACC_RTC__) // sincosf of the host is <math.h>'s
static __host__ __inline__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
#endif

#endif // VX_CUDA_HOST_MATH_H
