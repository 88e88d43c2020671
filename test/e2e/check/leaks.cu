// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t
// RUN: %python %S/run-cases.py --tool=memcheck --set=check.leaks=true %t %s
//
// memcheck with check.leaks: memory that is not freed at the end of the program.

#include "cases.h"

static void runLeak(bool bad) {
  int *p = numbers<int>(4); // FINDS leak: leak on the host
  if (!bad)
    cudaFree(p);
}

static void runPoolLeak(bool bad) {
  int *p;
  cudaMallocAsync(&p, 64, 0); // FINDS pool-leak: leak on the host
  if (!bad)
    cudaFreeAsync(p, 0);
}

__global__ void heapLeak(int *to, bool leak) {
  int *p = static_cast<int *>(malloc(24)); // FINDS heap-leak: leak on the host
  p[1] = 4;
  to[0] = p[1];
  if (!leak)
    free(p);
}
static void runHeapLeak(bool bad) {
  int *to = numbers<int>(1);
  heapLeak<<<1, 1>>>(to, bad);
  cudaFree(to);
}

// The host's memory: what is locked into its pages, and what both sides have.
static void runPinnedLeak(bool bad) {
  void *p;
  cudaMallocHost(&p, 100); // FINDS pinned-leak: leak on the host
  if (!bad)
    cudaFreeHost(p);
}

static void runManagedLeak(bool bad) {
  int *p;
  cudaMallocManaged(&p, 40); // FINDS managed-leak: leak on the host
  heapLeak<<<1, 1>>>(p, false);
  cudaDeviceSynchronize();
  if (!bad)
    cudaFree(p);
}

static const Case cases[] = {
    {"leak", runLeak},
    {"pool-leak", runPoolLeak},
    {"heap-leak", runHeapLeak},
    {"pinned-leak", runPinnedLeak},
    {"managed-leak", runManagedLeak},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
