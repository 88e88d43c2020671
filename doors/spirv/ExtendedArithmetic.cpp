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

#include "doors/spirv/Normalize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.hpp11>

using namespace llvm;

namespace vx::spirv {
namespace {

bool hasTwoResults(unsigned opcode) {
  return is_contained({number(spv::Op::OpIAddCarry), number(spv::Op::OpISubBorrow),
                       number(spv::Op::OpUMulExtended), number(spv::Op::OpSMulExtended)},
                      opcode);
}

class ExtendedArithmetic {
public:
  explicit ExtendedArithmetic(Words &module) : module(module), bound(module[3]) {}

  void run() {
    survey();
    if (wanted.empty())
      return;
    result.assign(module.begin(), module.begin() + kHeaderWords);
    bool inFunctions = false;
    forEachInstruction(module, [&](const Instruction &i) {
      if (needsImport && !instructions && i.opcode == number(spv::Op::OpMemoryModel))
        addImport();
      if (!inFunctions && i.opcode == number(spv::Op::OpFunction)) {
        inFunctions = true;
        for (auto &[type, constants] : wanted)
          addConstants(type, constants);
      }
      if (hasTwoResults(i.opcode))
        expand(i);
      else
        append_range(result, i.words);
    });
    module = std::move(result);
    module[3] = bound;
  }

private:
  /// What carries and borrows of one type are made of; 0 where there is no such thing yet.
  struct Constants {
    uint32_t boolean = 0, one = 0, zero = 0;
  };
  struct Shape {
    unsigned bits = 0;    ///< of an integer
    uint32_t element = 0; ///< of a vector
    uint32_t count = 0;
  };

  void survey() {
    DenseMap<uint32_t, uint32_t> members; // the type of a structure's first member
    forEachInstruction(module, [&](const Instruction &i) {
      ArrayRef<uint32_t> o = i.operands;
      switch (static_cast<spv::Op>(i.opcode)) {
      case spv::Op::OpExtInstImport:
        if (readString(o.drop_front()).first == kOpenCLInstructions)
          instructions = o[0];
        break;
      case spv::Op::OpTypeBool:
        booleans[{0, 0}] = o[0];
        break;
      case spv::Op::OpTypeInt:
        shapes[o[0]].bits = o[1];
        break;
      case spv::Op::OpTypeVector:
        shapes[o[0]] = {0, o[1], o[2]};
        if (o[1] == booleans.lookup({0, 0}))
          booleans[{1, o[2]}] = o[0];
        break;
      case spv::Op::OpTypeStruct:
        if (o.size() == 3)
          members[o[0]] = o[1];
        break;
      default:
        if (hasTwoResults(i.opcode)) {
          types[o[0]] = members.lookup(o[0]);
          wanted.insert({members.lookup(o[0]), {}});
          needsImport |= isMultiplication(i.opcode);
        }
      }
    });
  }

  static bool isMultiplication(unsigned opcode) {
    return opcode == number(spv::Op::OpUMulExtended) || opcode == number(spv::Op::OpSMulExtended);
  }

  uint32_t add(spv::Op opcode, uint32_t type, ArrayRef<uint32_t> operands) {
    Words words;
    if (type)
      words.push_back(type);
    words.push_back(bound);
    append_range(words, operands);
    append(result, number(opcode), words);
    return bound++;
  }

  void addImport() {
    instructions = add(spv::Op::OpExtInstImport, 0, stringWords(kOpenCLInstructions));
  }

  uint32_t booleanOf(const Shape &shape) {
    uint32_t &scalar = booleans[{0, 0}];
    if (!scalar)
      scalar = add(spv::Op::OpTypeBool, 0, {});
    if (!shape.element)
      return scalar;
    uint32_t element = scalar;
    uint32_t &vector = booleans[{1, shape.count}];
    if (!vector)
      vector = add(spv::Op::OpTypeVector, 0, {element, shape.count});
    return vector;
  }

  uint32_t constant(uint32_t type, const Shape &shape, uint32_t value) {
    if (shape.element)
      return add(spv::Op::OpConstantComposite, type,
                 Words(shape.count, constant(shape.element, shapes.lookup(shape.element), value)));
    Words words(shape.bits == 64 ? 2 : 1);
    words[0] = value;
    return add(spv::Op::OpConstant, type, words);
  }

  void addConstants(uint32_t type, Constants &constants) {
    const Shape shape = shapes.lookup(type);
    constants.boolean = booleanOf(shape);
    constants.one = constant(type, shape, 1);
    constants.zero = constant(type, shape, 0);
  }

  void expand(const Instruction &i) {
    uint32_t type = types.lookup(i.operands[0]), a = i.operands[2], b = i.operands[3];
    const Constants &constants = wanted[type];
    uint32_t low = 0, high = 0;
    auto carry = [&](uint32_t less, uint32_t than) {
      uint32_t is = add(spv::Op::OpULessThan, constants.boolean, {less, than});
      return add(spv::Op::OpSelect, type, {is, constants.one, constants.zero});
    };
    switch (static_cast<spv::Op>(i.opcode)) {
    case spv::Op::OpIAddCarry:
      low = add(spv::Op::OpIAdd, type, {a, b});
      high = carry(low, a);
      break;
    case spv::Op::OpISubBorrow:
      low = add(spv::Op::OpISub, type, {a, b});
      high = carry(a, b);
      break;
    default:
      bool isSigned = i.opcode == number(spv::Op::OpSMulExtended);
      low = add(spv::Op::OpIMul, type, {a, b});
      high =
          add(spv::Op::OpExtInst, type,
              {instructions, uint32_t(isSigned ? OpenCLLIB::SMul_hi : OpenCLLIB::UMul_hi), a, b});
    }
    append(result, number(spv::Op::OpCompositeConstruct),
           {i.operands[0], i.operands[1], low, high});
  }

  Words &module;
  Words result;
  uint32_t bound;
  uint32_t instructions = 0;
  bool needsImport = false;
  DenseMap<uint32_t, Shape> shapes;
  DenseMap<std::pair<unsigned, unsigned>, uint32_t>
      booleans;                       ///< (whether a vector, elements) -> type
  DenseMap<uint32_t, uint32_t> types; ///< structure with two results -> type of each
  MapVector<uint32_t, Constants> wanted;
};

} // namespace

void expandExtendedArithmetic(Words &module) {
  ExtendedArithmetic(module).run();
}

} // namespace vx::spirv
