// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats of printf. LLVM's back end passes the array, and the format must be a pointer to its
// first character:
//
//                                                        %p = OpBitcast %charPointer %array
//   %n = OpExtInst %uint %opencl printf %array …  ──►    %n = OpExtInst %uint %opencl printf %p …

#include "doors/spirv/Normalize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

/// The module may be one that is not valid: nothing is taken for granted.
class PrintfFormats {
public:
  explicit PrintfFormats(Words &module) : module(module), bound(module[3]) {}

  bool run() {
    survey();
    if (formats.empty())
      return false;
    Words result(module.begin(), module.begin() + kHeaderWords);
    bool inFunctions = false;
    forEachInstruction(module, [&](const Instruction &i) {
      if (!inFunctions && i.opcode == number(spv::Op::OpFunction)) {
        inFunctions = true;
        for (uint32_t space : spaces)
          if (!pointers.lookup(space)) {
            append(result, number(spv::Op::OpTypePointer), {bound, space, character});
            pointers[space] = bound++;
          }
      }
      Words words(i.words.begin(), i.words.end());
      if (isPrintf(i) && formats.contains(i.operands[4])) {
        append(result, number(spv::Op::OpBitcast),
               {pointers.lookup(formats.lookup(i.operands[4])), bound, i.operands[4]});
        words[5] = bound++;
      }
      append_range(result, words);
    });
    module = std::move(result);
    module[3] = bound;
    return true;
  }

private:
  bool isPrintf(const Instruction &i) const {
    return i.opcode == number(spv::Op::OpExtInst) && i.operands.size() >= 5 && instructions &&
           i.operands[2] == instructions && i.operands[3] == OpenCLLIB::Printf;
  }

  void survey() {
    DenseMap<uint32_t, uint32_t> arrays; // pointers to arrays of characters -> their space
    DenseMap<uint32_t, uint32_t> variables, elements;
    forEachInstruction(module, [&](const Instruction &i) {
      ArrayRef<uint32_t> o = i.operands;
      auto opcode = static_cast<spv::Op>(i.opcode);
      if (opcode == spv::Op::OpExtInstImport && o.size() > 1 &&
          readString(o.drop_front()).first == kOpenCLInstructions)
        instructions = o[0];
      else if (opcode == spv::Op::OpTypeInt && o.size() == 3 && o[1] == 8)
        character = o[0];
      else if (opcode == spv::Op::OpTypeArray && o.size() == 3)
        elements[o[0]] = o[1];
      else if (opcode == spv::Op::OpTypePointer && o.size() == 3 && character) {
        if (o[2] == character)
          pointers.try_emplace(o[1], o[0]);
        else if (elements.lookup(o[2]) == character)
          arrays[o[0]] = o[1];
      } else if (opcode == spv::Op::OpVariable && o.size() >= 3 && arrays.contains(o[0]))
        variables[o[1]] = arrays.lookup(o[0]);
      else if (isPrintf(i) && variables.contains(o[4])) {
        uint32_t space = variables.lookup(o[4]);
        formats[o[4]] = space;
        if (!is_contained(spaces, space))
          spaces.push_back(space);
      }
    });
  }

  Words &module;
  uint32_t bound;
  uint32_t instructions = 0, character = 0;
  DenseMap<uint32_t, uint32_t> pointers; ///< storage class -> pointer to a character
  DenseMap<uint32_t, uint32_t> formats;  ///< variable -> its storage class
  SmallVector<uint32_t, 2> spaces;       ///< of them
};

} // namespace

bool rewritePrintfFormats(Words &module) {
  return PrintfFormats(module).run();
}

} // namespace vx::spirv
