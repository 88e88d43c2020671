// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats and handles of arrays in the driver API and in the runtime API.

#ifndef VX_RUNTIME_DRIVER_ARRAYFORMAT_H
#define VX_RUNTIME_DRIVER_ARRAYFORMAT_H

#include "runtime/driver/Api.h"
#include <optional>

namespace vx::rt::driver {

/// Nothing for formats that there are not.
std::optional<cudaChannelFormatDesc> channelDesc(CUarray_format format, unsigned channels);
/// The reverse, for formats of arrays that exist.
CUarray_format arrayFormat(const cudaChannelFormatDesc &desc, unsigned &channels);
/// Returns the bytes of an element; 0 if such arrays do not exist.
size_t elementBytes(cudaArray_t array);

// An array is the same object in both.
inline cudaArray_t arrayOf(CUarray array) {
  return reinterpret_cast<cudaArray_t>(array);
}
inline CUarray arrayOf(cudaArray_t array) {
  return reinterpret_cast<CUarray>(array);
}
inline cudaMipmappedArray_t arrayOf(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}
inline CUmipmappedArray arrayOf(cudaMipmappedArray_t array) {
  return reinterpret_cast<CUmipmappedArray>(array);
}

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_ARRAYFORMAT_H
