// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O3 %s -o %t
// RUN: %run %t load > %t.load 2>&1 && FileCheck --check-prefix=LOAD %s < %t.load
// RUN: env VX_SET=memory.read_slack=0 timeout 120 %t near-load > %t.near 2>&1 && FileCheck --check-prefix=NEAR %s < %t.near
// RUN: %run %t near-load > %t.slack 2>&1 && FileCheck --check-prefix=SLACK %s < %t.slack
// RUN: %run %t store > %t.store 2>&1 && FileCheck --check-prefix=STORE %s < %t.store
// RUN: %run %t atomic > %t.atomic 2>&1 && FileCheck --check-prefix=ATOMIC %s < %t.atomic
// RUN: %run %t freed > %t.freed 2>&1 && FileCheck --check-prefix=FREED %s < %t.freed
// RUN: %run %t host > %t.host 2>&1 && FileCheck --check-prefix=HOST %s < %t.host
// RUN: %run %t code > %t.code 2>&1 && FileCheck --check-prefix=CODE %s < %t.code
// RUN: %run %t inside > %t.inside 2>&1 && FileCheck --check-prefix=INSIDE %s < %t.inside
//
// Accesses one element past the end of an allocation of an odd size (loads are forgiven near it, as
// on a GPU, unless memory.read_slack is 0), far beyond it, to freed memory, to host memory and to
// the program itself.

#include "../Inputs/fault.h"
#include <cstring>

__global__ void load(const char *p, long n, char *out) {
  *out = p[n];
}
__global__ void store(char *p, long n) {
  p[n] = 1;
}
__global__ void atomic(char *p, long n) {
  // ATOMIC: kernel `atomic
  // ATOMIC: out-of-bounds.cu:[[#@LINE+1]]
  atomicAdd(reinterpret_cast<int *>(p + n), 1);
}

int main(int, char **argv) {
  const char *what = argv[1];
  const long size = 1000;
  char *p, *out;
  cudaMalloc(&p, size);
  cudaMalloc(&out, 16);
  if (!std::strcmp(what, "load")) {
    load<<<1, 1>>>(p, 1 << 29, out);
    // LOAD: {{.*}}load
    // LOAD: load: cudaErrorIllegalAddress
    // LOAD: ended normally
  } else if (!std::strcmp(what, "near-load")) {
    load<<<1, 1>>>(p, size, out);
    // NEAR: {{.*}}load
    // NEAR: near-load: cudaErrorIllegalAddress
    // NEAR: ended normally
    // SLACK: near-load: cudaSuccess
  } else if (!std::strcmp(what, "store")) {
    store<<<1, 1>>>(p, size);
    // STORE: {{.*}}store
    // STORE: store: cudaErrorIllegalAddress
    // STORE: ended normally
  } else if (!std::strcmp(what, "atomic")) {
    atomic<<<1, 1>>>(p, size);
    // ATOMIC: atomic: cudaErrorIllegalAddress
    // ATOMIC: ended normally
  } else if (!std::strcmp(what, "freed")) {
    cudaFree(p);
    store<<<1, 1>>>(p, 0);
    // FREED: {{.*}}store
    // FREED: freed: cudaErrorIllegalAddress
    // FREED: ended normally
  } else if (!std::strcmp(what, "host")) {
    static char onHost[8];
    store<<<1, 1>>>(onHost, 0);
    // HOST: {{.*}}store
    // HOST: host: cudaErrorIllegalAddress
    // HOST: ended normally
  } else if (!std::strcmp(what, "code")) {
    store<<<1, 1>>>(reinterpret_cast<char *>(0x80000000), 0);
    // CODE: {{.*}}store
    // CODE: code: cudaErrorIllegalAddress
    // CODE: ended normally
  } else if (!std::strcmp(what, "inside")) {
    store<<<1, 1>>>(p, size - 1);
    load<<<1, 1>>>(p, 0, out);
    // INSIDE: inside: cudaSuccess
    // INSIDE: ended normally
  }
  outcome(what);
  return ended();
}
