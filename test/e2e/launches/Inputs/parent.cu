// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

__global__ void child(int *p, int v);
extern __device__ void launchHidden(int *p);

__global__ void parent(int *p) {
  if (threadIdx.x == 0) {
    child<<<1, 4>>>(p, 5);
    launchHidden(p);
  }
}

int main() {
  int *p, got[4];
  cudaMalloc(&p, sizeof got);
  cudaMemset(p, 0, sizeof got);
  parent<<<2, 32>>>(p);
  cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", got[0], got[3], cudaGetErrorName(cudaGetLastError()));
}
