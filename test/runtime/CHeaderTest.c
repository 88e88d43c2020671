/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's header is plain C. */

#include "cuda_runtime_api.h"

int vxCanCallCudaFromC(void) {
  int count = 0;
  struct cudaDeviceProp properties;
  dim3 block = {4, 1, 1};
  (void)properties;
  (void)block;
  return cudaGetDeviceCount(&count) == cudaSuccess && count == 1;
}
