// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Division has no faults on the device: by zero and INT_MIN / -1 give some number, floating point
// follows IEEE 754, and every other division of the same kernel is right.

#include "../Inputs/harness.h"
#include <climits>
#include <cmath>

template <class T> __global__ void divide(const T *a, const T *b, T *quotient, T *rest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  quotient[i] = a[i] / b[i];
  rest[i] = a[i] % b[i];
}

__global__ void divideReal(const double *a, const double *b, double *d, float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  d[i] = a[i] / b[i];
  f[i] = static_cast<float>(a[i]) / static_cast<float>(b[i]);
}

template <class T> static void check(const char *name, const std::vector<T> &numbers) {
  std::vector<T> a, b;
  for (T x : numbers)
    for (T y : numbers) {
      a.push_back(x);
      b.push_back(y);
    }
  const int n = static_cast<int>(a.size());
  DeviceArray<T> deviceA(a), deviceB(b), quotient(n), rest(n);
  divide<T><<<(n + 63) / 64, 64>>>(deviceA, deviceB, quotient, rest, n);
  CHECK(cudaGetLastError());
  std::vector<T> q = quotient.host(), r = rest.host();
  for (int i = 0; i < n; ++i) {
    bool defined = b[i] != 0 && !(b[i] == static_cast<T>(-1) && static_cast<T>(-1) < 0);
    if (!defined)
      continue;
    expectEqual(q[i], static_cast<T>(a[i] / b[i]), name, i);
    expectEqual(r[i], static_cast<T>(a[i] % b[i]), name, i);
  }
}

static bool sameReal(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : std::memcmp(&x, &y, sizeof x) == 0;
}

int main() {
  check<int>("int", {0, 1, -1, 2, -7, 10, 1000003, INT_MAX, INT_MIN, INT_MIN + 1});
  check<unsigned>("unsigned", {0u, 1u, 2u, 7u, 1000003u, 0x80000000u, UINT_MAX});
  check<long long>("long long", {0, 1, -1, 3, -100, 1ll << 33, LLONG_MAX, LLONG_MIN});
  check<unsigned long long>("unsigned long long", {0, 1, 3, 1ull << 63, ULLONG_MAX, 0xffffffffull});
  check<short>("short", {0, 1, -1, 77, SHRT_MIN, SHRT_MAX});

  std::vector<double> a, b,
      numbers = {0.0, -0.0, 1.0, -3.0, 1e-310, 1e300, INFINITY, -INFINITY, NAN, 7.0, 0.1, 3e38};
  for (double x : numbers)
    for (double y : numbers) {
      a.push_back(x);
      b.push_back(y);
    }
  const int n = static_cast<int>(a.size());
  DeviceArray<double> deviceA(a), deviceB(b), d(n);
  DeviceArray<float> f(n);
  divideReal<<<(n + 31) / 32, 32>>>(deviceA, deviceB, d, f, n);
  CHECK(cudaGetLastError());
  std::vector<double> gotD = d.host();
  std::vector<float> gotF = f.host();
  for (int i = 0; i < n; ++i) {
    volatile double x = a[i], y = b[i];
    volatile float xf = static_cast<float>(x), yf = static_cast<float>(y);
    expect(sameReal(gotD[i], x / y), "double", i);
    expect(sameReal(gotF[i], xf / yf), "float", i);
  }
  return finish();
}
