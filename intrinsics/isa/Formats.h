// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of instructions as constexpr tables: Formats.def, and the rows VX_FORMAT of
// VortexInsns.def.

#ifndef VX_INTRINSICS_ISA_FORMATS_H
#define VX_INTRINSICS_ISA_FORMATS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vx::isa {

enum class Format : uint8_t {
#define VX_FORMAT(id, ...) id,
#include "intrinsics/isa/Formats.def"
#define VX_FORMAT(id, ...) id,
#include "intrinsics/isa/VortexInsns.def"
};

/// A part of an instruction word.
enum class Field : uint8_t {
  None,
  Rd,
  Rs1,
  Rs2,
  Rs3,
  ImmI,
  ImmS,
  ImmB,
  ImmU,
  ImmJ,
  Shamt,    ///< shift amount: 6 bits, 5 for XLEN 32
  Csr,      ///< number of a CSR
  Lane,     ///< lane offset of a shuffle
  Count,    ///< registers that a vx_tex writes; 8 is not valid
  Pred,     ///< the accesses that a fence orders, as four bits
  Succ,     ///< the accesses that they are ordered with
  Rounding, ///< rounding mode
};

/// The use that an instruction makes of an operand.
enum class Role : uint8_t {
  ReadX,
  ReadF,
  WriteX,
  WriteF,
  Immediate, ///< the constant that it computes with
  Modifier,  ///< another constant
};

/// The access of an instruction to memory.
enum class Memory : uint8_t { None, Load, Store, LoadReserved, Atomic, Fence, Texture };

/// The control flow after an instruction.
enum class Flow : uint8_t {
  Straight, ///< the next one. Unless it traps, it changes neither pc, mask nor warps, and no
            ///< counter and no code can be told from it
  State,    ///< the next one, but it may do any of this
  Branch,   ///< conditional
  Jump,
  Trap,
};

/// The fields of an instruction word.
struct Fields {
  uint32_t word;
  constexpr unsigned rd() const { return word >> 7 & 31; }
  constexpr unsigned rs1() const { return word >> 15 & 31; }
  constexpr unsigned rs2() const { return word >> 20 & 31; }
  constexpr unsigned rs3() const { return word >> 27; }
  constexpr unsigned rm() const { return word >> 12 & 7; }
  constexpr unsigned csr() const { return word >> 20; }
  constexpr unsigned shamt() const { return word >> 20 & 63; }
  constexpr int32_t immI() const { return int32_t(word) >> 20; }
  constexpr int32_t immS() const { return (int32_t(word) >> 25) * 32 + int32_t(rd()); }
  constexpr int32_t immU() const { return int32_t(word & 0xfffff000); }
  constexpr int32_t immB() const {
    return (int32_t(word) >> 31) * 4096 +
           int32_t((word << 4 & 0x800) | (word >> 20 & 0x7e0) | (word >> 7 & 0x1e));
  }
  constexpr int32_t immJ() const {
    return (int32_t(word) >> 31) * (1 << 20) +
           int32_t((word & 0xff000) | (word >> 9 & 0x800) | (word >> 20 & 0x7fe));
  }
  constexpr unsigned laneOffset() const { return word >> 25 & 63; }
  constexpr unsigned results() const { return 1u << (word >> 25 & 3); }

  /// Returns the value of FIELD, 0 for Field::None.
  constexpr int32_t operator[](Field field) const {
    switch (field) {
    case Field::None:
      return 0;
    case Field::Rd:
      return int32_t(rd());
    case Field::Rs1:
      return int32_t(rs1());
    case Field::Rs2:
      return int32_t(rs2());
    case Field::Rs3:
      return int32_t(rs3());
    case Field::ImmI:
      return immI();
    case Field::ImmS:
      return immS();
    case Field::ImmB:
      return immB();
    case Field::ImmU:
      return immU();
    case Field::ImmJ:
      return immJ();
    case Field::Shamt:
      return int32_t(shamt());
    case Field::Csr:
      return int32_t(csr());
    case Field::Lane:
      return int32_t(laneOffset());
    case Field::Count:
      return int32_t(results());
    case Field::Pred:
      return int32_t(word >> 24 & 15);
    case Field::Succ:
      return int32_t(word >> 20 & 15);
    case Field::Rounding:
      return int32_t(rm());
    }
    return 0;
  }
};

