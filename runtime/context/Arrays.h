// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays: memory that textures and surfaces show. Elements of a row are adjacent, and so are
// rows and slices (layers, faces of cube maps); nothing is tiled.

#ifndef VX_RUNTIME_CONTEXT_ARRAYS_H
#define VX_RUNTIME_CONTEXT_ARRAYS_H

#include "driver_types.h"
#include "intrinsics/abi/ImageLevel.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace vx::rt {

class Context;

/// The format of an element.
struct ElementFormat {
  unsigned channels = 0;     ///< 1, 2 or 4
  unsigned channelBytes = 0; ///< 1, 2 or 4
  enum Kind { Signed, Unsigned, Float } kind = Unsigned;
  bool isNormalized = false; ///< integers that always mean numbers up to 1

  unsigned bytes() const { return channels * channelBytes; }
};

/// Nothing for formats that arrays cannot have.
std::optional<ElementFormat> elementFormat(const cudaChannelFormatDesc &desc);
std::optional<ElementFormat> elementFormat(cudaResourceViewFormat format);

/// An array, or a level of a mipmapped array.
struct ArrayRecord {
  cudaChannelFormatDesc desc{};
  ElementFormat format;
  cudaExtent extent{}; ///< as the program gave it: 0 for dimensions that there are not
  unsigned flags = 0;
  VxImageLevel memory{};
  bool isLevel = false; ///< its memory is the mipmapped array's

  uint64_t rowBytes() const { return uint64_t(memory.width) * format.bytes(); }
};

struct MipmappedRecord {
  cudaChannelFormatDesc desc{};
  cudaExtent extent{};
  unsigned flags = 0;
  uint64_t memory = 0;
  std::vector<cudaArray_t> handles;
  std::vector<std::shared_ptr<ArrayRecord>> levels;
};

/// Makes arrays in device memory of CONTEXT. LEVELS: 1 to what the extent allows; more are cut off.
cudaError_t createArray(Context &context, const cudaChannelFormatDesc &desc,
                        const cudaExtent &extent, unsigned flags, cudaArray_t &handle);
cudaError_t createMipmappedArray(Context &context, const cudaChannelFormatDesc &desc,
                                 const cudaExtent &extent, unsigned levels, unsigned flags,
                                 cudaMipmappedArray_t &handle);
/// Frees what HANDLE names. No work may use it any more. Returns false if the array does not exist.
bool destroyArray(Context &context, cudaArray_t handle);
bool destroyMipmappedArray(Context &context, cudaMipmappedArray_t handle);

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_ARRAYS_H
