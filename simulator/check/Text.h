// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and places in the words of reports.

#ifndef VX_SIMULATOR_CHECK_TEXT_H
#define VX_SIMULATOR_CHECK_TEXT_H

#include "intrinsics/text/Hex.h"
#include <cstdint>
#include <string>

namespace vx::sim {

/// "1 byte", "4 bytes".
inline std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// Returns where OFFSET is in WHAT, which has SIZE bytes: "4 bytes into WHAT, 64 bytes".
inline std::string positionText(uint64_t offset, uint64_t size, const std::string &what) {
  return (offset < size ? bytesText(offset) + " into "
                        : bytesText(offset - size) + " past the end of ") +
         what + ", " + bytesText(size);
}

/// "(1,0,0)": element LINEAR of a grid or block of shape DIM; empty if it has none.
inline std::string coordinatesText(uint64_t linear, const uint32_t (&dim)[3]) {
  if (!dim[0] || !dim[1] || !dim[2] || linear >= uint64_t(dim[0]) * dim[1] * dim[2])
    return {};
  return "(" + std::to_string(linear % dim[0]) + "," + std::to_string(linear / dim[0] % dim[1]) +
         "," + std::to_string(linear / dim[0] / dim[1]) + ")";
}

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_TEXT_H
