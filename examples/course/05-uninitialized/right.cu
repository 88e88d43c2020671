// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Count the even numbers of an array. Memory of cudaMalloc has no value until it is written.

#include <cstdio>
#include <vector>

__global__ void countEven(const int *numbers, int n, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && numbers[i] % 2 == 0)
    atomicAdd(count, 1);
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
  const int n = 600;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = i;
  int *device, *count, result = 0, expected = n / 2;
  cudaMalloc(&device, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(device, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  countEven<<<3, 256>>>(device, n, count);
  cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost);
  return report(&result, &expected, 1);
}
