// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Add up a block in shared memory. All threads of a block have to come to a barrier.

#include <cstdio>

__global__ void addUp(const int *numbers, int *sum) {
  __shared__ int part[128];
  int t = threadIdx.x;
  part[t] = numbers[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) {
      part[t] += part[t + half];
      __syncthreads();
    }
  }
  if (t == 0)
    *sum = part[0];
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
  int numbers[128], expected = 0, result = 0, *device, *sum;
  for (int i = 0; i < 128; ++i) {
    numbers[i] = i;
    expected += i;
  }
  cudaMalloc(&device, sizeof numbers);
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  addUp<<<1, 128>>>(device, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  return report(&result, &expected, 1);
}
