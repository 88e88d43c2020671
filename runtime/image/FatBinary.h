// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the fat binary that is embedded in a host program (intrinsics/abi/FatBinary.h).

#ifndef VX_RUNTIME_IMAGE_FATBINARY_H
#define VX_RUNTIME_IMAGE_FATBINARY_H

#include "intrinsics/abi/FatBinary.h"
#include "simulator/api/Result.h"
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vx::rt {

/// One variant of the device code.
struct FatImage {
  abi::Lowering lowering = abi::Lowering::Hw;
  abi::IsaProfile profile = abi::IsaProfile::Base;
  uint32_t xlen = 64;
  bool zicond = true; ///< needs conditional-zero instructions
  std::span<const uint8_t> elf;
  std::string_view compiler{}; ///< of IR: the path of what compiles it, if it is known
};

/// Splits BYTES, which may be cut or damaged, into its images; they point into BYTES.
Result<std::vector<FatImage>> parseFatBinary(std::span<const uint8_t> bytes);

/// Splits a fat binary in memory, whose header says how long it is. WRAPPER is the structure
/// that clang emits around it: {int magic, int version, const void *data, void *}.
Result<std::vector<FatImage>> parseFatWrapper(const void *wrapper);

/// The criteria of a choice.
struct ImageChoice {
  abi::Lowering lowering = abi::Lowering::Auto;    ///< Auto: whatever there is
  abi::IsaProfile profile = abi::IsaProfile::Base; ///< the most that the device implements
  uint32_t xlen = 64;
  bool zicond = true; ///< the device has conditional-zero instructions
};

/// The image for the device that needs most of what it implements; a Failure says what there is.
Result<FatImage> chooseImage(std::span<const FatImage> images, const ImageChoice &choice);

/// The NVVM IR among IMAGES, which can be compiled for any device; null if there is none.
const FatImage *findIr(std::span<const FatImage> images);

/// A fat binary that holds IMAGE alone.
std::vector<uint8_t> wrapImage(const FatImage &image);

} // namespace vx::rt

#endif // VX_RUNTIME_IMAGE_FATBINARY_H
