// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square n numbers, with a thread for each. A block has at most 1024 threads.

#include <cstdio>
#include <vector>

__global__ void square(int *numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    numbers[i] *= numbers[i];
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
  const int n = 2000;
  std::vector<int> numbers(n), expected(n);
  for (int i = 0; i < n; ++i) {
    numbers[i] = i;
    expected[i] = i * i;
  }
  int *device;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<1, n>>>(device, n);
  cudaMemcpy(numbers.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  return report(numbers.data(), expected.data(), n);
}
