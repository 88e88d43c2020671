// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for programs that do something wrong on purpose: the error has to come back as a
// cudaError_t, and the host program continues and ends normally. The report on stderr is checked by each test.

#ifndef TEST_E2E_FAULT_H
#define TEST_E2E_FAULT_H

#include <cstdio>
#include <cuda_runtime.h>

/// Synchronizes and prints the result: "NAME: cudaErrorX". The report of the device and this
/// line keep their order also when both streams go to one file.
inline cudaError_t outcome(const char *name) {
  cudaError_t launch = cudaGetLastError();
  cudaError_t status = launch != cudaSuccess ? launch : cudaDeviceSynchronize();
  std::fflush(stderr);
  std::printf("%s: %s\n", name, cudaGetErrorName(status));
  std::fflush(stdout);
  return status;
}

/// Prints that the program came to its end.
inline int ended() {
  std::printf("ended normally\n");
  return 0;
}

#endif // TEST_E2E_FAULT_H
