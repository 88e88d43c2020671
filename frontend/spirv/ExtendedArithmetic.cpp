// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with two results, which the translator does not know, as instructions that it does:
//
//   %r = OpIAddCarry %pair %a %b           %low = OpIAdd %t %a %b
//                                          %is = OpULessThan %bool %low %a
//                                ──►       %high = OpSelect %t %is %one %zero
//                                          %r = OpCompositeConstruct %pair %low %high
//   %r = OpUMulExtended %pair %a %b        %low = OpIMul %t %a %b
//                                ──►       %high = OpExtInst %t %opencl u_mul_hi %a %b
//                                          %r = OpCompositeConstruct %pair %low %high

#include "frontend/spirv/Normalize.h"
#include "llvm/ADT/DenseMap.h"
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

class ExtendedArithmetic {
public:
  ExtendedArithmetic(Words &module, Declarations &declarations)
      : declarations(declarations), out(module, declarations) {}

  void run() {
    out.run([&](const SpvInstruction &i) {
      switch (static_cast<spv::Op>(i.opcode)) {
      case spv::Op::OpIAddCarry:
      case spv::Op::OpISubBorrow:
      case spv::Op::OpUMulExtended:
      case spv::Op::OpSMulExtended:
        return expand(i);
      default:
        return out.keep(i);
      }
    });
  }

private:
  /// The types and constants that carries and borrows of one type are made of.
  struct Constants {
    uint32_t boolean = 0, one = 0, zero = 0;
  };

  /// Returns the type of a comparison of values of TYPE, a number or a vector of them.
  uint32_t booleanOf(uint32_t type) {
    uint32_t scalar = declarations.findScalar(ScalarType::Bool, 1);
    if (!scalar)
      scalar = out.addGlobal(spv::Op::OpTypeBool, 0, {});
    auto vector = declarations.vectors.find(type);
    if (vector == declarations.vectors.end())
      return scalar;
    uint32_t count = vector->second.count, found = declarations.findVector(scalar, count);
    return found ? found : out.addGlobal(spv::Op::OpTypeVector, 0, {scalar, count});
  }

  uint32_t constant(uint32_t type, uint32_t value) {
    auto vector = declarations.vectors.find(type);
    if (vector != declarations.vectors.end()) {
      auto [element, count] = vector->second;
      return out.addGlobal(spv::Op::OpConstantComposite, type,
                           Words(count, constant(element, value)));
    }
    Words words(declarations.widthOf(type) == 64 ? 2 : 1);
    words[0] = value;
    return out.addGlobal(spv::Op::OpConstant, type, words);
  }

  const Constants &constantsOf(uint32_t type) {
    Constants &known = constants[type];
    if (!known.boolean)
      known = {booleanOf(type), constant(type, 1), constant(type, 0)};
    return known;
  }

  void expand(const SpvInstruction &i) {
    uint32_t type = declarations.firstMembers.lookup(i.operands[0]);
    uint32_t a = i.operands[2], b = i.operands[3];
    uint32_t low = 0, high = 0;
    auto carry = [&](uint32_t less, uint32_t than) {
      Constants made = constantsOf(type);
      uint32_t is = out.add(spv::Op::OpULessThan, made.boolean, {less, than});
      return out.add(spv::Op::OpSelect, type, {is, made.one, made.zero});
    };
    switch (static_cast<spv::Op>(i.opcode)) {
    case spv::Op::OpIAddCarry:
      low = out.add(spv::Op::OpIAdd, type, {a, b});
      high = carry(low, a);
      break;
    case spv::Op::OpISubBorrow:
      low = out.add(spv::Op::OpISub, type, {a, b});
      high = carry(a, b);
      break;
    default:
      bool isSigned = i.opcode == number(spv::Op::OpSMulExtended);
      low = out.add(spv::Op::OpIMul, type, {a, b});
      high = out.add(spv::Op::OpExtInst, type,
                     {out.import(kOpenCLInstructions),
                      uint32_t(isSigned ? OpenCLLIB::SMul_hi : OpenCLLIB::UMul_hi), a, b});
    }
    out.add(spv::Op::OpCompositeConstruct, i.operands[0], {low, high}, i.operands[1]);
  }

  Declarations &declarations;
  Rewriter out;
  DenseMap<uint32_t, Constants> constants; ///< by type
};

} // namespace

void expandExtendedArithmetic(Words &module, Declarations &declarations) {
  ExtendedArithmetic(module, declarations).run();
}

} // namespace vx::spirv
