// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t && %run %t
//
// Thousands of streams, of events, of launches that no call waits for, and of threads that come and go.

#include "../Inputs/harness.h"
#include <thread>

__global__ void count(int *p) {
  atomicAdd(p, 1);
}

static int *counter;

static void launchAndWait(int times) {
  for (int i = 0; i < times; ++i)
    count<<<1, 1, 0, cudaStreamPerThread>>>(counter);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
}

int main() {
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  int wanted = 0;

  std::vector<cudaStream_t> streams(2000);
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreate(&stream));
  for (int round = 0; round < 2; ++round)
    for (cudaStream_t stream : streams)
      count<<<1, 1, 0, stream>>>(counter);
  count<<<1, 1>>>(counter); // after all of them
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
  wanted += 2 * 2000 + 1;

  for (int i = 0; i < 1000; ++i)
    std::thread(launchAndWait, 1).join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i)
    threads.emplace_back(launchAndWait, 10);
  for (std::thread &thread : threads)
    thread.join();
  wanted += 2000;

  std::vector<cudaEvent_t> events(5000);
  for (cudaEvent_t &event : events) {
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventRecord(event));
    CHECK(cudaStreamWaitEvent(cudaStreamPerThread, event, 0));
  }
  for (cudaEvent_t event : events)
    CHECK(cudaEventDestroy(event));

  for (int i = 0; i < 20000; ++i)
    count<<<1, 1>>>(counter);
  wanted += 20000;
  int got = 0;
  CHECK(cudaMemcpy(&got, counter, sizeof(int), cudaMemcpyDeviceToHost));
  expectEqual(got, wanted, "launches");
  return finish();
}
