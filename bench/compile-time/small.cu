// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest useful CUDA file: what a compiler costs before any real work.

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main() {
  float *x, *y;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMalloc(&y, 256 * sizeof(float));
  saxpy<<<1, 256>>>(256, 2.0f, x, y);
  return cudaDeviceSynchronize() != cudaSuccess;
}
