// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 --target=vortex,host -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t | FileCheck %s
// CHECK: PASS
//
// Loops that count to the end of a string: the optimizer may not make calls of strlen and wcslen of them, which device
// code has no library for.

#include "harness.h"
#include <cwchar>
#include <vector>

template <class Char> __device__ int length(const Char *s) {
  int n = 0;
  while (*s != 0) {
    ++n;
    ++s;
  }
  return n;
}

template <class Char> __global__ void lengths(const Char *text, int *out) {
  out[threadIdx.x] = length(text + threadIdx.x);
}

template <class Char> void check(const std::vector<Char> &text) {
  const int count = int(text.size());
  DeviceArray<Char> device(text);
  DeviceArray<int> out(count);
  lengths<<<1, count>>>((const Char *)device, out);
  CHECK(cudaGetLastError());
  const std::vector<int> got = out.host();
  for (int i = 0; i < count; ++i)
    expectEqual(got[i], count - 1 - i, "length", i);
}

int main() {
  check(std::vector<char>{'v', 'o', 'r', 't', 'e', 'x', 0});
  check(std::vector<wchar_t>{L'v', L'x', L'c', L'c', 0});
  return finish();
}
