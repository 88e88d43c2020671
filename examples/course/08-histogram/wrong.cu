// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Count how often each of 16 values occurs. Many threads add to one counter.

#include <cstdio>
#include <vector>

__global__ void histogram(const int *values, int n, int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    counts[values[i]] += 1;
}

static int report(const int *result, const int *expected, int n) {
  for (int i = 0; i < n; ++i)
    if (result[i] != expected[i]) {
      std::printf("element %d is %d, expected %d\n", i, result[i], expected[i]);
      return 1;
    }
  std::printf("right\n");
  return 0;
}

int main() {
  const int n = 1024, bins = 16;
  std::vector<int> values(n), expected(bins), result(bins);
  for (int i = 0; i < n; ++i) {
    values[i] = i * 7 % bins;
    ++expected[values[i]];
  }
  int *device, *counts;
  cudaMalloc(&device, n * sizeof(int));
  cudaMalloc(&counts, bins * sizeof(int));
  cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram<<<4, 256>>>(device, n, counts);
  cudaMemcpy(result.data(), counts, bins * sizeof(int), cudaMemcpyDeviceToHost);
  return report(result.data(), expected.data(), bins);
}
