// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -fmad=false %s -o %t && %shapes --few %t
//
// cuComplex.h: every function, in both precisions, against std::complex on the host, and the device
// against the host; a quotient and an absolute value whose naive forms would overflow.

#include "../Inputs/harness.h"
#include <cmath>
#include <complex>
#include <cuComplex.h>

constexpr int kCount = 200;

template <class Complex, class Real> struct Results {
  Complex sum, difference, product, quotient, conjugate, fused;
  Real abs, re, im;
};
using Floats = Results<cuComplex, float>;
using Doubles = Results<cuDoubleComplex, double>;

__host__ __device__ Floats work(cuComplex a, cuComplex b) {
  return {cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuConjf(a),
          cuCfmaf(a, b, a), cuCabsf(a), cuCrealf(a), cuCimagf(a)};
}
__host__ __device__ Doubles work(cuDoubleComplex a, cuDoubleComplex b) {
  return {cuCadd(a, b), cuCsub(a, b), cuCmul(a, b), cuCdiv(a, b), cuConj(a),
          cuCfma(a, b, a), cuCabs(a), cuCreal(a), cuCimag(a)};
}

__global__ void kernel(const cuComplex *a, const cuComplex *b, Floats *floats, Doubles *doubles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount)
    return;
  floats[i] = work(a[i], b[i]);
  doubles[i] = work(cuComplexFloatToDouble(a[i]), cuComplexFloatToDouble(b[i]));
}

template <class Complex, class Real>
void near(Complex got, std::complex<Real> want, const char *what, int where) {
  Real error = std::abs(std::complex<Real>(got.x, got.y) - want);
  expect(error <= 16 * std::numeric_limits<Real>::epsilon() * std::abs(want) + Real(1e-37), what,
         where);
}

template <class Complex, class Real>
void compare(const Results<Complex, Real> &got, Complex x, Complex y, int i) {
  using C = std::complex<Real>;
  C a(x.x, x.y), b(y.x, y.y);
  near(got.sum, a + b, "sum", i);
  near(got.difference, a - b, "difference", i);
  near(got.product, a * b, "product", i);
  near(got.quotient, a / b, "quotient", i);
  near(got.conjugate, std::conj(a), "conjugate", i);
  expect(std::abs(C(got.fused.x, got.fused.y) - (a * b + a)) <=
             16 * std::numeric_limits<Real>::epsilon() * (std::abs(a * b) + std::abs(a)),
         "fused", i);
  expect(std::fabs(got.abs - std::abs(a)) <= 4 * std::numeric_limits<Real>::epsilon() * std::abs(a),
         "abs", i);
  expect(got.re == a.real() && got.im == a.imag(), "parts", i);
  expectEqual(got, work(x, y), "host", i);
}

int main() {
  std::vector<cuComplex> a, b;
  for (int i = 0; i < kCount; ++i) {
    a.push_back(make_cuComplex(float(i % 17 - 8.25), float(i % 5 + 0.5)));
    b.push_back(cuComplexDoubleToFloat(make_cuDoubleComplex(i % 7 - 3.75, i % 11 - 4.5)));
  }
  DeviceArray<cuComplex> left(a), right(b);
  DeviceArray<Floats> floats(kCount);
  DeviceArray<Doubles> doubles(kCount);
  kernel<<<4, 50>>>(left, right, floats, doubles);
  auto gotFloats = floats.host();
  auto gotDoubles = doubles.host();
  for (int i = 0; i < kCount; ++i) {
    compare(gotFloats[i], a[i], b[i], i);
    compare(gotDoubles[i], cuComplexFloatToDouble(a[i]), cuComplexFloatToDouble(b[i]), i);
  }
  cuComplex big = make_cuComplex(3e38f, 1e38f);
  cuComplex one = cuCdivf(big, big);
  expect(std::fabs(one.x - 1) < 1e-6 && std::fabs(one.y) < 1e-6, "quotient of large numbers");
  expect(std::isfinite(cuCabsf(make_cuComplex(2e38f, 2e38f))), "absolute value of a large number");
  return finish();
}
