// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -I%inputs %s -o %t && %shapes --few %t
// RUN: not %vxcc -DEMPLACE -I%inputs -c %s -o %t.o 2>&1 | FileCheck %s
//
// thrust::optional on both sides. With optional<T &>, emplace() calls a member that does not exist:
// an error, as with nvcc, where it is called, and only there.
// CHECK: error: no member named 'construct' in 'thrust::optional<T &>'

#include "harness.h"
#include <thrust/optional.h>

__host__ __device__ int sum(int x) {
  thrust::optional<int> some = x, none;
  thrust::optional<int &> reference = x;
  *reference += 1;
#ifdef EMPLACE
  reference.emplace(x);
#endif
  return *some + none.value_or(7) + 10 * x + (none ? 1000 : 0) + (reference ? 100 : 0);
}

__global__ void onDevice(int *out) {
  out[threadIdx.x] = sum(threadIdx.x);
}

int main() {
  DeviceArray<int> out(32);
  onDevice<<<1, 32>>>(out);
  auto result = out.host();
  for (int i = 0; i < 32; ++i) {
    expectEqual(result[i], sum(i), "sum", i);
    expectEqual(sum(i), 11 * i + 117, "on the host", i);
  }
  return finish();
}
