// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy n numbers to the device and back. Sizes of copies are bytes.

#include <cstdio>
#include <vector>

__global__ void negate(int *numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    numbers[i] = -numbers[i];
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
  const int n = 512;
  std::vector<int> numbers(n), expected(n);
  for (int i = 0; i < n; ++i) {
    numbers[i] = i;
    expected[i] = -i;
  }
  int *device;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  negate<<<2, 256>>>(device, n);
  cudaMemcpy(numbers.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  return report(numbers.data(), expected.data(), n);
}
