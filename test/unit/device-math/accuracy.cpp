// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the device math library against long double: device-math-accuracy [samples]. The library
// is the device's bitcode compiled for the host. Prints the largest error of each function in units
// in the last place with the argument that shows it, and fails if one exceeds its bound.

#include "test/unit/device-math/Reference.h"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <type_traits>

extern "C" {
#define MATH1(NAME, REF, LOW, HIGH, SINGLE, TWICE)                                                 \
  float __nv_##NAME##f(float);                                                                     \
  double __nv_##NAME(double);
#define MATH2(NAME, REF, LOW, HIGH, SINGLE, TWICE)                                                 \
  float __nv_##NAME##f(float, float);                                                              \
  double __nv_##NAME(double, double);
#include "test/unit/device-math/Functions.def"
}

namespace {

std::mt19937_64 generator(12345);

/// Half of the arguments uniform, half with uniform exponents, so that small ones occur too.
template <typename T> T sample(double low, double high) {
  std::uniform_real_distribution<double> unit(0, 1);
  double r = low + (high - low) * unit(generator);
  bool logarithmic = low < 1e-6 && generator() % 2;
  if (logarithmic) {
    double top = low < 0 && generator() % 2 ? low : high;
    r = top * std::exp2(-40 * unit(generator));
  }
  T v = static_cast<T>(r);
  return v < low || v > high ? static_cast<T>(r = low + (high - low) / 2) : v;
}

/// Returns the error in units in the last place of the reference, or of LEAST if that is larger.
template <typename T> double ulpError(T value, long double reference, double least) {
  T rounded = static_cast<T>(reference);
  if (std::isnan(value) || std::isnan(rounded))
    return std::isnan(value) == std::isnan(rounded) ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(value))
    return value == rounded ? 0 : INFINITY;
  int exponent = 0;
  std::frexp(static_cast<T>(std::max<long double>(fabsl(reference), least)), &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  long double unit = ldexpl(1, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(fabsl(value - reference) / unit);
}

int failures = 0;

template <typename T, typename F, typename R>
void measure(const char *name, F function, R reference, double low, double high, double bound,
             long samples, double least = 0) {
  double worst = 0;
  T atX = 0, atY = 0;
  for (long i = 0; i < samples; ++i) {
    T x = sample<T>(low, high), y = sample<T>(low, high);
    double error;
    if constexpr (std::is_invocable_v<F, T, T>)
      error = ulpError<T>(function(x, y), reference(x, y), least);
    else
      error = ulpError<T>(function(x), reference(x), least);
    if (error > worst || std::isnan(error))
      worst = error, atX = x, atY = y;
  }
  bool bad = !(worst <= bound);
  failures += bad;
  std::printf("%-16s %-6s [%g, %g] %10.3f of %g  at %.9g", name,
              sizeof(T) == 4 ? "float" : "double", low, high, worst, bound,
              static_cast<double>(atX));
  if constexpr (std::is_invocable_v<F, T, T>)
    std::printf(", %.9g", static_cast<double>(atY));
  std::printf("%s\n", bad ? "  <-- too large" : "");
}

} // namespace

int main(int argc, char **argv) {
  long samples = argc > 1 ? std::atol(argv[1]) : 20000;
  using L = long double;
#define MATH1(NAME, REF, LOW, HIGH, SINGLE, TWICE)                                                 \
  measure<float>(#NAME, __nv_##NAME##f, [](L x) { return REF(x); }, LOW, HIGH, SINGLE, samples);   \
  measure<double>(#NAME, __nv_##NAME, [](L x) { return REF(x); }, LOW, HIGH, TWICE, samples);
#define MATHZ(NAME, REF, LOW, HIGH, SINGLE, TWICE)                                                 \
  measure<float>(                                                                                  \
      #NAME, __nv_##NAME##f, [](L x) { return REF(x); }, LOW, HIGH, SINGLE, samples, 0.01);        \
  measure<double>(#NAME, __nv_##NAME, [](L x) { return REF(x); }, LOW, HIGH, TWICE, samples, 0.01);
#define MATH2(NAME, REF, LOW, HIGH, SINGLE, TWICE)                                                 \
  measure<float>(                                                                                  \
      #NAME, __nv_##NAME##f, [](L x, L y) { return REF(x, y); }, LOW, HIGH, SINGLE, samples);      \
  measure<double>(                                                                                 \
      #NAME, __nv_##NAME, [](L x, L y) { return REF(x, y); }, LOW, HIGH, TWICE, samples);
#include "test/unit/device-math/Functions.def"
  std::printf("%d of the functions exceed their bound\n", failures);
  return failures != 0;
}
