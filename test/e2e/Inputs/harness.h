// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that end-to-end programs share: checked calls, numbers to feed, a count of wrong results
// and the comparison of a __host__ __device__ function with itself on the other side.

#ifndef TEST_E2E_HARNESS_H
#define TEST_E2E_HARNESS_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status_ = (call);                                                                  \
    if (status_ != cudaSuccess) {                                                                  \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(status_));        \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

inline int &wrongResults() {
  static int count = 0;
  return count;
}

/// Counts and reports a result that is not as wanted; prints the first ten.
inline bool expect(bool good, const char *what, long long where = 0) {
  if (!good && ++wrongResults() <= 10)
    std::printf("wrong: %s at %lld\n", what, where);
  return good;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

template <class T> bool expectEqual(T got, T want, const char *what, long long where = 0) {
  bool good = std::memcmp(&got, &want, sizeof(T)) == 0;
  if (!expect(good, what, where) && wrongResults() <= 10) {
    unsigned long long bits[2] = {};
    std::memcpy(&bits[0], &got, sizeof(T) < 8 ? sizeof(T) : 8);
    std::memcpy(&bits[1], &want, sizeof(T) < 8 ? sizeof(T) : 8);
    std::printf("  got %#llx, wanted %#llx\n", bits[0], bits[1]);
  }
  return good;
}

/// Prints the last line of a program and returns its exit status.
inline int finish() {
  if (wrongResults() == 0)
    std::printf("PASS\n");
  else
    std::printf("FAIL: %d wrong results\n", wrongResults());
  return wrongResults() == 0 ? 0 : 1;
}

/// An array in device memory that starts as a copy of, or as zeroes for, one on the host.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count(count) {
    CHECK(cudaMalloc(&data, bytes()));
    CHECK(cudaMemset(data, 0, bytes()));
  }
  explicit DeviceArray(const std::vector<T> &values) : count(values.size()) {
    CHECK(cudaMalloc(&data, bytes()));
    CHECK(cudaMemcpy(data, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data); }
  operator T *() { return data; }
  std::vector<T> host() const {
    CHECK(cudaGetLastError()); // of the launch that writes the array
    CHECK(cudaDeviceSynchronize());
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), data, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

private:
  size_t bytes() const { return (count ? count : 1) * sizeof(T); }
  size_t count;
  T *data = nullptr;
};

/// Returns the numbers that tests compute with: well mixed, the same everywhere.
__host__ __device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

template <class T, T (*Function)(unsigned, unsigned)>
__global__ void applyFunction(const unsigned *a, const unsigned *b, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = Function(a[i], b[i]);
}

/// Runs FUNCTION for N random inputs on the device and on the host and compares bit for bit. Among
/// the inputs are runs of equal values, so that uniform and diverged warps both occur.
template <class T, T (*Function)(unsigned, unsigned)>
void compareWithHost(const char *name, int n = 300, int threads = 96) {
  std::vector<unsigned> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    bool equal = (i / 64) % 3 == 2;
    a[i] = mixed(equal ? i / 64 : i + 1);
    b[i] = mixed(a[i] + 77);
  }
  DeviceArray<unsigned> deviceA(a), deviceB(b);
  DeviceArray<T> out(n);
  applyFunction<T, Function><<<(n + threads - 1) / threads, threads>>>(deviceA, deviceB, out, n);
  CHECK(cudaGetLastError());
  std::vector<T> got = out.host();
  for (int i = 0; i < n; ++i)
    if (!expectEqual(got[i], Function(a[i], b[i]), name, i) && wrongResults() <= 10)
      std::printf("  inputs %#x %#x\n", a[i], b[i]);
}

/// Compares one `__host__ __device__ unsigned f(unsigned, unsigned)`.
#define COMPARE(function) compareWithHost<unsigned, function>(#function)

#endif // TEST_E2E_HARNESS_H
