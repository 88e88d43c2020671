// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mapping adds to a kernel is on source lines: loops over threads and values that live across a
// barrier on the barrier's, the rest on the line where the kernel opens.
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_LOWERING=hw VX_PROFILE=%t.hw %run %t && %python %S/Inputs/check-profile.py %t.hw.txt
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane VX_PROFILE=%t.sw %run %t && %python %S/Inputs/check-profile.py %t.sw.txt

#include "../Inputs/harness.h"

__global__ void sums(const float *in, float *out, int n) { // the kernel opens
  __shared__ float tile[64];
  float sum = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    tile[threadIdx.x] = in[base + threadIdx.x];
    __syncthreads(); // written
    for (int i = 0; i < 8; ++i)
      sum += tile[(threadIdx.x + i) % 64];
    __syncthreads(); // read
  }
  out[threadIdx.x] = sum;
}

int main() {
  const int n = 512;
  std::vector<float> in(n, 1);
  DeviceArray<float> deviceIn(in), out(64);
  sums<<<1, 64>>>(deviceIn, out, n);
  for (float sum : out.host())
    expectEqual(sum, float(n / 8), "sum");
  return finish();
}
