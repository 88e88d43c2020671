// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand a value from one block to another one, by a flag that both see.

#include <cstdio>

__global__ void handOver(int *value, volatile int *flag, int *result) {
  if (blockIdx.x == 0) {
    *value = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    __threadfence();
    *result = *value;
  }
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
  int *value, *flag, *device, result = 0, expected = 42;
  cudaMalloc(&value, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&device, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  handOver<<<2, 1>>>(value, flag, device);
  cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
  return report(&result, &expected, 1);
}
