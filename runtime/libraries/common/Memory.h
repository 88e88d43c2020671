// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the device that libraries have for themselves.

#ifndef VX_RUNTIME_LIBRARIES_COMMON_MEMORY_H
#define VX_RUNTIME_LIBRARIES_COMMON_MEMORY_H

#include <cuda_runtime.h>

namespace vx {

/// Memory of the device that goes with its owner.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  ~DeviceMemory() { cudaFree(data); }
  /// Replaces what there was. Returns false if there is no memory.
  bool allocate(size_t bytes) {
    cudaFree(data);
    if (cudaMalloc(&data, bytes ? bytes : 1) != cudaSuccess)
      data = nullptr;
    return data;
  }
  template <class T> T *as() const { return static_cast<T *>(data); }
  explicit operator bool() const { return data; }

private:
  void *data = nullptr;
};

/// Memory of the device for the time of a call; freed in the order of the stream.
template <class T> class StreamMemory {
public:
  StreamMemory() = default;
  StreamMemory(cudaStream_t stream, size_t count) { allocate(stream, count); }
  StreamMemory(const StreamMemory &) = delete;
  ~StreamMemory() {
    if (data)
      cudaFreeAsync(data, stream);
  }
  /// Returns false if there is no memory.
  bool allocate(cudaStream_t on, size_t count) {
    stream = on;
    if (cudaMallocAsync(&data, (count ? count : 1) * sizeof(T), stream) != cudaSuccess)
      data = nullptr;
    return data;
  }
  operator T *() const { return data; }
  explicit operator bool() const { return data; }

private:
  cudaStream_t stream = nullptr;
  T *data = nullptr;
};

} // namespace vx

#endif // VX_RUNTIME_LIBRARIES_COMMON_MEMORY_H
