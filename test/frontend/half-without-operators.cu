// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros by which programs do without the conversions and operators of the 16-bit types, so as
// to have their own.
// RUN: %vxcc -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_HALF_OPERATORS__ \
// RUN:   -D__CUDA_NO_HALF2_OPERATORS__ -D__CUDA_NO_BFLOAT16_CONVERSIONS__ \
// RUN:   -D__CUDA_NO_BFLOAT16_OPERATORS__ -D__CUDA_NO_BFLOAT162_OPERATORS__ -DOWN %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: not %vxcc -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_HALF_OPERATORS__ %s -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// RUN: %vxcc %s -o %t

#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>

#ifdef OWN
__device__ __half operator+(__half a, __half b) { return __hsub(a, b); }
__device__ __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __hadd2(a, b); }
#else
// ERROR-DAG: error: {{.*}}'__half'
// ERROR-DAG: error: invalid operands to binary expression ('__half' and '__half')
__device__ __half twice(int x) {
  __half h = x;
  return h + h;
}
#endif

__global__ void compute(float *out) {
  __half a = __float2half(5.0f), b = __int2half_rn(2);
  __nv_bfloat162 c = __floats2bfloat162_rn(3.0f, 4.0f);
  out[0] = __half2float(a + b);
  out[1] = __high2float(c * c);
  out[2] = __half2float(hsqrt(__float2half(16.0f)));
}

int main() {
  float *out;
  cudaMallocManaged(&out, 3 * sizeof(float));
  compute<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  // CHECK: 3 8 4
  printf("%g %g %g\n", out[0], out[1], out[2]);
}
