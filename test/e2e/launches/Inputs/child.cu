// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void child(int *p, int v) { atomicAdd(&p[threadIdx.x], v); }
static __global__ void hidden(int *p) { atomicAdd(p, 100); }
__device__ void launchHidden(int *p) { hidden<<<1, 1>>>(p); }
