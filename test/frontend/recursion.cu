// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion with a boundary inside, warp functions or barriers or both of them: it has both variants.
// RUN: %vxcc -O0 -Rvx-lower %s -o %t 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: %vxcc -O0 --target=host %s -o %t && %run %t
// RUN: %vxcc -O0 -Rvx-lower -DBARRIER %s -o %t 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=4,core.num_threads=8 %run %t

// WARP-NOT: no sw variant
// WARP: note: kernel 'kernel(unsigned int*, int)': hw variant

#include <cstdio>

__device__ __noinline__ unsigned count(int n) {
  if (n == 0)
    return 0;
  unsigned odd = __popc(__ballot_sync(~0u, threadIdx.x + n & 1));
#ifdef BARRIER
  __syncthreads();
#endif
  return odd + count(n - 1) * 3;
}
__global__ void kernel(unsigned *out, int n) {
  out[threadIdx.x] = count(n);
}

int main() {
  unsigned *out, got[32];
  cudaMalloc(&out, sizeof got);
  kernel<<<1, 32>>>(out, 3);
  cudaError_t status = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  bool good = status == cudaSuccess && cudaGetLastError() == cudaSuccess;
  for (unsigned i = 0; good && i < 32; ++i)
    good = got[i] == 208;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
