// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction as text: RISC-V through LLVM's own disassembler, the Vortex instructions, which
// it does not know, through the project's instruction table.

#ifndef VX_TOOLS_OBJDUMP_DISASSEMBLY_H
#define VX_TOOLS_OBJDUMP_DISASSEMBLY_H

#include "tools/vx-objdump/ImageFile.h"

namespace vx {

struct DecodedText {
  std::string text;               ///< "<unknown>" when no instruction matches
  unsigned size = 4;              ///< bytes, 2 or 4
  std::optional<uint64_t> target; ///< of a direct branch or jump
};

class Disassembler {
public:
  static llvm::Expected<std::unique_ptr<Disassembler>> create(unsigned xlen);
  ~Disassembler();
  /// Decodes the instruction at the start of BYTES (not empty), which lies at ADDRESS.
  DecodedText decode(llvm::ArrayRef<uint8_t> bytes, uint64_t address);

private:
  struct State;
  explicit Disassembler(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_DISASSEMBLY_H
