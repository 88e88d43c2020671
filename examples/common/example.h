// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that every example needs around its kernels: checked CUDA calls, optional size arguments,
// a timer on events and one verdict at the end. Plain CUDA: nvcc compiles the examples just as
// well.

#ifndef EXAMPLES_COMMON_EXAMPLE_H
#define EXAMPLES_COMMON_EXAMPLE_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

/// Ends the program with the source position when a CUDA call fails.
#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status_ = (call);                                                                  \
    if (status_ != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(status_));                                                   \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

/// Returns argument INDEX of the command line as a positive number, or FALLBACK when it is not
/// given.
inline int sizeArgument(int argc, char **argv, int index, int fallback) {
  if (index >= argc)
    return fallback;
  char *end = nullptr;
  long value = std::strtol(argv[index], &end, 10);
  if (*end != '\0' || value < 1 || value > (1 << 28)) {
    std::fprintf(stderr, "%s: '%s' is not a size\n", argv[0], argv[index]);
    std::exit(2);
  }
  return static_cast<int>(value);
}

/// Returns the number of threads of a block from an argument: a multiple of 32 up to 1024.
inline int blockArgument(int argc, char **argv, int index, int fallback) {
  int threads = sizeArgument(argc, argv, index, fallback);
  if (threads % 32 != 0 || threads > 1024) {
    std::fprintf(stderr, "%s: %d is not a multiple of 32 up to 1024\n", argv[0], threads);
    std::exit(2);
  }
  return threads;
}

/// An array in device memory: a copy of one on the host, or that many zeroes.
template <class T> class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t count) : count(count) {
    CHECK(cudaMalloc(&data, count * sizeof(T)));
    CHECK(cudaMemset(data, 0, count * sizeof(T)));
  }
  explicit DeviceBuffer(const std::vector<T> &values) : count(values.size()) {
    CHECK(cudaMalloc(&data, count * sizeof(T)));
    CHECK(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cudaFree(data); }

  operator T *() { return data; }
  std::vector<T> host() const {
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

private:
  T *data = nullptr;
  size_t count;
};

/// The same pseudo-random numbers everywhere: a 32-bit xorshift.
class Random {
public:
  explicit Random(unsigned seed) : state(seed ? seed : 1) {}
  unsigned next() {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
  }
  /// Returns a number uniform in [0, 1).
  float nextFloat() { return static_cast<float>(next() >> 8) * (1.0f / 16777216.0f); }

private:
  unsigned state;
};

/// Milliseconds between construction and stop(), measured on the device's default stream.
class DeviceTimer {
public:
  DeviceTimer() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
  }
  ~DeviceTimer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  float stop() {
    float milliseconds = 0;
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds;
  }

private:
  cudaEvent_t begin, end;
};

/// Prints the verdict and returns the exit status of the program.
inline int verdict(long mismatches) {
  if (mismatches == 0)
    std::printf("PASS\n");
  else
    std::printf("FAIL: %ld results differ from the reference\n", mismatches);
  return mismatches == 0 ? 0 : 1;
}

#endif // EXAMPLES_COMMON_EXAMPLE_H
