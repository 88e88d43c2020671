// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in the words of messages and reports.

#ifndef VX_INTRINSICS_TEXT_HEX_H
#define VX_INTRINSICS_TEXT_HEX_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace vx {

/// Returns VALUE as "0x1f".
inline std::string hexText(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

} // namespace vx

#endif // VX_INTRINSICS_TEXT_HEX_H
