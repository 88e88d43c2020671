// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse a block in shared memory. What one thread writes, another one reads.

#include <cstdio>

__global__ void reverse(int *numbers) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = numbers[t];
  numbers[t] = tile[255 - t];
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
  int numbers[256], expected[256], *device;
  for (int i = 0; i < 256; ++i) {
    numbers[i] = i;
    expected[i] = 255 - i;
  }
  cudaMalloc(&device, sizeof numbers);
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  reverse<<<1, 256>>>(device);
  cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost);
  return report(numbers, expected, 256);
}
