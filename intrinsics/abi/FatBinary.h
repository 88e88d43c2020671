// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fat binary that vxcc embeds into a host object (section .nv_fatbin, found through CUDA's
// registration calls): one ELF image per variant of the device code.

#ifndef VX_ABI_FAT_BINARY_H
#define VX_ABI_FAT_BINARY_H

#include <cstdint>

namespace vx::abi {

inline constexpr uint64_t kFatBinaryMagic = 0x4249425441465856; // "VXFATBIB"
/// `magic` of the wrapper {int magic, int version, const void *data, void *} that clang emits.
inline constexpr uint32_t kFatWrapperMagic = 0x466243B1;

/// Auto: the image holds both variants of its kernels (those that are not bound to one), and shares
/// everything else: variables and functions are one object whatever variant runs.
/// Ir: no image but NVVM IR (bitcode), which is compiled for any device when the program runs
/// (RuntimeCompiler.h). Beside it, an image of Hw may have kernels whose sw lowering was left for
/// that (kKernelSwDeferred).
enum class Lowering : uint32_t { Hw = 0, Sw = 1, Host = 2, Auto = 3, Ir = 4 };
/// Paths: the instructions of Warp without those of the mask stack (vx_split, vx_join, vx_pred),
/// for devices whose warps keep paths. They run no other code, and no other device runs it.
enum class IsaProfile : uint32_t { Base = 0, Upstream = 1, Warp = 2, Paths = 3 };

/// Instructions beyond the profile that an image does without. Images that say nothing need them.
enum ImageOmits : uint32_t {
  kOmitsZicond = 1u << 0, // conditional-zero instructions
};

struct FatBinaryHeader {
  uint64_t magic;
  uint32_t version; // kAbiVersion
  uint32_t numImages;
  uint64_t totalBytes; // header, entries, images and the path
  // The library that compiles IR of this fat binary (RuntimeCompiler.h), as a path; no bytes: it is
  // looked for.
  uint64_t compilerOffset;
  uint64_t compilerBytes;
};

/// The entries follow the header; an image is at `offset` bytes from the header, aligned to 16.
struct FatBinaryEntry {
  Lowering lowering;
  IsaProfile profile; // what the image needs
  uint32_t xlen;      // 32 or 64
  uint32_t omits;     // ImageOmits
  uint64_t offset;
  uint64_t size;
};

} // namespace vx::abi

#endif // VX_ABI_FAT_BINARY_H
