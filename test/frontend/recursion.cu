// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion with a boundary inside. A barrier in it has no region that could hold it: an error at the
// call. Warp functions in it are for the hardware only: silence by default (-Rvx-lower says why there
// is no sw variant), an error where software was
// asked for or the instruction set has no warp functions.
// RUN: %vxcc -O0 -Rvx-lower %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: env VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=4,core.num_threads=8 not %run %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %vxcc -O0 --lower=sw %s -o %t 2>&1 | FileCheck %s --check-prefix=SOFT
// RUN: not %vxcc -O0 --lower-kernel=kernel=sw %s -o %t 2>&1 | FileCheck %s --check-prefix=SOFT
// RUN: not %vxcc -O0 --target=host %s -o %t 2>&1 | FileCheck %s --check-prefix=SOFT
// RUN: not %vxcc -O0 --vx-isa=base %s -o %t 2>&1 | FileCheck %s --check-prefix=SOFT
// RUN: not %vxcc -O0 -DBARRIER %s -o %t 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not %vxcc -O0 --lower=hw -DBARRIER %s -o %t 2>&1 | FileCheck %s --check-prefix=BARRIER

// REMARK: note: kernel 'kernel(unsigned int*, int)': no sw variant: 'count(int)' is recursive and has warp functions
// REMARK: note: kernel 'kernel(unsigned int*, int)': hw variant
// REMARK-NOT: auto takes it
// NONE: kernel `kernel(unsigned int*, int)`: there is no variant for lowering sw (vxcc -Rvx-lower says why)

#include <cstdio>

__device__ __noinline__ unsigned count(int n) {
  if (n == 0)
    return 0;
  unsigned odd = __popc(__ballot_sync(~0u, threadIdx.x + n & 1));
  // SOFT: recursion.cu:[[#@LINE+1]]:{{[0-9]+}}: error: a recursive function with warp functions has no software lowering
  return odd + count(n - 1);
}
#ifdef BARRIER
__device__ __noinline__ int synchronize(int n) {
  if (n == 0)
    return 0;
  __syncthreads();
  // BARRIER: recursion.cu:[[#@LINE+1]]:{{[0-9]+}}: error: a recursive function with a barrier is not supported
  return n + synchronize(n - 1);
}
#endif
__global__ void kernel(unsigned *out, int n) {
  out[threadIdx.x] = count(n);
#ifdef BARRIER
  out[threadIdx.x] += synchronize(n);
#endif
}

int main() {
  unsigned *out, got[32];
  cudaMalloc(&out, sizeof got);
  kernel<<<1, 32>>>(out, 3);
  cudaError_t status = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  bool good = status == cudaSuccess && cudaGetLastError() == cudaSuccess;
  for (unsigned i = 0; good && i < 32; ++i)
    good = got[i] == 48;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
