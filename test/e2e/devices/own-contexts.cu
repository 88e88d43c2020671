// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t -lcuda && env VX_DEVICES=2 %run %t
//
// Contexts of the program's own on two devices: peer access is between them, not between the devices'
// primary contexts; devices can be asked when the current context has been destroyed.

#include "../Inputs/harness.h"
#include <cuda.h>

#define OK(call) EXPECT((call) == CUDA_SUCCESS)

__global__ void add(int *p, int value) { p[threadIdx.x] += value; }

int main() {
  OK(cuInit(0));
  CUcontext contexts[2], third;
  for (int device = 0; device < 2; ++device)
    OK(cuCtxCreate(&contexts[device], 0, device));
  CUdeviceptr memory;
  OK(cuMemAlloc(&memory, 32 * sizeof(int))); // in context 1
  OK(cuMemsetD32(memory, 5, 32));
  OK(cuCtxSynchronize());
  OK(cuCtxSetCurrent(contexts[0]));
  EXPECT(cuCtxEnablePeerAccess(contexts[0], 0) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxEnablePeerAccess(contexts[1], 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuCtxDisablePeerAccess(contexts[1]) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  OK(cuCtxEnablePeerAccess(contexts[1], 0));
  EXPECT(cuCtxEnablePeerAccess(contexts[1], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  add<<<1, 32>>>(reinterpret_cast<int *>(memory), 2);
  OK(cuCtxSynchronize());
  int values[32];
  OK(cuMemcpyDtoH(values, memory, sizeof values));
  for (int i = 0; i < 32; ++i)
    expectEqual(values[i], 7, "element", i);
  OK(cuCtxDisablePeerAccess(contexts[1]));

  // Two contexts of one device are not peers.
  OK(cuCtxCreate(&third, 0, 1));
  EXPECT(cuCtxEnablePeerAccess(contexts[1], 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  OK(cuCtxDestroy(third));

  OK(cuCtxSetCurrent(contexts[0]));
  OK(cuCtxPushCurrent(contexts[0]));
  for (CUcontext context : contexts)
    OK(cuCtxDestroy(context));
  size_t bytes = 0;
  OK(cuDeviceTotalMem(&bytes, 0));
  EXPECT(bytes > 0);
  CUdeviceptr none;
  EXPECT(cuMemAlloc(&none, 4) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle;
  OK(cuMemCreate(&handle, 4096, &properties, 0));
  OK(cuMemRelease(handle));
  return finish();
}
