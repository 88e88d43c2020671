// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Every function of CUDA's math API runs on the device, in float and double, and agrees with the
// host's (or with a relation between functions where the host has none) to a loose tolerance: the
// exact errors are measured by device-math-accuracy.

#include "../Inputs/harness.h"
#include <cmath>

// X(function, host's value for x and y): x in (0.05, 0.95), y = x + 1.
#define FUNCTIONS(X)                                                                               \
  X(sin(x), std::sin(x))                                                                           \
  X(cos(y), std::cos(y))                                                                           \
  X(tan(x), std::tan(x))                                                                           \
  X(sinpi(x), std::sin(x * 3.14159265358979323846))                                                \
  X(cospi(x), std::cos(x * 3.14159265358979323846))                                                \
  X(asin(x), std::asin(x))                                                                         \
  X(acos(x), std::acos(x))                                                                         \
  X(atan(y), std::atan(y))                                                                         \
  X(atan2(x, y), std::atan2(x, y))                                                                 \
  X(sinh(x), std::sinh(x))                                                                         \
  X(cosh(x), std::cosh(x))                                                                         \
  X(tanh(x), std::tanh(x))                                                                         \
  X(asinh(x), std::asinh(x))                                                                       \
  X(acosh(y), std::acosh(y))                                                                       \
  X(atanh(x), std::atanh(x))                                                                       \
  X(exp(y), std::exp(y))                                                                           \
  X(exp2(y), std::exp2(y))                                                                         \
  X(exp10(y), std::pow(10.0, y))                                                                   \
  X(expm1(x), std::expm1(x))                                                                       \
  X(log(x), std::log(x))                                                                           \
  X(log2(x), std::log2(x))                                                                         \
  X(log10(x), std::log10(x))                                                                       \
  X(log1p(x), std::log1p(x))                                                                       \
  X(logb(x), std::logb(x))                                                                         \
  X(pow(y, x), std::pow(y, x))                                                                     \
  X(sqrt(x), std::sqrt(x))                                                                         \
  X(rsqrt(x), 1 / std::sqrt(x))                                                                    \
  X(cbrt(y), std::cbrt(y))                                                                         \
  X(rcbrt(y), 1 / std::cbrt(y))                                                                    \
  X(hypot(x, y), std::hypot(x, y))                                                                 \
  X(rhypot(x, y), 1 / std::hypot(x, y))                                                            \
  X(norm3d(x, y, x), std::sqrt(2 * x * x + y * y))                                                 \
  X(rnorm3d(x, y, x), 1 / std::sqrt(2 * x * x + y * y))                                            \
  X(norm4d(x, y, x, y), std::sqrt(2 * x * x + 2 * y * y))                                          \
  X(rnorm4d(x, y, x, y), 1 / std::sqrt(2 * x * x + 2 * y * y))                                     \
  X(erf(x), std::erf(x))                                                                           \
  X(erfc(y), std::erfc(y))                                                                         \
  X(erfcx(x), std::exp(x *x) * std::erfc(x))                                                       \
  X(erf(erfinv(x)), x)                                                                             \
  X(erfc(erfcinv(y)), y)                                                                           \
  X(normcdf(y), 0.5 * std::erfc(-y * 0.70710678118654752))                                         \
  X(normcdf(normcdfinv(x)), x)                                                                     \
  X(lgamma(x), std::lgamma(x))                                                                     \
  X(tgamma(x), std::tgamma(x))                                                                     \
  X(j0(x), ::j0(x))                                                                                \
  X(j1(y), ::j1(y))                                                                                \
  X(jn(3, y), ::jn(3, y))                                                                          \
  X(y0(y), ::y0(y))                                                                                \
  X(y1(x), ::y1(x))                                                                                \
  X(yn(2, y), ::yn(2, y))                                                                          \
  X(cyl_bessel_i0(x), std::cyl_bessel_i(0.0, x))                                                   \
  X(cyl_bessel_i1(x), std::cyl_bessel_i(1.0, x))                                                   \
  X(fmod(y * 8, x), std::fmod(y * 8, x))                                                           \
  X(remainder(y * 8, x), std::remainder(y * 8, x))                                                 \
  X(fdim(y, x), std::fdim(y, x))                                                                   \
  X(fmin(x, y), std::fmin(x, y))                                                                   \
  X(fmax(x, y), std::fmax(x, y))                                                                   \
  X(fma(x, y, x), std::fma(x, y, x))                                                               \
  X(fabs(-x), x)                                                                                   \
  X(copysign(x, -y), -x)                                                                           \
  X(nextafter(x, y), x)                                                                            \
  X(floor(y * 8), std::floor(y * 8))                                                               \
  X(ceil(y * 8), std::ceil(y * 8))                                                                 \
  X(trunc(y * -8), std::trunc(y * -8))                                                             \
  X(round(y * 8), std::round(y * 8))                                                               \
  X(rint(y * 8), std::rint(y * 8))                                                                 \
  X(nearbyint(y * 8), std::nearbyint(y * 8))                                                       \
  X(ldexp(x, 5), x * 32)                                                                           \
  X(scalbn(x, -5), x / 32)

constexpr int kThreads = 64;

#define COUNT(CALL, WANT) +1
constexpr int kFunctions = 0 FUNCTIONS(COUNT);

template <class T> __host__ __device__ T argument(int i) {
  return T(0.05) + T(i) * T(0.9) / 64;
}

/// Odd threads go through the list in another branch, so that calls are made in diverged code too.
template <class T> __global__ void evaluate(T *out) {
  int i = threadIdx.x;
  T x = argument<T>(i), y = x + 1;
  T *row = out + i * kFunctions;
#define EVALUATE(CALL, WANT) *row++ = CALL;
  if (i % 3 == 1) {
    FUNCTIONS(EVALUATE)
  } else {
    FUNCTIONS(EVALUATE)
  }
}

template <class T> void compare(double tolerance) {
  DeviceArray<T> out(kThreads * kFunctions);
  evaluate<T><<<1, kThreads>>>(out);
  CHECK(cudaDeviceSynchronize());
  std::vector<T> got = out.host();
  for (int i = 0; i < kThreads; ++i) {
    double x = argument<T>(i), y = x + 1;
    y = T(y);
    const T *row = &got[i * kFunctions];
#define AGREE(CALL, WANT)                                                                          \
  {                                                                                                \
    double want = WANT, error = std::fabs(*row++ - want) / std::fmax(std::fabs(want), 0.1);        \
    expect(error <= tolerance, #CALL, i);                                                          \
  }
    FUNCTIONS(AGREE)
  }
}

int main() {
  compare<float>(4e-6);
  compare<double>(1e-14);
  return finish();
}
