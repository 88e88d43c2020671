// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of wrong cases: PROGRAM CASE bad|good. Each case runs kernels with `bad` true or false.

#ifndef TEST_E2E_CHECK_CASES_H
#define TEST_E2E_CHECK_CASES_H

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

struct Case {
  const char *name;
  void (*run)(bool bad);
};

/// Device memory of N elements with values 0, 1, 2, ….
template <typename T> T *numbers(int n) {
  T *p, host[256];
  for (int i = 0; i < n; ++i)
    host[i] = T(i);
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

/// Runs the case that the arguments name. The good one has to end without an error.
template <int N> int runCase(const Case (&cases)[N], int argc, char **argv) {
  for (const Case &c : cases)
    if (argc == 3 && !std::strcmp(argv[1], c.name)) {
      bool bad = !std::strcmp(argv[2], "bad");
      c.run(bad);
      cudaError_t status = cudaDeviceSynchronize();
      std::printf("%s: %s\n", c.name, cudaGetErrorName(status));
      return !bad && status != cudaSuccess;
    }
  std::printf("no such case\n");
  return 2;
}

#endif // TEST_E2E_CHECK_CASES_H
