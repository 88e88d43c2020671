// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %shapes --few %t
//
// CUDA's functions that the C library of the host does not have are there for host code, in functions
// for both sides, and agree with the device's, in the tails and at the ends of their domains, too.

#include "../Inputs/harness.h"
#include <cmath>
#include <limits>

#define FUNCTIONS(X)                                                                               \
  X(erfcinv(q))                                                                                    \
  X(erfcinv(2 - q))                                                                                \
  X(erfinv(q))                                                                                     \
  X(erfinv(q - 1))                                                                                 \
  X(normcdfinv(q / 2))                                                                             \
  X(normcdf(-q))                                                                                   \
  X(erfcx(q * 64 - 20))                                                                                \
  X(rsqrt(q))                                                                                      \
  X(rcbrt(q))                                                                                      \
  X(sinpi(q))                                                                                      \
  X(cospi(q))                                                                                      \
  X(rhypot(q, q))                                                                                  \
  X(norm4d(q, q, q, q))                                                                            \
  X(rnorm3d(q, q, q))                                                                              \
  X(T(umin(unsigned(q * 9), 3u)))                                                                  \
  X(T(umax(unsigned(q * 9), 3u)))                                                                  \
  X(T(llmin((long long)(q * -9e12), -3ll)))                                                        \
  X(T(llmax((long long)(q * -9e12), -3ll)))                                                        \
  X(T(ullmin((unsigned long long)(q * 9e18), 3ull << 60)))                                         \
  X(T(ullmax((unsigned long long)(q * 9e18), 3ull << 60)))

#define COUNT(CALL) +1
constexpr int kFunctions = 0 FUNCTIONS(COUNT);
constexpr int kArguments = 160;

/// 0, 1, and what lies between, down to the least positive numbers.
template <class T> __host__ __device__ T argument(int i) {
  if (i < 64)
    return T(i) / 63;
  return T(scalbn(1.0 + (i % 7) * 0.13, -(i - 63) * (sizeof(T) == 8 ? 10 : 1)));
}

template <class T> __host__ __device__ void evaluateAll(T q, T *row) {
#define EVALUATE(CALL) *row++ = CALL;
  FUNCTIONS(EVALUATE)
}

template <class T> __global__ void evaluate(T *out) {
  evaluateAll(argument<T>(threadIdx.x), out + threadIdx.x * kFunctions);
}

template <class T> void compare(double tolerance) {
  DeviceArray<T> out(kArguments * kFunctions);
  evaluate<T><<<1, kArguments>>>(out);
  CHECK(cudaDeviceSynchronize());
  std::vector<T> got = out.host();
  for (int i = 0; i < kArguments; ++i) {
    T want[kFunctions], *expected = want, *row = &got[i * kFunctions];
    evaluateAll(argument<T>(i), want);
#define AGREE(CALL)                                                                                \
  {                                                                                                \
    double host = *expected++, device = *row++;                                                    \
    double error = host == device ? 0 : std::fabs(device / host - 1);                              \
    expect(error <= tolerance, #CALL, i);                                                          \
  }
    FUNCTIONS(AGREE)
  }
}

int main() {
  compare<float>(3e-7);
  compare<double>(3e-15);
  expect(std::isnan(erfcinv(-0.5)) && std::isnan(erfinv(1.5)) && std::isnan(normcdfinv(2.0f)), "NaN", 0);
  expect(std::isnan(erfcinv(std::nan(""))) && std::isnan(erfinv(std::nan(""))), "NaN", 1);
  expect(std::signbit(erfinv(-0.0)) && erfinv(-1.0) == -INFINITY && erfcinv(2.0f) == -INFINITY, "ends", 0);
  return finish();
}
