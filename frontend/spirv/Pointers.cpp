// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands what SPIR-V 1.4 and 1.5 do with pointers and the translator does not, on their numbers:
//
//   %r = OpPtrEqual %bool %p %q        %a = OpConvertPtrToU %ulong %p
//                                ──►   %b = OpConvertPtrToU %ulong %q
//                                      %r = OpIEqual %bool %a %b
//   %r = OpPtrDiff %t %p %q      ──►   (%a - %b) / the number of the element after the one at 0
//   %r = OpBitcast %ulong %p     ──►   %r = OpConvertPtrToU %ulong %p

#include "frontend/spirv/Normalize.h"
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

class Pointers {
public:
  Pointers(Words &module, Declarations &declarations)
      : declarations(declarations), out(module, declarations) {}

  void run() {
    out.run([&](const SpvInstruction &i) {
      switch (static_cast<spv::Op>(i.opcode)) {
      case spv::Op::OpPtrEqual:
        return compare(i, spv::Op::OpIEqual);
      case spv::Op::OpPtrNotEqual:
        return compare(i, spv::Op::OpINotEqual);
      case spv::Op::OpPtrDiff:
        return subtract(i);
      case spv::Op::OpBitcast:
        return convert(i);
      default:
        return out.keep(i);
      }
    });
  }

private:
  uint32_t wordType() {
    if (!word)
      word = declarations.findScalar(ScalarType::Int, 64);
    if (!word)
      word = out.addGlobal(spv::Op::OpTypeInt, 0, {64, 0});
    return word;
  }

  uint32_t numberOf(uint32_t pointer) {
    return out.add(spv::Op::OpConvertPtrToU, wordType(), {pointer});
  }

  void compare(const SpvInstruction &i, spv::Op opcode) {
    uint32_t a = numberOf(i.operands[2]), b = numberOf(i.operands[3]);
    out.add(opcode, i.operands[0], {a, b}, i.operands[1]);
  }

  /// Returns the distance of elements of what TYPE points to.
  uint32_t stride(uint32_t type) {
    uint32_t one = out.addGlobal(spv::Op::OpConstant, wordType(), {1, 0});
    uint32_t null = out.addGlobal(spv::Op::OpConstantNull, type, {});
    return numberOf(out.add(spv::Op::OpPtrAccessChain, type, {null, one}));
  }

  void subtract(const SpvInstruction &i) {
    auto [type, id] = std::pair(i.operands[0], i.operands[1]);
    uint32_t a = numberOf(i.operands[2]), b = numberOf(i.operands[3]);
    uint32_t bytes = out.add(spv::Op::OpISub, wordType(), {a, b});
    uint32_t size = stride(declarations.typeOf(i.operands[2]));
    bool isWord = declarations.widthOf(type) == 64;
    uint32_t elements =
        out.add(spv::Op::OpSDiv, isWord ? type : wordType(), {bytes, size}, isWord ? id : 0);
    if (!isWord)
      out.add(spv::Op::OpSConvert, type, {elements}, id);
  }

  void convert(const SpvInstruction &i) {
    bool toPointer = declarations.pointers.contains(i.operands[0]);
    bool fromPointer = declarations.pointers.contains(declarations.typeOf(i.operands[2]));
    if (toPointer == fromPointer)
      return out.keep(i);
    out.emit(number(toPointer ? spv::Op::OpConvertUToPtr : spv::Op::OpConvertPtrToU), i.operands);
  }

  Declarations &declarations;
  Rewriter out;
  uint32_t word = 0;
};

} // namespace

void expandPointerOperations(Words &module, Declarations &declarations) {
  Pointers(module, declarations).run();
}

} // namespace vx::spirv
