// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats of printf. LLVM's back end passes the array, and the format must be a pointer to its
// first character:
//
//                                                        %p = OpBitcast %charPointer %array
//   %n = OpExtInst %uint %opencl printf %array …  ──►    %n = OpExtInst %uint %opencl printf %p …

#include "frontend/spirv/Normalize.h"
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

/// The module may be one that is not valid: nothing is taken for granted.
class PrintfFormats {
public:
  explicit PrintfFormats(Words &module) : declarations(module), out(module, declarations) {
    instructions = declarations.imports.lookup(kOpenCLInstructions);
    character = declarations.findScalar(ScalarType::Int, 8);
  }

  void run() {
    out.run([&](const SpvInstruction &i) {
      uint32_t storage = 0;
      if (!isPrintf(i) || !isArray(i.operands[4], storage))
        return out.keep(i);
      uint32_t pointer = declarations.findPointer(storage, character);
      if (!pointer)
        pointer = out.addGlobal(spv::Op::OpTypePointer, 0, {storage, character});
      Words operands(i.operands.begin(), i.operands.end());
      operands[4] = out.add(spv::Op::OpBitcast, pointer, {operands[4]});
      out.emit(i.opcode, operands);
    });
  }

private:
  bool isPrintf(const SpvInstruction &i) const {
    return i.opcode == number(spv::Op::OpExtInst) && i.operands.size() >= 5 && instructions &&
           i.operands[2] == instructions && i.operands[3] == OpenCLLIB::Printf;
  }

  /// Returns true if ID is a pointer to an array of characters, and in which storage class.
  bool isArray(uint32_t id, uint32_t &storage) const {
    auto pointer = declarations.pointers.find(declarations.typeOf(id));
    if (!character || pointer == declarations.pointers.end())
      return false;
    storage = pointer->second.storage;
    auto array = declarations.arrays.find(pointer->second.pointee);
    return array != declarations.arrays.end() && array->second == character;
  }

  Declarations declarations;
  Rewriter out;
  uint32_t instructions, character;
};

} // namespace

void rewritePrintfFormats(Words &module) {
  PrintfFormats(module).run();
}

} // namespace vx::spirv
