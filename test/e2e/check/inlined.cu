// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t
// RUN: env VX_CHECK=memcheck VX_SET=check.save=%t.json VX_LOWERING=hw %run %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: env VX_CHECK=memcheck VX_SET=check.save=%t.xml VX_LOWERING=sw %run %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=XML %s < %t.xml
// RUN: %vxcc -fvx-check -O2 %s -o %t.checked
// RUN: env VX_CHECK=racecheck,memcheck VX_LOWERING=hw %run %t.checked 2>&1 | FileCheck --check-prefix=RACE %s
//
// Lines in functions that are inlined: the calls that lead there, for both accesses of a race.
//
// CHECK:      ========= memcheck: invalid read of 4 bytes of global memory
// CHECK:      =========     at shift(int*){{.*}} {{.*}}inlined.cu:[[#@LINE+17]]
// CHECK-NEXT: =========     inlined at {{.*}}inlined.cu:[[#@LINE+19]] (call of {{.*}}load{{.*}})
// CHECK-NEXT: =========     inlined at {{.*}}inlined.cu:[[#@LINE+23]] (call of {{.*}}neighbour{{.*}})
// CHECK-NEXT: =========     0 bytes past the end of
// JSON:       "inlined": [{"file": "{{.*}}inlined.cu", "line": {{[0-9]+}}, "function": "{{.*}}load{{.*}}"}, {"file": "{{.*}}inlined.cu", "line": {{[0-9]+}}, "function": "{{.*}}neighbour{{.*}}"}], "notes"
// XML:        <inlined file="{{.*}}inlined.cu" line="{{[0-9]+}}" function="{{.*}}load{{.*}}"/>
// RACE:       ========= racecheck: {{read|write}} of 4 bytes of shared memory
// RACE:       =========     at race(int*){{.*}}
// RACE-NEXT:  =========     inlined at
// RACE:       =========     the {{read|write}} was by
// RACE-NEXT:  =========     at race(int*){{.*}}
// RACE-NEXT:  =========     inlined at

#include <cstdio>
#include <cuda_runtime.h>

template <typename T> __device__ __forceinline__ T load(const T *p) {
  return *p;
}
__device__ __forceinline__ int neighbour(const int *p, int i) {
  return load(p + i + 1);
}
__global__ void shift(int *p) {
  int i = threadIdx.x;
  if (i == 63)
    p[0] = neighbour(p, i);
}

__device__ __forceinline__ void put(int *to, int value) {
  *to = value;
}
__global__ void race(int *p) {
  __shared__ int tile[64];
  put(&tile[threadIdx.x], p[threadIdx.x]);
  put(&p[threadIdx.x], load(&tile[63 - threadIdx.x]));
}

int main() {
  int *p;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMemset(p, 0, 64 * sizeof(int));
  shift<<<1, 64>>>(p);
  race<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  std::puts("ran");
}
