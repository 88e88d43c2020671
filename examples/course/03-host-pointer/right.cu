// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Double the elements of an array. The kernel needs memory of the device.

#include <cstdio>

__global__ void twice(int *numbers, int n) {
  int i = threadIdx.x;
  if (i < n)
    numbers[i] *= 2;
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
  const int n = 64;
  int numbers[n], expected[n];
  for (int i = 0; i < n; ++i) {
    numbers[i] = i;
    expected[i] = 2 * i;
  }
  int *device;
  cudaMalloc(&device, sizeof numbers);
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  twice<<<1, n>>>(device, n);
  cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost);
  return report(numbers, expected, n);
}
