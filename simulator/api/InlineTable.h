// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that the compiler has inlined around code addresses, from the DWARF debug information
// (version 4 or 5) of an image. What cannot be read of it is left out.

#ifndef VX_SIMULATOR_API_INLINETABLE_H
#define VX_SIMULATOR_API_INLINETABLE_H

#include "simulator/api/ElfImage.h"
#include "simulator/api/LineTable.h"
#include <cstdint>
#include <string>
#include <vector>

namespace vx::sim {

/// A call in whose place there is the code of what it calls.
struct InlinedCall {
  std::string callee; ///< readable; empty: not known
  SourceLine line;    ///< of the call

  /// "inlined at file.cu:9 (call of get)".
  std::string text() const;
};

class InlineTable {
public:
  /// LINES is of the same image.
  InlineTable(const ElfImage &image, const LineTable &lines);

  /// The calls that ADDRESS lies in, the innermost first.
  std::vector<InlinedCall> find(uint64_t address) const;

private:
  friend class InlineReader;
  struct Range {
    uint64_t first, end;
    uint32_t depth, call; ///< more is further inside; index into `calls`
  };
  std::vector<Range> ranges;
  std::vector<InlinedCall> calls;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_INLINETABLE_H
