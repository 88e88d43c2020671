// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a program counter to a source line: a reader of the line tables of DWARF 5 (and 4) in a
// device image. The sections are not trusted; what cannot be read has no line.

#ifndef VX_RUNTIME_CORE_SOURCELOCATOR_H
#define VX_RUNTIME_CORE_SOURCELOCATOR_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace vx::rt {

struct SourceLocation {
  std::string file;
  uint32_t line = 0;
};

/// The debug sections that line tables need; each may be empty.
struct LineSections {
  std::span<const uint8_t> line;    ///< .debug_line
  std::span<const uint8_t> lineStr; ///< .debug_line_str
  std::span<const uint8_t> str;     ///< .debug_str
};

/// The row of the line table that covers PC, none when there is none.
std::optional<SourceLocation> locateSource(const LineSections &sections, uint64_t pc);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_SOURCELOCATOR_H
