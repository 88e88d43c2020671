// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that has used the runtime API needs no cuInit for the driver API.
//
// RUN: %vxcc %s -o %t -lcuda && %run %t

#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

int main() {
  CUdevice device = -1;
  if (cuCtxGetDevice(&device) != CUDA_ERROR_NOT_INITIALIZED)
    return std::printf("FAIL: before the runtime API was used\n"), 1;
  int count = 0, value = 0;
  cudaGetDeviceCount(&count);
  if (cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) != CUDA_SUCCESS || value != 32)
    return std::printf("FAIL: an attribute of a device\n"), 1;
  cudaFree(nullptr);
  if (cuCtxGetDevice(&device) != CUDA_SUCCESS || device != 0)
    return std::printf("FAIL: the context that the runtime API has made\n"), 1;
  std::printf("PASS\n");
}