struct OperandInfo {
  std::string_view name;
  Role role;
  Field field;
  int omitted; ///< the value that assembly text leaves out, or -1

  constexpr bool isOmitted(Fields word) const { return omitted >= 0 && word[field] == omitted; }
};

inline constexpr auto kOperands = std::to_array<OperandInfo>({
#define VX_OPERAND(name, role, field, omitted)                                                     \
  OperandInfo{#name, Role::role, Field::field, omitted},
#include "intrinsics/isa/Formats.def"
});

/// Returns the operand at the begin of TEXT, or null: a character that stands for itself.
constexpr const OperandInfo *operandAt(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && ((text[length] >= 'a' && text[length] <= 'z') ||
                                  (text[length] >= '0' && text[length] <= '9')))
    ++length;
  for (const OperandInfo &operand : kOperands)
    if (operand.name == text.substr(0, length))
      return &operand;
  return nullptr;
}

struct FormatInfo {
  std::string_view operands; ///< as in Formats.def
  Memory memory = Memory::None;
  Flow flow = Flow::Straight;

  // What follows from the operands.
  struct Source {
    Field field;
    bool isFloat;
  };
  std::array<Source, 3> sources{}; ///< the registers that it reads
  uint8_t numSources = 0;
  bool writesX = false, writesF = false; ///< its result register is in field Rd
  Field immediate = Field::None;
  uint32_t fields = 0; ///< 1 << field, of all operands

  /// Returns whether it reads the integer register that FIELD names.
  constexpr bool readsX(Field field) const {
    for (size_t i = 0; i < numSources; ++i)
      if (sources[i].field == field)
        return !sources[i].isFloat;
    return false;
  }
  /// Returns whether one of its operands is in FIELD.
  constexpr bool has(Field field) const { return fields >> unsigned(field) & 1; }
};

void formatWithUnknownOperand(); ///< cannot be called where a constant is computed

/// Returns the table's row. An unknown operand and more than three sources do not compile.
consteval FormatInfo describeFormat(std::string_view operands, Memory memory, Flow flow) {
  FormatInfo info{operands, memory, flow};
  while (!operands.empty()) {
    const OperandInfo *operand = operandAt(operands);
    if (!operand) {
      if (operands[0] != ',' && operands[0] != ' ' && operands[0] != '(' && operands[0] != ')')
        formatWithUnknownOperand();
      operands.remove_prefix(1);
      continue;
    }
    operands.remove_prefix(operand->name.size());
    info.fields |= 1u << unsigned(operand->field);
    switch (operand->role) {
    case Role::ReadX:
    case Role::ReadF:
      info.sources[info.numSources++] = {operand->field, operand->role == Role::ReadF};
      break;
    case Role::WriteX:
      info.writesX = true;
      break;
    case Role::WriteF:
      info.writesF = true;
      break;
    case Role::Immediate:
      info.immediate = operand->field;
      break;
    case Role::Modifier:
      break;
    }
  }
  return info;
}

inline constexpr auto kFormats = std::to_array<FormatInfo>({
#define VX_FORMAT(id, operands, memory, flow) describeFormat(operands, Memory::memory, Flow::flow),
#include "intrinsics/isa/Formats.def"
#define VX_FORMAT(id, operands, memory, flow) describeFormat(operands, Memory::memory, Flow::flow),
#include "intrinsics/isa/VortexInsns.def"
});

/// Returns the row of a format.
constexpr const FormatInfo &info(Format format) {
  return kFormats[size_t(format)];
}

/// Returns whether what does this to memory has an address, that of Formats.def, for each lane.
constexpr bool hasAddress(Memory memory) {
  return memory == Memory::Load || memory == Memory::Store || memory == Memory::LoadReserved ||
         memory == Memory::Atomic;
}

} // namespace vx::isa

#endif // VX_INTRINSICS_ISA_FORMATS_H
