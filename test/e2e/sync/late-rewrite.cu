// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier is missing between what all warps read and what one of them writes some instructions later. Warps of a
// GPU execute in step, so programs have this and never fail; in functional mode neither, where a block's warps
// are on the device at once. racecheck finds it.
// UNSUPPORTED: paths
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_LOWERING=hw VX_MODE=functional VX_SET=core.num_warps=8,core.num_threads=32 %run %t | FileCheck %s
// RUN: env VX_LOWERING=hw VX_MODE=functional VX_SET=core.num_warps=32,core.num_threads=8 %run %t | FileCheck %s
// RUN: env VX_LOWERING=hw VX_MODE=functional VX_TRACE=commit:%t.trace VX_SET=core.num_warps=8,core.num_threads=32 %run %t | FileCheck %s
// RUN: %vxcc -O3 -fvx-check %s -o %t.check
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=8,core.num_threads=32 vxcc-check --tool=racecheck %t.check 2>&1 | FileCheck %s --check-prefix=RACE
// CHECK: 0 threads read the new value
// RACE: racecheck: write of 4 bytes of shared memory
// RACE: late-rewrite.cu:[[# @LINE + 19]]

#include <cstdio>

constexpr int kThreads = 256, kTotal = kThreads * (kThreads + 1) / 2;

__global__ void scaled(const int *in, int *seen, int *out) {
  __shared__ int s[kThreads];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = kThreads / 2; half; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  int total = s[0];
  seen[threadIdx.x] = total;
  for (int i = 0; i < 8; ++i)
    total = total * 5 + in[(threadIdx.x + i) % kThreads];
  s[threadIdx.x] = total; // a warp that has not read s[0] yet would read this
  __syncthreads();
  out[threadIdx.x] = s[kThreads - 1 - threadIdx.x];
}

int main() {
  int *in, *seen, *out, wrong = 0;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  cudaMallocManaged(&seen, kThreads * sizeof(int));
  cudaMallocManaged(&out, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i)
    in[i] = i + 1;
  scaled<<<1, kThreads>>>(in, seen, out);
  if (cudaError_t e = cudaDeviceSynchronize())
    std::printf("%s\n", cudaGetErrorName(e));
  for (int i = 0; i < kThreads; ++i)
    wrong += seen[i] != kTotal;
  std::printf("%d threads read the new value\n", wrong);
}
