// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the driver API and of CUDA's libraries that programs of the runtime API use, in C++ and C.
// RUN: %vxcc -I%inputs %s -o %t
// RUN: %run %t
// RUN: printf '#include <cuda.h>\n#include <library_types.h>\ncudaDataType_t t = CUDA_R_16BF; CUevent_flags f = CU_EVENT_DEFAULT;\n' > %t.c
// RUN: %vxcc -Werror all-warnings -c %t.c -o %t.o

#include "harness.h"
#include <string>
#include <cuda.h>

__global__ void twice(int *p) {
  *p *= 2;
}

int main() {
  int *host, *device;
  CHECK(cudaHostAlloc(&host, 4, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
  CHECK(cudaHostGetDevicePointer(&device, host, 0));
  *host = 21;
  twice<<<1, 1>>>(device);
  CHECK(cudaDeviceSynchronize());
  expectEqual(*host, 42, "mapped memory");
  static_assert(CU_MEMHOSTALLOC_WRITECOMBINED == cudaHostAllocWriteCombined, "");
  static_assert(CU_MEMHOSTREGISTER_READ_ONLY == cudaHostRegisterReadOnly, "");
  static_assert(int(CU_STREAM_NON_BLOCKING) == cudaStreamNonBlocking, "");
  static_assert(int(CU_EVENT_DISABLE_TIMING) == cudaEventDisableTiming, "");
  cudaDataType_t type = CUDA_R_32F; // cuda_runtime.h brings library_types.h
  expect(type == 0, "type of the libraries");
  cudaError_t error = cudaErrorApiFailureBase;
  expect(error == 10000 && std::string(cudaGetErrorName(error)) == "cudaErrorApiFailureBase", "error");
  return finish();
}
