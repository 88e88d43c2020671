// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: %python %S/run-cases.py --tool=memcheck,initcheck --configurations=hw,sw %t %s
//
// Code that is compiled to be checked: accesses from one variable to the next, of local arrays and of
// shared memory, and reads of local memory that has not been written.

#include "cases.h"

__global__ void behind(int *to, int n) {
  int row[10];
  for (int i = 0; i < n; ++i)
    row[i] = i; // FINDS local-behind: invalid-write
  to[threadIdx.x] = row[threadIdx.x % 10];
}
static void runLocalBehind(bool bad) { behind<<<2, 32>>>(numbers<int>(32), bad ? 11 : 10); }

__global__ void before(int *to, int first) {
  char row[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  to[threadIdx.x] = row[first + int(threadIdx.x % 8)]; // FINDS local-before: invalid-read
}
static void runLocalBefore(bool bad) { before<<<1, 32>>>(numbers<int>(32), bad ? -1 : 0); }

__global__ void unwritten(int *to, int n) {
  int row[8];
  for (int i = 0; i < n; ++i)
    row[i] = to[i];
  to[threadIdx.x + 8] = row[threadIdx.x]; // FINDS local-unwritten: uninitialized-read
}
static void runLocalUnwritten(bool bad) { unwritten<<<1, 8>>>(numbers<int>(16), bad ? 7 : 8); }

__noinline__ __device__ int sumOf(const int *values, int n) {
  int copy[4];
  for (int i = 0; i < n; ++i)
    copy[i] = values[i]; // FINDS local-in-function: invalid-write
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += copy[i] * i;
  return sum;
}
__global__ void calls(int *values, int *to, int n) {
  to[threadIdx.x] = sumOf(values, n) + sumOf(values + 1, 4);
}
static void runLocalInFunction(bool bad) {
  calls<<<1, 16>>>(numbers<int>(8), numbers<int>(16), bad ? 5 : 4);
}

__global__ void acrossBarrier(int *to, int place) {
  int row[6];
  for (int i = 0; i < 6; ++i)
    row[i] = to[threadIdx.x] + i;
  __syncthreads();
  to[threadIdx.x] = row[place + threadIdx.x % 2]; // FINDS local-across-barrier: invalid-read
}
static void runLocalAcross(bool bad) { acrossBarrier<<<2, 32>>>(numbers<int>(32), bad ? 5 : 4); }

__global__ void next(int *to, int n) {
  __shared__ int first[16], second[16];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    first[i] = i; // FINDS shared-next: invalid-write
  second[threadIdx.x] = 3;
  __syncthreads();
  to[threadIdx.x] = first[threadIdx.x] + second[15 - threadIdx.x];
}
static void runSharedNext(bool bad) { next<<<2, 16>>>(numbers<int>(16), bad ? 17 : 16); }

static const Case cases[] = {
    {"local-behind", runLocalBehind},
    {"local-before", runLocalBefore},
    {"local-unwritten", runLocalUnwritten},
    {"local-in-function", runLocalInFunction},
    {"local-across-barrier", runLocalAcross},
    {"shared-next", runSharedNext},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
