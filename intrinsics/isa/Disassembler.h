// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction words as text. The operands follow from the format column of the instruction table,
// so there is no second list of instructions or formats here.

#ifndef VX_INTRINSICS_ISA_DISASSEMBLER_H
#define VX_INTRINSICS_ISA_DISASSEMBLER_H

#include "intrinsics/isa/Csrs.h"
#include "intrinsics/isa/InsnTable.h"
#include "intrinsics/text/Hex.h"
#include <string>

namespace vx::isa {

namespace detail {

inline constexpr const char *kIntNames[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                              "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                              "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                              "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
inline constexpr const char *kFpNames[32] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
inline constexpr const char *kRoundingNames[8] = {"rne", "rtz", "rdn", "rup",
                                                  "rmm", "rm5", "rm6", "dyn"};

inline std::string csrName(unsigned number) {
  const CsrInfo *row = findCsr(number);
  return row && !row->name.starts_with("vx_") ? std::string(row->name) : hexText(number);
}

/// Returns the letters of a fence's predecessor or successor set.
inline std::string fenceSet(unsigned bits) {
  std::string out;
  for (unsigned i = 0; i < 4; ++i)
    if (bits >> (3 - i) & 1)
      out += "iorw"[i];
  return out.empty() ? "0" : out;
}

/// Returns the text of an operand of the word W at address PC.
inline std::string operandText(const OperandInfo &operand, Fields w, uint64_t pc) {
  int32_t value = w[operand.field];
  switch (operand.field) {
  case Field::None:
    return "";
  case Field::Rd:
  case Field::Rs1:
  case Field::Rs2:
  case Field::Rs3:
    if (operand.role == Role::ReadX || operand.role == Role::WriteX)
      return kIntNames[value];
    if (operand.role == Role::ReadF || operand.role == Role::WriteF)
      return kFpNames[value];
    return std::to_string(value);
  case Field::ImmI:
  case Field::ImmS:
  case Field::Shamt:
  case Field::Lane:
  case Field::Count:
    return std::to_string(value);
  case Field::ImmB:
  case Field::ImmJ:
    return hexText(pc + uint64_t(int64_t(value)));
  case Field::ImmU:
    return hexText(w.word >> 12);
  case Field::Csr:
    return csrName(unsigned(value));
  case Field::Pred:
  case Field::Succ:
    return fenceSet(unsigned(value));
  case Field::Rounding:
    return kRoundingNames[value];
  }
  return "";
}

/// Returns the operands of the word W at address PC, written as PATTERN says (Formats.def).
inline std::string expandOperands(std::string_view pattern, Fields w, uint64_t pc) {
  std::string out, between;
  while (!pattern.empty()) {
    const OperandInfo *operand = operandAt(pattern);
    if (operand && !operand->isOmitted(w))
      out += between + operandText(*operand, w, pc);
    if (operand)
      between.clear();
    else
      between += pattern[0];
    pattern.remove_prefix(operand ? operand->name.size() : 1);
  }
  return out + between;
}

} // namespace detail

/// Returns the suffix of an atomic's ordering bits.
constexpr std::string_view orderingSuffix(const InsnInfo &row, uint32_t word) {
  if (row.extension != Extension::A)
    return "";
  constexpr std::string_view suffixes[4] = {"", ".rl", ".aq", ".aqrl"};
  return suffixes[word >> 25 & 3];
}

/// Returns WORD at address PC as assembly text; ".word 0x…" when it is not an instruction.
inline std::string disassemble(uint32_t word, uint64_t pc, unsigned xlen) {
  const InsnInfo *row = decode(word, xlen);
  if (!row)
    return ".word " + hexText(word);
  if (xlen == 32)
    pc = uint32_t(pc);
  std::string operands = detail::expandOperands(row->form().operands, {word}, pc);
  std::string text(row->mnemonic);
  text += orderingSuffix(*row, word);
  return operands.empty() ? text : text + " " + operands;
}

} // namespace vx::isa

#endif // VX_INTRINSICS_ISA_DISASSEMBLER_H
