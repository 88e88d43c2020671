// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts: the stack, primary and own ones, several of them at a time; one program with both APIs.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/Inputs && %run %t
// RUN: env VX_LOWERING=sw timeout 120 %t
// RUN: %vxcc --target=host %s -o %t -lcuda -lnvrtc -I %S/Inputs && %run %t

#include "driver.h"
#include <cstring>
#include <cuda_runtime.h>
#include <thread>

__device__ int counter;
__global__ void add(int n) { counter += n; }

static void stack(CUdevice device) {
  CUcontext a, b, current;
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&current));
  OK(cuCtxGetCurrent(&current));
  CHECK(!current);
  OK(cuCtxCreate(&a, CU_CTX_SCHED_SPIN, device));
  OK(cuCtxCreate(&b, 0, device));
  CHECK(a != b);
  OK(cuCtxGetCurrent(&current));
  CHECK(current == b);

  // Memory and modules belong to a context.
  CUdeviceptr inB;
  OK(cuMemAlloc(&inB, 4096));
  OK(cuMemsetD32(inB, 7, 1024));
  OK(cuCtxPopCurrent(&current));
  CHECK(current == b);
  OK(cuCtxGetCurrent(&current));
  CHECK(current == a);
  unsigned flags;
  OK(cuCtxGetFlags(&flags));
  CHECK(flags == CU_CTX_SCHED_SPIN);
  CUdeviceptr inA;
  OK(cuMemAlloc(&inA, 4096));
  OK(cuMemcpyPeer(inA, a, inB, b, 4096));
  int last = 0;
  OK(cuMemcpyDtoH(&last, inA + 4092, sizeof last));
  CHECK(last == 7);
  CUcontext owner;
  OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, inB));
  CHECK(owner == b);

  // Another thread has a stack of its own.
  std::thread([&] {
    CUcontext none;
    OK(cuCtxGetCurrent(&none));
    CHECK(!none);
    OK(cuCtxPushCurrent(b));
    int value = 0;
    OK(cuMemcpyDtoH(&value, inB, sizeof value));
    CHECK(value == 7);
  }).join();

  unsigned long long idA, idB;
  OK(cuCtxGetId(a, &idA));
  OK(cuCtxGetId(b, &idB));
  CHECK(idA != idB);
  unsigned version;
  OK(cuCtxGetApiVersion(a, &version));
  CHECK(version > 3010);
  OK(cuCtxDestroy(b));
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(b));
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(b));
  OK(cuCtxDestroy(a));
  OK(cuCtxGetCurrent(&current));
  CHECK(!current);
}

static void primary(CUdevice device) {
  CUcontext context, again;
  unsigned flags;
  int active;
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK(!active);
  OK(cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_YIELD));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuDevicePrimaryCtxRetain(&again, device));
  CHECK(context == again);
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK(active && flags == CU_CTX_SCHED_YIELD);
  CUdeviceptr memory;
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 16));
  OK(cuCtxSetCurrent(context));
  OK(cuMemAlloc(&memory, 16));
  OK(cuDevicePrimaryCtxRelease(device));
  OK(cuDevicePrimaryCtxRelease(device));
  EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(device));
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK(!active);
  OK(cuCtxSetCurrent(nullptr));
}

/// The runtime's context is the primary one; handles and pointers are the same.
static void both(CUdevice device) {
  CUcontext current;
  void *memory;
  CHECK(cudaMalloc(&memory, 400) == cudaSuccess);
  OK(cuCtxGetCurrent(&current));
  CUcontext primary;
  OK(cuDevicePrimaryCtxRetain(&primary, device));
  CHECK(current == primary);
  CUdeviceptr base;
  size_t size;
  OK(cuMemGetAddressRange(&base, &size, CUdeviceptr(memory) + 100));
  CHECK(base == CUdeviceptr(memory) && size == 400);
  OK(cuMemsetD32(base, 0x01020304, 100));
  int value = 0;
  CHECK(cudaMemcpy(&value, static_cast<int *>(memory) + 99, sizeof value, cudaMemcpyDefault) ==
        cudaSuccess);
  CHECK(value == 0x01020304);

  // A stream of one API and a kernel of the other.
  CUstream stream;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  add<<<1, 1, 0, stream>>>(5);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CUfunction function = reinterpret_cast<CUfunction>(&add);
  int six = 6;
  void *parameters[] = {&six};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
  OK(cuStreamSynchronize(stream));
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess);
  CHECK(value == 11);

  // Errors of one API are not the other's last error.
  CHECK(cudaGetLastError() == cudaSuccess);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(12345));
  CHECK(cudaPeekAtLastError() == cudaSuccess);

  // While another context is current, the runtime uses that.
  CUcontext own;
  OK(cuCtxCreate(&own, 0, device));
  void *there;
  CHECK(cudaMalloc(&there, 16) == cudaSuccess);
  CUcontext owner;
  OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, CUdeviceptr(there)));
  CHECK(owner == own);
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess);
  CHECK(value == 0); // the variables are this context's own
  OK(cuCtxDestroy(own));
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess);
  CHECK(value == 11);

  OK(cuDevicePrimaryCtxRelease(device)); // the runtime keeps it
  CHECK(cudaFree(memory) == cudaSuccess);
}

static void devices(CUdevice device) {
  int count, value;
  OK(cuDeviceGetCount(&count));
  CHECK(count == 1);
  EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7));
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  CHECK(value == 32);
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK(value == 1);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, CUdevice_attribute(5000), 0));
  char name[64], shortName[4];
  OK(cuDeviceGetName(name, sizeof name, 0));
  OK(cuDeviceGetName(shortName, sizeof shortName, 0));
  CHECK(std::strlen(shortName) == 3 && !std::strncmp(name, shortName, 3));
  size_t total;
  OK(cuDeviceTotalMem(&total, 0));
  CHECK(total > 1 << 20);
  CUuuid uuid;
  OK(cuDeviceGetUuid(&uuid, 0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(!std::memcmp(&uuid, &properties.uuid, sizeof uuid));
  int version;
  OK(cuDriverGetVersion(&version));
  CHECK(version == CUDA_VERSION);

  const char *text;
  OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK(!std::strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS"));
  OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(!std::strcmp(text, "out of memory"));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(CUresult(4242), &text));
  CHECK(!text);

  void *function;
  CUdriverProcAddressQueryResult status;
  OK(cuGetProcAddress("cuMemAlloc", &function, 12030, 0, &status));
  CHECK(function && status == CU_GET_PROC_ADDRESS_SUCCESS);
  CUdeviceptr memory;
  using Allocate = CUresult (*)(CUdeviceptr *, size_t);
  EXPECT(CUDA_ERROR_INVALID_VALUE, reinterpret_cast<Allocate>(function)(&memory, 0));
  OK(cuGetProcAddress("cuMemAdvise", &function, 12020, 0, &status));
  CHECK(function);
  OK(cuGetProcAddress("cuCtxCreate", &function, 1000, 0, &status));
  CHECK(!function && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  OK(cuGetProcAddress("cuNothing", &function, 12030, 0, &status));
  CHECK(!function && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

int main() {
  CUdevice device;
  EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&device));
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  devices(device);
  // devices() has used the runtime API, and so its context.
  CHECK(cudaDeviceReset() == cudaSuccess);
  stack(device);
  primary(device);
  both(device);
  std::printf("PASS\n");
}
