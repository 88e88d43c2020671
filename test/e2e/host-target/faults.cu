// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --target=host %s -o %t
// RUN: %run %t a 2>&1 | FileCheck --check-prefix=ASSERT %s
// RUN: %run %t n 2>&1 | FileCheck --check-prefix=NULL %s
// RUN: %run %t o 2>&1 | FileCheck --check-prefix=BEYOND %s
// RUN: %run %t s 2>&1 | FileCheck --check-prefix=STACK %s
// RUN: %run %t t 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %run %t d 2>&1 | FileCheck --check-prefix=DIVIDE %s
// RUN: %run %t l 2>&1 | FileCheck --check-prefix=NEAR %s
// RUN: %run %t w 2>&1 | FileCheck --check-prefix=WRITE %s
// RUN: bash -c 'ulimit -v 4000000; exec %run %t l' 2>&1 | FileCheck --check-prefix=NEAR %s
//
// Kernels as code of the host that do something wrong: the program gets an error and continues.

#include "../Inputs/fault.h"
#include <cassert>

__global__ void store(int *p, int i) { p[i + threadIdx.x] = 1; }
__global__ void load(const int *p, long i, int *out) { *out = p[i] + p[-i]; }
__device__ int sum(int n) {
  volatile int values[64];
  values[n % 64] = n;
  return n < 1 ? 0 : sum(n - 1) + values[n % 64];
}
__global__ void recurse(int *p, int n) { *p = sum(n); }
__global__ void stop() {
  if (threadIdx.x == 3)
    __trap();
}
__global__ void claim(int x) { assert(x == 1); }
__global__ void divide(int *p, int zero) { *p = 7 / zero + 5 % zero; }

int main(int, char **argv) {
  int *p;
  cudaMalloc(&p, 400);
  switch (argv[1][0]) {
  case 'a':
    claim<<<1, 2>>>(3);
    break;
  case 'n':
    store<<<1, 1>>>(nullptr, 0);
    break;
  case 'o':
    store<<<2, 10>>>(p, 1 << 26);
    break;
  case 's':
    recurse<<<1, 1>>>(p, 10000000);
    break;
  case 't':
    stop<<<3, 10>>>();
    break;
  case 'l': // a neighbour beyond either end may be read, as on a GPU
    load<<<1, 1>>>(p, 2000, p);
    break;
  case 'w':
    store<<<1, 1>>>(p, 2000);
    break;
  case 'd':
    divide<<<1, 1>>>(p, 0);
    break;
  }
  outcome(argv[1]);
  return ended();
}
// ASSERT: faults.cu:{{.*}} Assertion `x == 1` failed.
// ASSERT: a: cudaErrorAssert
// ASSERT: ended normally
// NULL: kernel `store(int*, int)` stopped: illegal memory access, writing at 0x0
// NULL-NEXT: block: [0,0,0]
// NULL-NEXT: {{.*}}faults.cu:18
// NULL: n: cudaErrorIllegalAddress
// BEYOND: illegal memory access, writing at 0x{{[0-9a-f]+}}
// BEYOND: o: cudaErrorIllegalAddress
// STACK: stack overflow
// STACK: s: cudaErrorHardwareStackError
// TRAP: kernel `stop()` stopped: breakpoint
// TRAP: t: cudaErrorLaunchFailure
// DIVIDE: d: cudaSuccess
// DIVIDE: ended normally
// NEAR-NOT: stopped
// NEAR: l: cudaSuccess
// NEAR: ended normally
// WRITE: kernel `store(int*, int)` stopped: illegal memory access, writing at
// WRITE: w: cudaErrorIllegalAddress
// WRITE: ended normally
