// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Add two vectors of n elements. The last block has threads too many.

#include <cstdio>
#include <vector>

__global__ void add(const int *a, const int *b, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i];
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
  const int n = 1000;
  std::vector<int> a(n), b(n), expected(n), result(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 3 * i;
    expected[i] = 4 * i;
  }
  int *da, *db, *dsum;
  cudaMalloc(&da, n * sizeof(int));
  cudaMalloc(&db, n * sizeof(int));
  cudaMalloc(&dsum, n * sizeof(int));
  cudaMemcpy(da, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(da, db, dsum, n);
  cudaMemcpy(result.data(), dsum, n * sizeof(int), cudaMemcpyDeviceToHost);
  return report(result.data(), expected.data(), n);
}
