// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O1 %s -o %t
// RUN: vxcc-check %run %t size 2>&1 | FileCheck --check-prefixes=SIZE,ONE %s
// RUN: vxcc-check %run %t offset 2>&1 | FileCheck --check-prefixes=OFFSET,ONE %s
// RUN: vxcc-check %run %t host 2>&1 | FileCheck --check-prefixes=HOST,ONE %s
// RUN: vxcc-check %run %t freed 2>&1 | FileCheck --check-prefixes=FREED,ONE %s
// RUN: vxcc-check %run %t symbol 2>&1 | FileCheck --check-prefixes=SYMBOL,ONE %s
// RUN: vxcc-check %run %t block 2>&1 | FileCheck --check-prefixes=BLOCK,ONE %s
// RUN: vxcc-check --tool=initcheck %run %t block 2>&1 | FileCheck --check-prefixes=BLOCK,ONE %s
// RUN: vxcc-check %run %t shared 2>&1 | FileCheck --check-prefixes=SHARED,ONE %s
// RUN: vxcc-check %run %t device 2>&1 | FileCheck --check-prefixes=DEVICE,ONE %s
// RUN: vxcc-check %run %t kind 2>&1 | FileCheck --check-prefixes=KIND,ONE %s
// RUN: vxcc-check %run %t twice 2>&1 | FileCheck --check-prefixes=TWICE %s
// RUN: vxcc-check %run %t handled 2>&1 | FileCheck --check-prefixes=NONE %s
// RUN: vxcc-check --report-api-errors=no %run %t size 2>&1 | FileCheck --check-prefixes=NONE %s
// RUN: vxcc-check --tool=initcheck %run %t size 2>&1 | FileCheck --check-prefixes=NONE %s
// RUN: vxcc-check %run %t stack 2>&1 | FileCheck --check-prefixes=STACK %s
// RUN: %run %t stack 2>&1 | FileCheck --check-prefixes=FAULT %s
// RUN: vxcc-check %run %t heap 2>&1 | FileCheck --check-prefixes=HEAP %s
// RUN: vxcc-check %run %t global 2>&1 | FileCheck --check-prefixes=GLOBAL %s
// RUN: vxcc-check %run %t dynamic 2>&1 | FileCheck --check-prefixes=DYNAMIC %s
//
// Calls of the API that fail, and accesses to what is not the device's, with the reason in words.
//
// SIZE:        memcheck: cudaMemcpy failed: cudaErrorInvalidValue: invalid argument
// SIZE-NEXT:   the call is about 16388 bytes, the allocation has 16384
// SIZE-NEXT:   0 bytes into device memory, 16384 bytes at 0x
// SIZE:        called by
// SIZE-NEXT:   cudaMemcpy+
// SIZE-NEXT:   main+{{.*}}api-errors.cu:[[#]]
// OFFSET:      the call is about 16384 bytes at offset 4, the allocation has 16384
// HOST:        memcheck: cudaMemset failed: cudaErrorInvalidValue
// HOST-NEXT:   0x{{[0-9a-f]+}} is not in memory of the device; this is an address of the host's stack: a pointer to a local variable of host code
// FREED:       memcheck: cudaMemcpy failed: cudaErrorInvalidValue
// FREED-NEXT:  0x{{[0-9a-f]+}} is not in memory of the device
// FREED:       freed by
// SYMBOL:      memcheck: cudaMemcpyToSymbol failed: cudaErrorInvalidValue
// SYMBOL-NEXT: the copy is of 32 bytes at offset 16, the variable has 32
// BLOCK:       {{mem|init}}check: a launch failed, and its kernel did not run: cudaErrorInvalidConfiguration
// BLOCK-NEXT:  kernel `store(int*)`
// BLOCK-NEXT:  a block of (2048,1,1) has 2048 threads; the most is 1024
// SHARED:      a launch failed, and its kernel did not run: cudaErrorInvalidValue
// SHARED:      1048576 bytes of dynamic shared memory asked for; a launch has at most
// DEVICE:      memcheck: cudaSetDevice failed: cudaErrorInvalidDevice
// DEVICE-NEXT: there is no device 7; the last one is 0
// KIND:        memcheck: cudaMemcpy failed: cudaErrorInvalidMemcpyDirection
// KIND-NEXT:   16 is not a cudaMemcpyKind; the arguments are destination, source, size, kind
// TWICE:       ERROR SUMMARY: 2 errors
// ONE:         ERROR SUMMARY: 1 error{{;|$}}
// NONE-NOT:    failed
// NONE:        ERROR SUMMARY: 0 errors
// STACK:       memcheck: invalid write of 4 bytes of global memory
// STACK:       this is an address of the host's stack: a pointer to a local variable of host code
// FAULT:       stopped: illegal memory access, writing 4 bytes at 0x7f
// FAULT:       this is an address of the host's stack: a pointer to a local variable of host code
// HEAP:        this is an address of the host's {{heap|memory}}
// GLOBAL:      this is an address of {{a variable of host code|the host's memory|the host's heap}}
// DYNAMIC:     memcheck: invalid write of 4 bytes of shared memory
// DYNAMIC:     the launch gave 0 bytes of dynamic shared memory

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__device__ int variable[8];
int global[64];

__global__ void store(int *p) { p[threadIdx.x] = 1; }
__global__ void reverse(int *p) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[31 - threadIdx.x];
}

int main(int argc, char **argv) {
  static int host[4097];
  int *p, local[64];
  auto is = [&](const char *name) { return argc > 1 && !std::strcmp(argv[1], name); };
  cudaMalloc(&p, 16384);
  cudaMemset(p, 0, 16384);
  if (is("size"))
    cudaMemcpy(p, host, 16388, cudaMemcpyHostToDevice);
  if (is("offset"))
    cudaMemcpy(host, p + 1, 16384, cudaMemcpyDeviceToHost);
  if (is("host"))
    cudaMemset(local, 0, sizeof local);
  if (is("symbol"))
    cudaMemcpyToSymbol(variable, host, 32, 16);
  if (is("block"))
    store<<<1, 2048>>>(p);
  if (is("shared"))
    store<<<1, 32, 1 << 20>>>(p);
  if (is("device"))
    cudaSetDevice(7);
  if (is("kind"))
    cudaMemcpy(p, host, cudaMemcpyHostToDevice, cudaMemcpyKind(16));
  for (int i = 0; is("twice") && i < 3; ++i) {
    cudaMemcpy(p, host, 16388, cudaMemcpyHostToDevice); // one finding, three times
    if (i == 1)
      cudaFuncSetAttribute((const void *)host, cudaFuncAttributeMaxDynamicSharedMemorySize, 8);
  }
  if (is("handled"))
    std::printf("%s\n", cudaGetErrorString(cudaStreamQuery(nullptr)));
  if (is("stack"))
    store<<<1, 32>>>(local);
  if (is("heap"))
    store<<<1, 32>>>((int *)std::malloc(4096));
  if (is("global"))
    store<<<1, 32>>>(global);
  if (is("dynamic"))
    reverse<<<1, 32>>>(p);
  if (is("freed")) {
    cudaFree(p);
    cudaMemcpy(p, host, 16, cudaMemcpyHostToDevice);
  }
  cudaDeviceSynchronize();
}
