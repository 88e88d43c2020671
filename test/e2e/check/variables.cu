// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: %python %S/run-cases.py --tool=memcheck,initcheck --configurations=hw,sw %t %s
// RUN: env VX_CHECK=memcheck %run %t local-behind bad 2>&1 | FileCheck --check-prefix=LOCAL %s
// RUN: env VX_CHECK=memcheck %run %t variable-behind bad 2>&1 | FileCheck --check-prefix=VARIABLE %s
// RUN: %vxcc -G -fvx-check %s -o %t.g && env VX_CHECK=memcheck %run %t.g local-behind bad 2>&1 | FileCheck --check-prefix=LOCAL %s
// LOCAL:    0 bytes past the end of the local array `row`, 40 bytes
// VARIABLE: 0 bytes past the end of variable `counts`, 28 bytes
//
// Code that is compiled to be checked: accesses from one variable to the next, of local arrays, of
// shared memory and of the image, reads of local memory that has not been written, and vectors at
// addresses that are aligned for their elements only.

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

// --- variables of the image ---

__constant__ int limits[6] = {1, 2, 3, 4, 5, 6};
__constant__ int filled[5];
__global__ void readConstant(int *to, int first) {
  to[threadIdx.x] = limits[first + threadIdx.x]; // FINDS constant-behind: invalid-read
  to[threadIdx.x] += filled[(first + threadIdx.x) % 5];
}
static void runConstantBehind(bool bad) {
  const int values[5] = {1, 2, 3, 4, 5};
  cudaMemcpyToSymbol(filled, values, sizeof values);
  readConstant<<<1, 4>>>(numbers<int>(4), bad ? 3 : 2);
}
__global__ void readFilled(int *to, int first) {
  to[threadIdx.x] = filled[first + int(threadIdx.x)]; // FINDS constant-before: invalid-read
}
static void runConstantBefore(bool bad) { readFilled<<<1, 4>>>(numbers<int>(4), bad ? -1 : 1); }

__device__ int counts[7];
__device__ double totals[3] = {1, 2, 3};
alignas(8) static __device__ char flags[6];
__global__ void writeCounts(int n) {
  if (threadIdx.x < n)
    counts[threadIdx.x] = 1; // FINDS variable-behind: invalid-write
}
static void runVariableBehind(bool bad) { writeCounts<<<1, 32>>>(bad ? 8 : 7); }
__global__ void writeTotals(int first) {
  totals[first + int(threadIdx.x)] += 1; // FINDS variable-before: invalid-read FINDS variable-before: invalid-write
}
static void runVariableBefore(bool bad) { writeTotals<<<1, 3>>>(bad ? -1 : 0); }
__global__ void addFlags(int place) {
  atomicAdd(reinterpret_cast<int *>(flags + place * 4), 1); // FINDS variable-half: invalid-write
}
static void runVariableHalf(bool bad) { addFlags<<<1, 2>>>(bad); }

__global__ void readsVector(const float *from, float *to) {
  float4 v = reinterpret_cast<const float4 *>(from)[threadIdx.x]; // FINDS vector-read: misaligned
  to[threadIdx.x] = v.x + v.w;
}
static void runVectorRead(bool bad) {
  readsVector<<<1, 8>>>(numbers<float>(40) + (bad ? 2 : 4), numbers<float>(8));
}

__global__ void writesVector(float *to) {
  float2 *pairs = reinterpret_cast<float2 *>(to);
  pairs[threadIdx.x] = make_float2(1, threadIdx.x); // FINDS vector-write: misaligned
}
static void runVectorWrite(bool bad) { writesVector<<<1, 8>>>(numbers<float>(24) + (bad ? 1 : 2)); }

static const Case cases[] = {
    {"local-behind", runLocalBehind},
    {"local-before", runLocalBefore},
    {"local-unwritten", runLocalUnwritten},
    {"local-in-function", runLocalInFunction},
    {"local-across-barrier", runLocalAcross},
    {"shared-next", runSharedNext},
    {"constant-behind", runConstantBehind},
    {"constant-before", runConstantBefore},
    {"variable-behind", runVariableBehind},
    {"variable-before", runVariableBefore},
    {"variable-half", runVariableHalf},
    {"vector-read", runVectorRead},
    {"vector-write", runVectorWrite},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
