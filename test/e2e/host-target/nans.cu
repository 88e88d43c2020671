// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NaNs have the same bits on the host target as on the device: those of arithmetic are canonical, and
// those that are only moved stay as they are.
// RUN: %vxcc -O3 -fmad=false %s -o %t && env VX_LOWERING=hw %run %t > %t.hw.txt
// RUN: env VX_LOWERING=sw %run %t > %t.sw.txt && diff %t.hw.txt %t.sw.txt
// RUN: %vxcc -O3 -fmad=false --target=host %s -o %t.host && %run %t.host > %t.host.txt
// RUN: diff %t.hw.txt %t.host.txt
// RUN: %vxcc -O0 -fmad=false --target=host %s -o %t.0 && %run %t.0 | diff %t.hw.txt -
// RUN: FileCheck %s < %t.host.txt

#include "../Inputs/harness.h"

template <class T> __device__ void compute(T *out, T x, T y, T z) {
  int n = 0;
  out[n++] = x + y;
  out[n++] = x - y;
  out[n++] = x * y;
  out[n++] = x / y;
  out[n++] = sqrt(x);
  out[n++] = fma(x, y, z);
  out[n++] = fmin(x, y);
  out[n++] = fmax(y, x);
  out[n++] = -(x - y);
  out[n++] = fabs(x * y);
  out[n++] = copysign(T(1), x + y);
  out[n++] = copysign(x + y, y);
  out[n++] = x;
  out[n++] = -x;
  out[n++] = x > y ? x : y + z;
  out[n++] = floor(x);
  out[n++] = rint(x - y);
  out[n++] = exp(x);
  out[n++] = log(y);
  out[n++] = sin(x);
  out[n++] = pow(x, y);
  out[n++] = T(float(x));
  out[n++] = T(double(y) * 2);
  T sum = x;
  for (int i = 0; i < int(threadIdx.x) % n; ++i)
    sum += out[i];
  out[n++] = sum;
  out[n++] = __shfl_xor_sync(~0u, x + y, 1);
  T plain = 0;
  for (int i = 0; i < n; ++i)
    plain += out[i];
  out[n++] = plain;
  atomicAdd(out + n++, x * y);
}

constexpr int kResults = 32;

template <class T> __global__ void all(const T *in, int count, T *out) {
  int i = threadIdx.x;
  compute(out + i * kResults, in[i % count], in[i / count % count], in[(i + 3) % count]);
}

template <class T, class Bits> static void print(const std::vector<Bits> &words, const char *name) {
  const int count = int(words.size()), threads = 64;
  std::vector<T> values(count);
  std::memcpy(values.data(), words.data(), count * sizeof(T));
  DeviceArray<T> in(values), out(threads * kResults);
  all<T><<<1, threads>>>(in, count, out);
  std::vector<T> got = out.host();
  for (int i = 0; i < threads * kResults; ++i) {
    Bits bits;
    std::memcpy(&bits, &got[i], sizeof bits);
    std::printf("%s %d.%d %llx\n", name, i / kResults, i % kResults, (unsigned long long)bits);
  }
}

int main() {
  // 1, -2, infinities, the canonical NaN, others with a payload and a sign, 0.
  print<float, unsigned>({0x3f800000, 0xc0000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
                          0x7fe00001, 0},
                         "float");
  print<double, unsigned long long>({0x3ff0000000000000, 0xc000000000000000, 0x7ff0000000000000,
                                     0xfff0000000000000, 0x7ff8000000000000, 0xfff8123456789abc,
                                     0x7ffc000000000001, 0},
                                    "double");
  // infinity - infinity; NaN + 1; a NaN that is moved, and its negation
  // CHECK: float 5.0 7fc00000
  // CHECK: float 5.12 ffc12345
  // CHECK: float 5.13 7fc12345
  // CHECK: float 18.1 7fc00000
  // CHECK: double 5.0 7ff8000000000000
  // CHECK: double 5.12 fff8123456789abc
  return 0;
}
