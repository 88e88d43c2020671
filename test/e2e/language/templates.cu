// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Kernels and device functions as templates: type, value and template-template parameters,
// specialisations, default arguments, a variadic fold, if constexpr.

#include "../Inputs/harness.h"

template <class T> struct Square {
  __host__ __device__ T operator()(T x) const { return x * x; }
};
template <class T> struct Negate {
  __host__ __device__ T operator()(T x) const { return -x; }
};
template <> struct Negate<unsigned> {
  __host__ __device__ unsigned operator()(unsigned x) const { return ~x; }
};

template <class T, template <class> class Operation, int Repeat = 1>
__global__ void apply(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T value = in[i];
  for (int k = 0; k < Repeat; ++k)
    value = Operation<T>()(value);
  out[i] = value;
}

template <class... Terms> __host__ __device__ double sum(Terms... terms) {
  return (0.0 + ... + terms);
}

template <unsigned Size> __device__ unsigned reverseBits(unsigned x) {
  if constexpr (Size == 1) {
    return x & 1;
  } else {
    constexpr unsigned half = Size / 2;
    return reverseBits<half>(x) << half | reverseBits<half>(x >> half);
  }
}

__global__ void folds(double *sums, unsigned *reversed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sums[i] = sum(i, 2.5f, 3ll * i, static_cast<short>(i));
    reversed[i] = reverseBits<32>(i);
  }
}

template <class T, template <class> class Operation, int Repeat> void check(const char *name) {
  const int n = 200;
  std::vector<T> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<T>(i - 3);
  DeviceArray<T> deviceIn(in), deviceOut(n);
  apply<T, Operation, Repeat><<<4, 50>>>(deviceIn, deviceOut, n);
  std::vector<T> out = deviceOut.host();
  for (int i = 0; i < n; ++i) {
    T want = in[i];
    for (int k = 0; k < Repeat; ++k)
      want = Operation<T>()(want);
    expectEqual(out[i], want, name, i);
  }
}

int main() {
  check<int, Square, 2>("Square<int>");
  check<unsigned, Negate, 1>("Negate<unsigned>");
  check<double, Negate, 3>("Negate<double>");
  check<float, Square, 1>("Square<float>");
  check<unsigned char, Square, 1>("Square<unsigned char>");
  check<long long, Square, 1>("Square<long long>");

  const int n = 100;
  DeviceArray<double> sums(n);
  DeviceArray<unsigned> reversed(n);
  folds<<<2, 64>>>(sums, reversed, n);
  std::vector<double> gotSums = sums.host();
  std::vector<unsigned> gotReversed = reversed.host();
  for (int i = 0; i < n; ++i) {
    unsigned want = 0;
    for (int bit = 0; bit < 32; ++bit)
      want |= (unsigned(i) >> bit & 1) << (31 - bit);
    expectEqual(gotSums[i], 5.0 * i + 2.5, "sum", i);
    expectEqual(gotReversed[i], want, "reverseBits", i);
  }
  return finish();
}
