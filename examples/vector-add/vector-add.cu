// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector addition: the smallest complete CUDA program. One thread adds one pair of numbers.
// usage: vector-add [elements]

#include "../common/example.h"
#include <vector>

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int n = sizeArgument(argc, argv, 1, 100003);
  const size_t bytes = n * sizeof(float);
  Random random(1);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = random.nextFloat();
    b[i] = random.nextFloat();
  }

  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, bytes));
  CHECK(cudaMalloc(&deviceB, bytes));
  CHECK(cudaMalloc(&deviceC, bytes));
  CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

  const int threads = 256, blocks = (n + threads - 1) / threads;
  DeviceTimer timer;
  vectorAdd<<<blocks, threads>>>(deviceA, deviceB, deviceC, n);
  CHECK(cudaGetLastError());
  float milliseconds = timer.stop();
  CHECK(cudaMemcpy(c.data(), deviceC, bytes, cudaMemcpyDeviceToHost));

  long mismatches = 0;
  for (int i = 0; i < n; ++i)
    mismatches += c[i] != a[i] + b[i];
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));
  std::printf("vector-add: %d elements, %d blocks of %d threads, %.3f ms\n", n, blocks, threads,
              milliseconds);
  return verdict(mismatches);
}
