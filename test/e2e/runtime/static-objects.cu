// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t && %run %t | FileCheck %s
// RUN: %vxcc -O2 -rdc=true %s -o %t.rdc && %run %t.rdc | FileCheck %s
//
// Objects with static storage launch kernels before main and after it.
//
// CHECK:      constructor function: cudaSuccess, 7
// CHECK-NEXT: constructor: cudaSuccess, 1
// CHECK-NEXT: main: 2
// CHECK-NEXT: destructor: cudaSuccess, 3
// CHECK-NEXT: PASS

#include <cstdio>

__device__ int variable = 7;

__global__ void add(int *p) {
  ++*p;
}

__attribute__((constructor)) static void beforeAll() {
  int got = 0;
  cudaError_t error = cudaMemcpyFromSymbol(&got, variable, sizeof got);
  std::printf("constructor function: %s, %d\n", cudaGetErrorName(error), got);
}

struct Counter {
  int *memory;
  Counter() {
    cudaMalloc(&memory, sizeof(int));
    cudaMemset(memory, 0, sizeof(int));
    print("constructor");
  }
  ~Counter() {
    bool good = print("destructor") == 3;
    good &= cudaFree(memory) == cudaSuccess;
    std::puts(good ? "PASS" : "FAIL");
  }
  int count() {
    int got = 0;
    add<<<1, 1>>>(memory);
    cudaMemcpy(&got, memory, sizeof got, cudaMemcpyDeviceToHost);
    return got;
  }
  int print(const char *where) {
    int got = count();
    std::printf("%s: %s, %d\n", where, cudaGetErrorName(cudaGetLastError()), got);
    return got;
  }
};

static Counter counter;

int main() {
  std::printf("main: %d\n", counter.count());
}
