// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t
//
// Streams are queues: what is queued in one runs in order, events order streams among each other,
// times are not negative, queries and destruction behave.

#include "../Inputs/harness.h"

__global__ void addTo(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = p[i] * 2 + value;
}

int main() {
  const int n = 500;
  const size_t bytes = n * sizeof(int);
  int *host, *device;
  CHECK(cudaMallocHost(&host, bytes));
  CHECK(cudaMalloc(&device, bytes));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t begin, middle, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreateWithFlags(&middle, cudaEventDefault));
  CHECK(cudaEventCreate(&end));

  CHECK(cudaEventRecord(begin, first));
  CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, first));
  addTo<<<10, 50, 0, first>>>(device, n, 1);
  CHECK(cudaEventRecord(middle, first));
  CHECK(cudaStreamWaitEvent(second, middle, 0));
  addTo<<<5, 100, 0, second>>>(device, n, 3);
  CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, second));
  CHECK(cudaEventRecord(end, second));
  CHECK(cudaEventSynchronize(end));
  expect(cudaEventQuery(end) == cudaSuccess, "event query");
  CHECK(cudaStreamSynchronize(second));
  expect(cudaStreamQuery(first) == cudaSuccess, "stream query");
  for (int i = 0; i < n; ++i)
    expectEqual(host[i], (i * 2 + 1) * 2 + 3, "ordered work", i);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  expect(milliseconds >= 0 && milliseconds < 1e6f, "elapsed time");

  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(middle));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  return finish();
}
