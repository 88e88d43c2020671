// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Kernels in (anonymous, nested) namespaces and as static functions; overloads; struct arguments by
// value of many sizes and alignments, which host and device must lay out alike.

#include "../Inputs/harness.h"

struct Tiny {
  char c;
};
struct Mixed {
  char c;
  double d;
  short s;
  int *p;
  bool b;
};
struct alignas(16) Wide {
  float4 v[2];
  char tail;
};
struct Large {
  int values[100];
  unsigned char bytes[3];
};
struct Base {
  int base;
};
struct Derived : Base {
  long long extra;
  __host__ __device__ long long total() const { return base + extra; }
};

namespace outer {
namespace inner {
__global__ void kernel(long long *out, Tiny t, Mixed m, Wide w, short s, Large l, char c,
                       Derived d) {
  int i = threadIdx.x;
  out[i] = t.c + static_cast<long long>(m.d) + m.s + *m.p + m.b + static_cast<long long>(w.v[1].z) +
           w.tail + s + l.values[i] + l.bytes[2] + c + d.total();
}
} // namespace inner
namespace {
__global__ void kernel(int *out) {
  out[threadIdx.x] = 1 + threadIdx.x;
}
__global__ void kernel(int *out, int add) {
  out[threadIdx.x] += add;
}
} // namespace
} // namespace outer

static __global__ void kernel(int *out, float scale) {
  out[threadIdx.x] *= static_cast<int>(scale);
}

struct Factory {
  template <class T> static void launch(T *out) { outer::kernel<<<1, 70>>>(out); }
};

int main() {
  const int n = 70;
  DeviceArray<long long> out(n);
  DeviceArray<int> number(std::vector<int>{1000}), small(n);
  Tiny t = {3};
  Mixed m = {'a', 1e6, -5, number, true};
  Wide w = {{make_float4(0, 0, 0, 0), make_float4(1, 2, 30, 4)}, 9};
  Large l;
  for (int i = 0; i < 100; ++i)
    l.values[i] = i * i;
  l.bytes[0] = l.bytes[1] = 0;
  l.bytes[2] = 200;
  Derived d;
  d.base = 1 << 20;
  d.extra = 1ll << 40;
  outer::inner::kernel<<<1, n>>>(out, t, m, w, -7, l, 'z', d);
  Factory::launch(static_cast<int *>(small));
  outer::kernel<<<1, n>>>(small, 10);
  kernel<<<1, n>>>(small, 3.0f);
  std::vector<long long> got = out.host();
  std::vector<int> gotSmall = small.host();
  for (int i = 0; i < n; ++i) {
    long long want = 3 + 1000000 - 5 + 1000 + 1 + 30 + 9 - 7 + i * i + 200 + 'z' + d.total();
    expectEqual(got[i], want, "struct arguments", i);
    expectEqual(gotSmall[i], (i + 11) * 3, "overloads", i);
  }
  return finish();
}
