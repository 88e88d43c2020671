// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t 2> %t.messages | FileCheck %s
// RUN: FileCheck --check-prefix=MESSAGES %s < %t.messages
//
// Launches and calls that cannot be: each gives its error, breaks nothing, and the kernels after it
// run. What the error does not tell, how much shared memory there is, is said once.
//
// MESSAGES: vxrt: kernel `increment(int*)`: 1048576 bytes of dynamic shared memory asked for; a launch has at most 166912
// MESSAGES-NEXT: vxrt: kernel `increment(int*)`: 6442450944 bytes of dynamic shared memory asked for; a launch has at most 166912
// MESSAGES-NEXT: vxrt: kernel `increment(int*)`: 65536 bytes of dynamic shared memory asked for; a launch has at most 49152, and up to 166912 after cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize
// MESSAGES-NEXT: vxrt: kernel `increment(int*)`: 200000 bytes of dynamic shared memory asked for; a launch has at most 166912
// MESSAGES-NOT: vxrt

#include "../Inputs/fault.h"

__global__ void increment(int *p) {
  atomicAdd(p, 1);
}
__global__ void __launch_bounds__(64) bounded(int *p) {
  atomicAdd(p, 1);
}

static void show(const char *name, cudaError_t status) {
  std::printf("%s: %s\n", name, cudaGetErrorName(status));
}

int main() {
  int *p, value = 0;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));

  increment<<<0, 32>>>(p);
  // CHECK: empty grid: cudaErrorInvalidConfiguration
  outcome("empty grid");
  increment<<<1, 0>>>(p);
  // CHECK: empty block: cudaErrorInvalidConfiguration
  outcome("empty block");
  increment<<<1, 1025>>>(p);
  // CHECK: 1025 threads: cudaErrorInvalidConfiguration
  outcome("1025 threads");
  increment<<<1, dim3(32, 32, 2)>>>(p);
  // CHECK: 2048 threads: cudaErrorInvalidConfiguration
  outcome("2048 threads");
  increment<<<1, dim3(1, 1, 65)>>>(p);
  // CHECK: deep block: cudaErrorInvalidConfiguration
  outcome("deep block");
  increment<<<dim3(1, 70000), 1>>>(p);
  // CHECK: tall grid: cudaErrorInvalidConfiguration
  outcome("tall grid");
  // CHECK: shared memory: cudaErrorInvalidValue
  // CHECK: shared memory again: cudaErrorInvalidValue
  // CHECK: very much shared memory: cudaErrorInvalidValue
  // CHECK: more shared memory: cudaErrorInvalidValue
  // CHECK: attribute: cudaErrorInvalidValue
  increment<<<1, 32, 1 << 20>>>(p);
  outcome("shared memory");
  increment<<<1, 32, 1 << 20>>>(p);
  outcome("shared memory again");
  increment<<<1, 32, size_t(6) << 30>>>(p);
  outcome("very much shared memory");
  increment<<<1, 32, 1 << 16>>>(p);
  outcome("more shared memory");
  show("attribute", cudaFuncSetAttribute(increment, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         200000));
  (void)cudaGetLastError();
  bounded<<<1, 65>>>(p);
  // CHECK: launch bounds: cudaErrorInvalid{{Value|Configuration}}{{$}}
  outcome("launch bounds");
  // CHECK: cleared: cudaSuccess
  show("cleared", cudaGetLastError());

  // CHECK: null malloc: cudaErrorInvalidValue
  show("null malloc", cudaMalloc(static_cast<void **>(nullptr), 4));
  // CHECK: huge malloc: cudaErrorMemoryAllocation
  void *huge;
  show("huge malloc", cudaMalloc(&huge, size_t(1) << 60));
  // CHECK: bad free: cudaErrorInvalidValue
  show("bad free", cudaFree(reinterpret_cast<void *>(0x1234567)));
  // CHECK: null free: cudaSuccess
  show("null free", cudaFree(nullptr));
  // CHECK: long copy: cudaErrorInvalidValue
  char big[64] = {};
  show("long copy", cudaMemcpy(p, big, sizeof big, cudaMemcpyHostToDevice));
  // CHECK: bad device: cudaErrorInvalidDevice
  show("bad device", cudaSetDevice(99));
  // CHECK: peek: cudaErrorInvalidDevice
  show("peek", cudaPeekAtLastError());
  // CHECK: get: cudaErrorInvalidDevice
  show("get", cudaGetLastError());
  // CHECK: get again: cudaSuccess
  show("get again", cudaGetLastError());

  increment<<<3, 40>>>(p);
  bounded<<<2, 64>>>(p);
  // CHECK: good launches: cudaSuccess
  outcome("good launches");
  cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  // CHECK: 248 increments
  std::printf("%d increments\n", value);
  // CHECK: ended normally
  return ended();
}
