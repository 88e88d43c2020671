// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
// RUN: %vxcc -O3 --vx-zicond=false --vx-xlen=32,64 %s -o %t.n
// RUN: env VX_SET=isa.zicond=false %run %t.n
// RUN: env VX_SET=isa.zicond=false,isa.xlen=32 %run %t.n
//
// 128-bit integers on the device: arithmetic, division and conversions as on the host.

#include "../Inputs/harness.h"

using Int = __int128;

struct Results {
  Int quotient, remainder, product;
  unsigned __int128 unsignedQuotient;
  double toDouble;
  long long fromDouble;
};

__host__ __device__ Results compute(unsigned x, unsigned y, int i) {
  Int a = (Int)x * y * (i % 2 ? -0x123456789abll : 0x3fll) + i, b = (Int)(int)y * (i % 3 + 1) + 7;
  Results r = {};
  r.quotient = a / b, r.remainder = a % b, r.product = a * b;
  r.unsignedQuotient = (unsigned __int128)a / (unsigned __int128)(b < 0 ? -b : b);
  r.toDouble = (double)a;
  r.fromDouble = (long long)((Int)(r.toDouble / 3) >> 20);
  return r;
}

__global__ void run(const unsigned *x, const unsigned *y, Results *out) {
  int i = threadIdx.x;
  out[i] = compute(x[i], y[i], i);
}

int main() {
  std::vector<unsigned> x(64), y(64);
  for (int i = 0; i < 64; ++i)
    x[i] = mixed(i), y[i] = mixed(i + 99);
  DeviceArray<unsigned> dx(x), dy(y);
  DeviceArray<Results> out(64);
  run<<<1, 64>>>(dx, dy, out);
  auto got = out.host();
  for (int i = 0; i < 64; ++i) {
    Results want = compute(x[i], y[i], i);
    expect(got[i].quotient == want.quotient, "quotient", i);
    expect(got[i].remainder == want.remainder, "remainder", i);
    expect(got[i].product == want.product, "product", i);
    expect(got[i].unsignedQuotient == want.unsignedQuotient, "unsigned quotient", i);
    expectEqual(got[i].toDouble, want.toDouble, "to double", i);
    expectEqual(got[i].fromDouble, want.fromDouble, "from double", i);
  }
  return finish();
}
