// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t
// RUN: %python %S/run-cases.py --tool=initcheck --configurations=hw,sw,timing %t %s
//
// initcheck: reads of what was never written, each found at its line; none in the corrected twin.

#include "cases.h"

__global__ void sum(const int *from, int *to, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i)
    total += from[i]; // FINDS never-written: uninitialized-read FINDS half-filled: uninitialized-read FINDS stream: uninitialized-read FINDS one-missing: uninitialized-read
  to[threadIdx.x] = total;
}
static void runNeverWritten(bool bad) {
  int *from, *to;
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMalloc(&to, 32 * sizeof(int));
  if (!bad)
    cudaMemset(from, 0, 64 * sizeof(int));
  sum<<<1, 32>>>(from, to, 64);
}
static void runHalfFilled(bool bad) {
  int *from, *to;
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMalloc(&to, sizeof(int));
  cudaMemset(from, 0, 32 * sizeof(int));
  sum<<<1, 1>>>(from, to, bad ? 33 : 32);
}
static void runStream(bool bad) {
  int *from, *to = numbers<int>(1);
  cudaMallocAsync(&from, 64, 0);
  if (!bad)
    cudaMemsetAsync(from, 1, 64, 0);
  sum<<<1, 1>>>(from, to, 16);
  cudaFreeAsync(from, 0);
}

__global__ void fill(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = i;
}
static void runOneMissing(bool bad) {
  int *p, *to = numbers<int>(1);
  cudaMalloc(&p, 100 * sizeof(int));
  fill<<<4, 32>>>(p, bad ? 99 : 100);
  sum<<<1, 1>>>(p, to, 100);
}

__global__ void tileOfAll(int *to, int last) {
  __shared__ int tile[64];
  if (threadIdx.x < last)
    tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  to[threadIdx.x] = tile[63 - threadIdx.x]; // FINDS shared-missing: uninitialized-read
}
static void runSharedMissing(bool bad) {
  int *to = numbers<int>(64);
  tileOfAll<<<2, 64>>>(to, bad ? 63 : 64);
}

__global__ void leftBehind(int *to, bool onlyFirst) {
  extern __shared__ int kept[];
  if (!onlyFirst || blockIdx.x == 0)
    kept[threadIdx.x] = 5;
  __syncthreads();
  to[blockIdx.x] = kept[0]; // FINDS block-before: uninitialized-read
}
static void runBlockBefore(bool bad) {
  int *to = numbers<int>(64);
  leftBehind<<<64, 4, 1024>>>(to, bad);
}

__global__ void heap(int *to, bool writes) {
  volatile int *p = static_cast<int *>(malloc(32));
  if (writes)
    p[3] = 4;
  to[0] = p[3]; // FINDS heap: uninitialized-read
  free(const_cast<int *>(p));
}
static void runHeap(bool bad) {
  int *to = numbers<int>(1);
  heap<<<1, 1>>>(to, true); // the memory is used again
  heap<<<1, 1>>>(to, !bad);
}

__global__ void count(int *counter) {
  atomicAdd(counter, 1); // FINDS atomic: uninitialized-read
}
static void runAtomic(bool bad) {
  int *counter;
  cudaMalloc(&counter, sizeof(int));
  if (!bad)
    cudaMemset(counter, 0, sizeof(int));
  count<<<1, 32>>>(counter);
}

struct Padded {
  char first;
  int second;
};
__global__ void makePadded(Padded *p, bool both) {
  p[threadIdx.x].first = 1;
  if (both)
    p[threadIdx.x].second = 2;
}
__global__ void copyPadded(const Padded *from, Padded *to) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void usePadded(const Padded *from, int *to) {
  to[threadIdx.x] = from[threadIdx.x].second; // FINDS padding: uninitialized-read
}
static void runPadding(bool bad) {
  Padded *a, *b;
  int *to = numbers<int>(32);
  cudaMalloc(&a, 32 * sizeof(Padded));
  cudaMalloc(&b, 32 * sizeof(Padded));
  makePadded<<<1, 32>>>(a, !bad);
  if (!bad)
    copyPadded<<<1, 32>>>(a, b);
  usePadded<<<1, 32>>>(bad ? a : b, to);
}

static const Case cases[] = {
    {"never-written", runNeverWritten}, {"half-filled", runHalfFilled},
    {"stream", runStream},              {"one-missing", runOneMissing},
    {"shared-missing", runSharedMissing}, {"block-before", runBlockBefore},
    {"heap", runHeap},                  {"atomic", runAtomic},
    {"padding", runPadding},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
