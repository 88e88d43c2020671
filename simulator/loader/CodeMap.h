// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a code address in reports: function, offset, source line, the instruction as
// text. Everything is looked up once per address and kept. A copy of what is needed of the image is
// made, so that the map may outlive it.

#ifndef VX_SIMULATOR_LOADER_CODEMAP_H
#define VX_SIMULATOR_LOADER_CODEMAP_H

#include "simulator/api/ElfImage.h"
#include "simulator/api/InlineTable.h"
#include "simulator/api/LineTable.h"
#include <memory>
#include <unordered_map>

namespace vx::sim {

struct CodePlace {
  std::string function; ///< readable; empty: not known
  uint64_t offset = 0;  ///< from the start of the function
  SourceLine source;
  std::vector<InlinedCall> inlined; ///< the calls that the line was inlined by, the innermost first

  /// "name+0x12 file.cu:7", as much of it as is known.
  std::string text() const;
};

class CodeMap {
public:
  /// Knows no addresses; disassembles for registers of XLEN bits.
  explicit CodeMap(unsigned xlen) : xlen(xlen) {}
  /// SLIDE is what was added to the image's addresses when it was loaded.
  CodeMap(const ElfImage &image, uint64_t slide, unsigned xlen);

  /// The reference lasts as long as the map.
  const CodePlace &at(uint64_t pc);
  /// The instruction WORD at PC in assembly.
  const std::string &disassemble(uint64_t pc, uint32_t word);
  /// The address that the linker gave to PC.
  uint64_t linkedAddress(uint64_t pc) const { return pc - slide; }
  bool hasLines() const { return lines && !lines->empty(); }

private:
  struct Function {
    uint64_t address, size;
    std::string name;
  };
  struct Text {
    uint32_t word = 0;
    std::string text;
  };

  unsigned xlen;
  uint64_t slide = 0;
  std::vector<Function> functions; ///< by address
  std::unique_ptr<LineTable> lines;
  std::unique_ptr<InlineTable> inlinedCalls;
  std::unordered_map<uint64_t, CodePlace> places;
  std::unordered_map<uint64_t, Text> texts;
};

/// The readable form of a symbol's name; device entries show which kernel they are of.
std::string readableName(const std::string &symbol);

} // namespace vx::sim

#endif // VX_SIMULATOR_LOADER_CODEMAP_H
