// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stress test's model of the memory it works on: each buffer with the numbers that it
// must have once the operations of its stream have run.

#ifndef TEST_E2E_STRESS_MODEL_H
#define TEST_E2E_STRESS_MODEL_H

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status_ = (call);                                                                  \
    if (status_ != cudaSuccess) {                                                                  \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(status_));        \
      std::fflush(stdout);                                                                         \
      std::_Exit(1);                                                                               \
    }                                                                                              \
  } while (0)

constexpr int kNumbers = 200; // of a buffer: no multiple of a block
constexpr size_t kBytes = kNumbers * sizeof(int);

__global__ void addTo(int *data, int value) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kNumbers)
    data[i] += value + i;
}

__global__ void mix(int *out, const int *in) {
  __shared__ int copy[64];
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  copy[threadIdx.x] = i < kNumbers ? in[i] : 0;
  __syncthreads();
  if (i < kNumbers)
    out[i] = out[i] * 3 + copy[threadIdx.x];
}

/// Wrong numbers that were seen, by any thread.
inline std::atomic<int> wrong = 0;
/// Host functions that were enqueued and have not run.
inline std::atomic<int> pendingFunctions = 0;

inline void compare(const int *got, const std::vector<int> &expected, const char *where) {
  for (int i = 0; i < kNumbers; ++i)
    if (got[i] != expected[size_t(i)] && ++wrong <= 10)
      std::printf("%s: number %d is %d, not %d\n", where, i, got[i], expected[size_t(i)]);
}

struct Buffer {
  enum Kind { Plain, Asynchronous, Managed };
  Kind kind = Plain;
  int device = 0;
  int *data = nullptr;
  cudaStream_t stream = nullptr; ///< where all that is done to it is enqueued; of its device
  std::vector<int> expected = std::vector<int>(kNumbers);

  void set(int byte) {
    int value = byte * 0x01010101;
    expected.assign(kNumbers, value);
  }
  void add(int value) {
    for (int i = 0; i < kNumbers; ++i)
      expected[size_t(i)] += value + i;
  }
  void mixWith(const Buffer &in) {
    for (size_t i = 0; i < kNumbers; ++i)
      expected[i] = int(unsigned(expected[i]) * 3u + unsigned(in.expected[i]));
  }
};

/// A copy to page-locked memory that a host function looks at.
struct Inspection {
  int *pinned;
  std::vector<int> expected;
  std::atomic<bool> done = false;
};

inline void inspect(void *argument) {
  Inspection &self = *static_cast<Inspection *>(argument);
  compare(self.pinned, self.expected, "host function");
  --pendingFunctions;
  self.done = true;
}

inline void inspectAsCallback(cudaStream_t, cudaError_t status, void *argument) {
  wrong += status != cudaSuccess;
  inspect(argument);
}

#endif // TEST_E2E_STRESS_MODEL_H
