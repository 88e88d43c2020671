// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// atomicAdd and atomicExch on float and double, on global and shared memory, and maxima of floats
// by compare-and-swap. The numbers are multiples of a power of two: the sums are exact in any
// order.

#include "../Inputs/harness.h"
#include <algorithm>

__device__ float atomicMaxFloat(float *address, float value) {
  int *bits = reinterpret_cast<int *>(address), old = *static_cast<volatile int *>(bits), seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= value)
      break;
    old = atomicCAS(bits, seen, __float_as_int(value));
  } while (old != seen);
  return __int_as_float(old);
}

__global__ void accumulate(const float *values, int n, float *floats, double *doubles) {
  __shared__ float localFloat;
  __shared__ double localDouble;
  if (threadIdx.x == 0) {
    localFloat = 0;
    localDouble = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&floats[0], values[i]);
    atomicAdd(&doubles[0], static_cast<double>(values[i]) * 0.25);
    atomicAdd(&localFloat, -values[i]);
    atomicAdd(&localDouble, static_cast<double>(values[i]) + 1.0);
    if (i % 5 < 3)
      atomicMaxFloat(&floats[2], values[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float was = atomicAdd(&floats[1], localFloat);
    double wasDouble = atomicAdd(&doubles[1], localDouble);
    atomicAdd(&doubles[2], (was == 0) + 2.0 * (wasDouble == 0)); // one block is the first of each
    atomicExch(&floats[3], 2.5f);
  }
}

int main() {
  const int n = 170;
  std::vector<float> values(n);
  double sum = 0;
  float highest = -1e30f;
  for (int i = 0; i < n; ++i) {
    values[i] = (static_cast<int>(mixed(i) % 4001) - 2000) * 0.125f;
    sum += values[i];
    if (i % 5 < 3)
      highest = std::max(highest, values[i]);
  }
  DeviceArray<float> deviceValues(values), floats(std::vector<float>{0, 0, -1e30f, 0});
  DeviceArray<double> doubles(3);
  accumulate<<<4, 45>>>(deviceValues, n, floats, doubles);
  CHECK(cudaGetLastError());
  std::vector<float> gotFloats = floats.host();
  std::vector<double> gotDoubles = doubles.host();
  expectEqual(gotFloats[0], static_cast<float>(sum), "float, global");
  expectEqual(gotFloats[1], static_cast<float>(-sum), "float, shared");
  expectEqual(gotFloats[2], highest, "maximum");
  expectEqual(gotFloats[3], 2.5f, "exchange");
  expectEqual(gotDoubles[0], sum * 0.25, "double, global");
  expectEqual(gotDoubles[1], sum + n, "double, shared");
  expectEqual(gotDoubles[2], 3.0, "old values");
  return finish();
}
