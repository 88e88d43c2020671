// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices without conditional-zero instructions: a program built for them runs, in hw and sw and with
// 32-bit registers; one that holds both images takes the one of the device; one that needs them is
// refused with the cure.
// RUN: %vxcc -O3 -I%inputs --vx-zicond=false %s -o %t.without
// RUN: env VX_LOWERING=hw VX_SET=isa.zicond=false,core.num_threads=8 %run %t.without
// RUN: env VX_LOWERING=sw VX_SET=isa.zicond=false,%no_warp_isa %run %t.without
// RUN: %run %t.without
// RUN: %vxcc -O3 -I%inputs --vx-zicond=true,false --vx-xlen=32,64 %s -o %t.both
// RUN: env VX_SET=isa.zicond=false %run %t.both
// RUN: env VX_SET=isa.zicond=false,isa.xlen=32 %run %t.both
// RUN: env VX_SET=isa.zicond=true %run %t.both
// RUN: %vxcc -O3 -I%inputs %s -o %t.with
// RUN: env VX_SET=isa.zicond=false %run %t.with refused 2>&1 | FileCheck %s
// CHECK: no Zicond (isa.zicond); the program holds: auto/{{warp|paths}}/rv64; compile it with --vx-zicond=false
// CHECK: PASS
// RUN: %vxcc --emit=asm --vx-zicond=false -I%inputs %s -o - | FileCheck %s --check-prefix=ASM
// RUN: %vxcc --emit=asm -I%inputs %s -o - | FileCheck %s --check-prefix=ZICOND
// RUN: not %vxcc --emit=asm --vx-zicond=true,false -I%inputs %s -o - 2>&1 | FileCheck %s --check-prefix=ONE
// ASM-NOT: czero
// ZICOND: czero
// ONE: error: value 'true,false' is not defined for option 'vx-zicond'; allowed: true, false

#include "harness.h"
#include <cstring>

__host__ __device__ inline long long chosen(int a, int b) {
  long long x = a < b ? a : b * 3ll;
  if (a & 4)
    x = max(x, (long long)b);
  return abs((int)x) + min(a, b) + (a % 3 == 1 ? 7 : 0);
}

__global__ void choose(const int *in, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int other = __shfl_xor_sync(~0u, in[i], 1);
  out[i] = chosen(in[i], other);
}

int main(int argc, char **argv) {
  const int n = 96;
  std::vector<int> values(n);
  for (int i = 0; i < n; i++)
    values[i] = int(mixed(i)) >> 8;
  DeviceArray<int> in(values);
  DeviceArray<long long> out(n);
  choose<<<n / 32, 32>>>(in, out, n);
  if (argc > 1) {
    expect(cudaGetLastError() == cudaErrorNoKernelImageForDevice, "error of the launch");
    return finish();
  }
  std::vector<long long> got = out.host();
  for (int i = 0; i < n; i++)
    expectEqual(got[i], chosen(values[i], values[i ^ 1]), "result", i);
  return finish();
}
