// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines of code addresses, from the DWARF line tables (version 2 to 5) of an image.

#ifndef VX_SIMULATOR_API_LINETABLE_H
#define VX_SIMULATOR_API_LINETABLE_H

#include "simulator/api/ElfImage.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vx::sim {

struct SourceLine {
  std::string file; ///< empty: not known
  uint32_t line = 0;
  uint32_t discriminator = 0; ///< which copy of the line's code, if the compiler says; else 0
};

class LineTable {
public:
  /// Reads what it can of the image's .debug_line; damaged parts are left out.
  explicit LineTable(const ElfImage &image);

  /// The line of the instruction at ADDRESS.
  SourceLine find(uint64_t address) const;
  bool empty() const { return rows.empty(); }
  /// The file that the unit at OFFSET of .debug_line gives the number INDEX; empty: none.
  std::string fileOfUnit(uint64_t offset, uint64_t index) const;

private:
  friend class LineProgram;
  /// Code from `address` up to the next row's belongs to a line; file 0: to none.
  struct Row {
    uint64_t address;
    uint32_t file; ///< 1 + index into files; 0: end of a sequence
    uint32_t line, discriminator;
  };
  std::vector<Row> rows;
  std::vector<std::string> files;
  /// For each unit, by its offset: indices in `files`, plus 1; 0: none.
  std::map<uint64_t, std::vector<uint32_t>> unitFiles;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_LINETABLE_H
