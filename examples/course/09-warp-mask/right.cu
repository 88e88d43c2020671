// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcast the first value of half a warp. The member mask names the lanes that call.

#include <cstdio>

__global__ void broadcast(int *numbers) {
  int t = threadIdx.x, value = numbers[t];
  if (t < 16)
    value = __shfl_sync(0x0000ffff, value, 0);
  numbers[t] = value + 1;
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
  int numbers[32], expected[32], *device;
  for (int i = 0; i < 32; ++i) {
    numbers[i] = i + 5;
    expected[i] = (i < 16 ? 5 : i + 5) + 1;
  }
  cudaMalloc(&device, sizeof numbers);
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  broadcast<<<1, 32>>>(device);
  cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost);
  return report(numbers, expected, 32);
}
