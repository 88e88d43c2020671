// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"

int plainFunction(int x) {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? x + devices : -1;
}
