// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads that code of mapping coarsened is for. A lane hints at the thread of one of its parts
// (VX_HINT_THREAD), and runs instructions of several parts in turn: the line table tells these from
// each other by the discriminators of their rows (DWARF 4, section 6.2.2).

#ifndef VX_ABI_COARSENED_PARTS_H
#define VX_ABI_COARSENED_PARTS_H

#include "intrinsics/abi/WarpSize.h"
#include <optional>

namespace vx::abi {

/// Returns the discriminator of instructions for PART. 0 is what others have.
constexpr uint32_t discriminatorOfPart(uint32_t part) {
  return part + 1;
}

/// Returns the part whose instructions have DISCRIMINATOR; none: they are of no part.
constexpr std::optional<uint32_t> partOfDiscriminator(uint32_t discriminator) {
  if (discriminator == 0 || discriminator > kCoarsenedParts)
    return std::nullopt;
  return discriminator - 1;
}

/// Returns the linear number in its block of the thread that is PART of the lane which has THREAD.
constexpr uint32_t threadOfPart(uint32_t thread, uint32_t part) {
  return thread / kWarpSize * kWarpSize + part * kCoarsenedLanes + thread % kCoarsenedLanes;
}

} // namespace vx::abi

#endif // VX_ABI_COARSENED_PARTS_H
