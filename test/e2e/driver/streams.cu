// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events, host functions and stream memory operations.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/Inputs && %run %t
// RUN: env VX_BACKEND=host timeout 120 %t
// RUN: %vxcc -DCUDA_API_PER_THREAD_DEFAULT_STREAM %s -o %t.own -lcuda -lnvrtc -I %S/Inputs
// RUN: %run %t.own

#include "driver.h"
#include <atomic>
#include <chrono>
#include <thread>

static const char *kSource = R"(
extern "C" __global__ void add(int *p, int n) { *p += n; }
)";

static void addTo(CUfunction add, CUdeviceptr address, int n, CUstream stream) {
  void *parameters[] = {&address, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr));
}

static void count(void *counter) { ++*static_cast<std::atomic<int> *>(counter); }
static void countStatus(CUstream, CUresult status, void *counter) {
  if (status == CUDA_SUCCESS)
    count(counter);
}

static void wait(CUstream stream) {
  while (cuStreamQuery(stream) == CUDA_ERROR_NOT_READY)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  OK(cuStreamQuery(stream));
}

/// Two streams that hand over to each other through words in device and in host memory.
static void memoryOperations(CUfunction add, CUcontext context) {
  CUstream a, b;
  CUdeviceptr sum, flag;
  int *shared;
  CUdeviceptr sharedAddress;
  OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
  OK(cuMemAlloc(&sum, 16));
  OK(cuMemAlloc(&flag, 16));
  OK(cuMemHostAlloc(reinterpret_cast<void **>(&shared), 64, CU_MEMHOSTALLOC_DEVICEMAP));
  OK(cuMemHostGetDevicePointer(&sharedAddress, shared, 0));
  OK(cuMemsetD32(sum, 1, 1));
  OK(cuMemsetD32(flag, 0, 4));

  OK(cuStreamWaitValue32(a, flag, 5, CU_STREAM_WAIT_VALUE_GEQ));
  addTo(add, sum, 100, a);
  OK(cuStreamWriteValue64(a, flag + 8, 1ull << 40, CU_STREAM_WRITE_VALUE_DEFAULT));
  EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(a));
  OK(cuStreamWaitValue32(b, sharedAddress, 3, CU_STREAM_WAIT_VALUE_AND));
  OK(cuStreamWriteValue32(b, flag, 6, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuStreamWaitValue64(b, flag + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_EQ));
  addTo(add, sum, 1000, b);
  EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(b));
  __atomic_store_n(shared, 2, __ATOMIC_RELEASE); // lets b go, and b lets a go
  OK(cuStreamSynchronize(b));
  wait(a);
  int value = 0;
  OK(cuMemcpyDtoH(&value, sum, sizeof value));
  CHECK(value == 1101);

  CUstreamBatchMemOpParams operations[2] = {};
  operations[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operations[0].writeValue.address = flag;
  operations[0].writeValue.value = 9;
  operations[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operations[1].waitValue.address = flag;
  operations[1].waitValue.value = 9;
  operations[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  OK(cuStreamBatchMemOp(a, 2, operations, 0));
  OK(cuStreamSynchronize(a));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(a, flag + 2, 0, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(a, 64, 0, 0));
  CUcontext owner;
  OK(cuStreamGetCtx(a, &owner));
  CHECK(owner == context);
  OK(cuStreamDestroy(a));
  OK(cuStreamDestroy(b));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(b));
}

int main() {
  CUcontext context;
  CUmodule module;
  CUfunction add;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleLoadData(&module, compile(kSource).c_str()));
  OK(cuModuleGetFunction(&add, module, "add"));
  CUdeviceptr sum;
  OK(cuMemAlloc(&sum, 4));
  OK(cuMemsetD32(sum, 0, 1));
  OK(cuStreamSynchronize(nullptr));

  CUstream first, second;
  CUevent start, done;
  OK(cuStreamCreate(&first, CU_STREAM_DEFAULT));
  OK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, -1));
  int priority;
  unsigned flags;
  OK(cuStreamGetPriority(second, &priority));
  OK(cuStreamGetFlags(second, &flags));
  CHECK(priority == -1 && flags == CU_STREAM_NON_BLOCKING);
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&done, CU_EVENT_DEFAULT));
  std::atomic<int> calls{0};
  OK(cuEventRecord(start, first));
  for (int i = 0; i < 10; ++i)
    addTo(add, sum, 1, first);
  OK(cuLaunchHostFunc(first, count, &calls));
  OK(cuStreamAddCallback(first, countStatus, &calls, 0));
  OK(cuEventRecord(done, first));
  OK(cuStreamWaitEvent(second, done, 0));
  addTo(add, sum, 1, second);
  OK(cuStreamSynchronize(second));
  CHECK(calls == 2);
  OK(cuEventQuery(done));
  float milliseconds = -1;
  OK(cuEventElapsedTime(&milliseconds, start, done));
  CHECK(milliseconds > 0);
  int value = 0;
  OK(cuMemcpyDtoH(&value, sum, sizeof value));
  CHECK(value == 11);

  // Each calling thread has its own default stream, so another thread has another one.
  unsigned long long mine, other;
  OK(cuStreamGetId(nullptr, &mine));
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    OK(cuStreamGetId(nullptr, &other));
    addTo(add, sum, 1, nullptr);
    OK(cuStreamSynchronize(nullptr));
  }).join();
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
  CHECK(mine != other);
#else
  CHECK(mine == other);
#endif
  OK(cuMemcpyDtoH(&value, sum, sizeof value));
  CHECK(value == 12);
  memoryOperations(add, context);
  OK(cuEventDestroy(start));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(start));
  OK(cuCtxDestroy(context));
  std::printf("PASS\n");
}
