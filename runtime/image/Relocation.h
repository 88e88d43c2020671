// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves a linked image to other addresses. vxcc links images with their relocations kept
// (--emit-relocs) and without code that has absolute addresses in it, so all that changes are the
// addresses stored in data.

#ifndef VX_RUNTIME_IMAGE_RELOCATION_H
#define VX_RUNTIME_IMAGE_RELOCATION_H

#include "simulator/api/ElfImage.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace vx::rt {

/// The places in IMAGE's segments that hold an address of the image, as registers wide; none when
/// the image does not say or when its code depends on where it is.
std::optional<std::vector<uint64_t>> findStoredAddresses(const sim::ElfImage &image);

/// Adds SLIDE to the addresses of SEGMENTS (those of an image for XLEN bits) and to the addresses
/// stored at PLACES.
void slideSegments(std::vector<sim::ImageSegment> &segments, const std::vector<uint64_t> &places,
                   unsigned xlen, uint64_t slide);

} // namespace vx::rt

#endif // VX_RUNTIME_IMAGE_RELOCATION_H
