// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ONCE
#define ONCE
#include <cassert>
#include <cuda_runtime.h>
#include <vector>

#ifndef OWN_TIME
#define OWN_TIME 0
#endif

// Internal names are those of the device half.
static __device__ int secret = 5;
static __global__ void kernel(int *p) {
  assert(threadIdx.x < 2);
  atomicAdd(p, __shfl_sync(~0u, secret, 1) * int(sqrtf(4.0f)));
}

struct Fixed {
  Fixed() = default;
  Fixed(const Fixed &) = delete;
};

#ifdef LENIENT
constexpr // but a vector is not a literal type
#endif
int five() {
  std::vector<int> v(5);
  return int(v.size());
}

int main() {
  int unused;
#ifdef BAD_MOVE
  Fixed a, b;
  std::exchange(a, b);
#endif
  int *p, result = 0;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  kernel<<<1, 2>>>(p);
  cudaMemcpy(&result, p, sizeof(int), cudaMemcpyDefault);
  printf("time %d kernel %d\n", OWN_TIME, result == 20 ? five() : -result);
  return cudaGetLastError() != cudaSuccess;
}
#endif
