// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t
//
// cudaDeviceReset with everything pending that a stream can hold, again and again; what was
// launched has run, and the next context starts afresh.

#include "../Inputs/harness.h"
#include <atomic>

__device__ int launches;

__global__ void count(int *p, int *seen) {
  if (p)
    *p = 1;
  *seen = atomicAdd(&launches, 1) + 1;
}

static std::atomic<int> hostFunctions;

static void countHostFunction(void *) {
  ++hostFunctions;
}

int main() {
  const int rounds = 20;
  int *seen;
  bool right = true;
  for (int i = 0; i < rounds; ++i) {
    int *d, *pinned;
    cudaStream_t stream;
    cudaEvent_t event;
    CHECK(cudaMalloc(&d, sizeof *d));
    CHECK(cudaMalloc(&seen, sizeof *seen));
    CHECK(cudaMallocHost(&pinned, sizeof *pinned));
    CHECK(cudaStreamCreateWithFlags(&stream, i % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
    CHECK(cudaEventCreate(&event));
    count<<<1, 1, 0, stream>>>(d, seen);
    CHECK(cudaMemcpyAsync(pinned, d, sizeof *d, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, countHostFunction, nullptr));
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaStreamWaitEvent(0, event, 0));
    CHECK(cudaFreeAsync(d, stream));
    count<<<1, 1>>>(nullptr, seen);
    if (i % 3 == 0) {
      int launched = 0;
      CHECK(cudaMemcpy(&launched, seen, sizeof launched, cudaMemcpyDeviceToHost));
      right &= launched == 2;
    }
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaDeviceReset());
    right &= hostFunctions == i + 1;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
