// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -I%inputs %s -o %t && %shapes --few %t
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc --target=host -I%inputs %s -o %t-host && %run %t-host | FileCheck %s
// CHECK: PASS
//
// What a launch from device code can do wrong is an error of the thread that makes it, and the
// launch does not happen; the number of launches that wait and of nested grids is limited.

#include "harness.h"

__global__ void count(unsigned *n) {
  if (threadIdx.x == 0)
    atomicAdd(n, 1);
}
__global__ void __launch_bounds__(64) bounded(unsigned *n) { count<<<1, 1>>>(n); }

__global__ void wrong(unsigned *n, int *errors) {
  unsigned t = threadIdx.x;
  if (t == 1)
    count<<<0, 1>>>(n);
  if (t == 2)
    count<<<1, dim3(32, 33)>>>(n);
  if (t == 3)
    bounded<<<1, 65>>>(n);
  if (t == 4)
    count<<<1, 1, 1 << 20>>>(n);
  if (t == 5)
    count<<<1, 1, 0, (cudaStream_t)0x1234>>>(n);
  if (t == 6)
    ((void (*)(unsigned *))errors)<<<1, 1>>>(n); // no kernel
  cudaStream_t s = nullptr;
  if (t == 7)
    cudaStreamCreateWithFlags(&s, 8);
  if (t == 9)
    cudaStreamCreateWithFlags(&s, cudaStreamDefault);
  if (t == 8)
    cudaStreamDestroy(nullptr);
  errors[3 * t] = cudaPeekAtLastError();
  errors[3 * t + 1] = cudaGetLastError();
  errors[3 * t + 2] = cudaGetLastError();
}

// Each thread of one block launches; as many as fit run.
__global__ void tooMany(unsigned *n, unsigned *refused) {
  count<<<1, 1>>>(n);
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded)
    atomicAdd(refused, 1);
}

__global__ void nest(unsigned *depth, int *error) {
  ++*depth;
  nest<<<1, 1>>>(depth, error);
  *error = cudaGetLastError();
}

struct Large {
  char bytes[4000];
};
__global__ void large(Large l, unsigned *n) { atomicAdd(n, l.bytes[3999]); }
__global__ void tooLarge(unsigned *n, unsigned *refused) {
  Large l = {};
  l.bytes[3999] = 1;
  large<<<1, 1>>>(l, n);
  if (cudaGetLastError() == cudaErrorLaunchOutOfResources)
    atomicAdd(refused, 1);
}

__global__ void attributes(int *values) {
  cudaDeviceGetAttribute(&values[0], cudaDevAttrMaxThreadsPerBlock, 0);
  cudaGetDevice(&values[1]);
  cudaGetDeviceCount(&values[2]);
  size_t limit = 0;
  values[3] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  values[4] = int(limit);
  cudaFuncAttributes a;
  values[5] = cudaFuncGetAttributes(&a, bounded);
  values[6] = a.maxThreadsPerBlock;
  values[7] = cudaGetErrorName(cudaErrorInvalidValue)[4] == 'E' &&
              cudaGetErrorString(cudaErrorInvalidValue)[0] == 'i';
}

int main() {
  DeviceArray<unsigned> n(1), refused(1);
  DeviceArray<int> errors(30);
  wrong<<<1, 10>>>(n, errors);
  const int want[10] = {cudaSuccess,
                        cudaErrorInvalidConfiguration,
                        cudaErrorInvalidConfiguration,
                        cudaErrorInvalidValue,
                        cudaErrorInvalidConfiguration,
                        cudaErrorInvalidValue,
                        cudaErrorInvalidDeviceFunction,
                        cudaErrorInvalidValue,
                        cudaErrorInvalidValue,
                        cudaSuccess};
  for (int t = 0; t < 10; ++t) {
    expectEqual(errors.host()[3 * t], want[t], "peek", t);
    expectEqual(errors.host()[3 * t + 1], want[t], "get", t);
    expectEqual(errors.host()[3 * t + 2], int(cudaSuccess), "get again", t);
  }
  expectEqual(n.host()[0], 0u, "refused launches");

  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100));
  tooMany<<<1, 256>>>(n, refused);
  expectEqual(n.host()[0], 100u, "launches");
  expectEqual(refused.host()[0], 156u, "refused");

  DeviceArray<unsigned> depth(1);
  DeviceArray<int> error(1);
  nest<<<1, 1>>>(depth, error);
  expectEqual(depth.host()[0], 25u, "depth");
  expectEqual(error.host()[0], int(cudaErrorLaunchMaxDepthExceeded), "depth");

  DeviceArray<unsigned> ran(1), not_(1);
  tooLarge<<<1, 64>>>(ran, not_);
  expectEqual(ran.host()[0] + not_.host()[0], 64u, "large arguments");
  expect(not_.host()[0] > 0 && ran.host()[0] > 10, "memory for arguments");

  DeviceArray<int> values(8);
  attributes<<<1, 1>>>(values);
  const int wanted[8] = {1024, 0, 1, 0, 100, 0, 64, 1};
  for (int i = 0; i < 8; ++i)
    expectEqual(values.host()[i], wanted[i], "attribute", i);
  return finish();
}
