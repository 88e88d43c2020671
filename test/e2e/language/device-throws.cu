// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 -std=c++20 %s -o %t.0 2>&1 | count 0
// RUN: %shapes --few %t.0
// RUN: %vxcc -O3 -std=c++20 %s -o %t.3 && %shapes --few %t.3
// RUN: %vxcc -std=c++20 --target=host %s -o %t.host && %run %t.host
// RUN: not %run %t.0 9 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not %run %t.3 9 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not %run %t.host 9 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not %vxcc -std=c++20 -DBOTH -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: not %vxcc -std=c++20 -DTEMPLATE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TEMPLATE %s
//
// constexpr functions that throw are for the device, too: a thread that comes to the `throw` is
// stopped. On the host they throw. In other functions of the device, `throw` is an error.
// STOP: kernel `calculate(int*, int)` stopped: breakpoint
// STOP: cudaErrorLaunchFailure

#include "../Inputs/harness.h"

constexpr int positive(int x) {
  if (x < 0)
    throw "negative";
  return x;
}
template <class T> constexpr T &small(T &x) { return x < 9 ? x : throw 9; }
struct Range {
  int first, count;
  constexpr Range(int first, int count) : first(first), count(count > 0 ? count : throw count) {}
  constexpr Range upTo(int n) const { return n <= count ? Range(first, n) : throw Range(*this); }
  constexpr int at(unsigned i) const try {
    return i < unsigned(count) ? first + int(i) : throw i;
  } catch (unsigned) {
    throw;
  }
};
constexpr int tries(int x) {
  try {
    return small(x) + positive(x - 3);
  } catch (...) {
    return -1;
  }
}

#ifdef BOTH
// BOTH: [[#@LINE+1]]:{{.*}}error: cannot use 'throw' in __host__ __device__ function
__host__ __device__ constexpr int both(int x) { return x < 0 ? throw 1 : x; }
__global__ void useBoth(int *x) { *x = both(*x); }
#endif
template <class T> __host__ __device__ T ofTemplate(T x) {
#ifdef TEMPLATE
  // TEMPLATE: [[#@LINE+2]]:{{.*}}error: device code cannot throw exceptions
  if (x < 0)
    throw 1;
#endif
  return x;
}

__global__ void calculate(int *out, int n) {
  int i = threadIdx.x, x = i + n;
  out[i] = positive(x) + small(x) * 10 + Range(x, 5).upTo(x).at(2) * 100 + tries(ofTemplate(x)) * 1000;
}

int main(int argc, char **) {
  int n = argc > 1 ? 5 : 3;
  DeviceArray<int> out(3);
  calculate<<<1, 3>>>(out, n);
  if (argc > 1) {
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 1;
  }
  std::vector<int> got = out.host();
  for (int i = 0, x = n; i < 3; ++i, ++x)
    expectEqual(got[i], x + x * 10 + (x + 2) * 100 + (x + x - 3) * 1000, "values", i);
  int thrown = 0;
  try {
    thrown += positive(-1);
  } catch (const char *) {
    ++thrown;
  }
  expectEqual(thrown + (tries(1) == -1), 2, "on the host");
  return finish();
}
