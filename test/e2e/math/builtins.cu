// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C's mathematical functions by the names of builtins, in device code as nvcc accepts them.
// RUN: %vxcc -O2 -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.O0 && %run %t.O0 | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include <cmath>

// Each use counts one further.
#define CASE(EXPRESSION)                                                                           \
  if (id == __COUNTER__)                                                                           \
    r = EXPRESSION;
#define ONE(NAME) CASE(__builtin_##NAME(x)) CASE(__builtin_##NAME##f((float)x))
#define TWO(NAME) CASE(__builtin_##NAME(x, y)) CASE(__builtin_##NAME##f((float)x, (float)y))

__host__ __device__ double compute(int id, double x, double y) {
  double r = 0, w = 0;
  float wf = 0, sine = 0;
  int e = 0;
  ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
  ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(fabs) ONE(floor)
  ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(ilogb) ONE(lrint) ONE(lround)
  ONE(llrint) ONE(llround) ONE(nearbyint) ONE(rint) ONE(round) ONE(roundeven) ONE(sin) ONE(sinh)
  ONE(sqrt) ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter)
  TWO(pow) TWO(remainder)
  CASE(__builtin_fma(x, y, x))
  CASE(__builtin_fmaf(x, y, x))
  CASE(__builtin_scalbn(x, 3))
  CASE(__builtin_scalbnf(x, (int)y))
  CASE(__builtin_scalbln(x, -3))
  CASE(__builtin_scalbln(x, 0x7000000000000000))
  CASE(__builtin_scalblnf(x, -0x7000000000000000))
  CASE(__builtin_ldexp(x, 3))
  CASE(__builtin_ldexpf(x, 3))
  CASE(__builtin_frexp(x, &e) + e)
  CASE(__builtin_frexpf(x, &e) + e)
  CASE(__builtin_modf(x, &w) + 3 * w)
  CASE(__builtin_modff(x, &wf) + 3 * wf)
  CASE(__builtin_remquo(x, y, &e) + (e & 7))
  CASE(__builtin_remquof(x, y, &e) + (e & 7))
  CASE((__builtin_sincos(x, &r, &w), r + 2 * w))
  CASE((__builtin_sincosf(x, &sine, &wf), sine + 2 * wf))
  CASE(__builtin_powi(x, 3))
  CASE(__builtin_isnan(x) + 2 * __builtin_isinf(x) + 4 * !!__builtin_signbit(x) +
       8 * __builtin_isfinite(x) + 16 * __builtin_isnormal(x))
  CASE(__builtin_fpclassify(0, 1, 2, 3, 4, x))
  return r;
}
constexpr int kCases = __COUNTER__;

__global__ void computeAll(double *out, double x, double y) {
  if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCases)
    out[i] = compute(i, x, y);
}

int main() {
  const double inputs[][2] = {{0.7, 1.9}, {-2.4, 0.3}, {3.6, -7.1}, {0, 1}, {-INFINITY, 2}};
  for (auto [x, y] : inputs) {
    DeviceArray<double> out(kCases);
    computeAll<<<2, 64>>>(out, x, y);
    std::vector<double> got = out.host();
    for (int i = 0; i < kCases; ++i) {
      double want = compute(i, x, y);
      // C leaves open what an integer of an infinity is.
      if (std::isinf(x) && std::fabs(want) > 1e9 && std::isfinite(want))
        continue;
      bool good = got[i] == want || (got[i] != got[i] && want != want) ||
                  std::fabs(got[i] - want) < 1e-6 * (1 + std::fabs(want));
      if (!expect(good, "a builtin", i))
        std::printf("  of %g %g: got %g, wanted %g\n", x, y, got[i], want);
    }
  }
  EXPECT(kCases > 115);
  return finish();
}
