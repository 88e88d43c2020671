// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction set as data: RiscvInsns.def and VortexInsns.def as one constexpr table, and
// their formats (Formats.h). Decoder, disassembler, simulator and tests read it; nothing else in
// the project knows an encoding.

#ifndef VX_INTRINSICS_ISA_INSNTABLE_H
#define VX_INTRINSICS_ISA_INSNTABLE_H

#include "intrinsics/isa/Formats.h"

namespace vx::isa {

/// Functional unit of a core.
enum class Unit : uint8_t { Alu, Fpu, Lsu, Sfu };

/// The latency class of an instruction in its unit: one enumerator for each knob.
enum class Latency : uint8_t {
  Alu,
  Mul,
  Div,
  Vote,
  Shuffle,
  FpFma,
  FpDiv,
  FpSqrt,
  FpConvert,
  FpMove,
  Lsu, ///< memory says
  Sfu,
};

/// Returns the unit that instructions of a latency go to.
constexpr Unit unitOf(Latency latency) {
  switch (latency) {
  case Latency::Alu:
  case Latency::Mul:
  case Latency::Div:
  case Latency::Vote:
  case Latency::Shuffle:
    return Unit::Alu;
  case Latency::FpFma:
  case Latency::FpDiv:
  case Latency::FpSqrt:
  case Latency::FpConvert:
  case Latency::FpMove:
    return Unit::Fpu;
  case Latency::Lsu:
    return Unit::Lsu;
  case Latency::Sfu:
    return Unit::Sfu;
  }
  return Unit::Alu;
}

/// The part of the machine that an instruction concerns, except for memory.
enum class Scope : uint8_t {
  Lane,  ///< each active lane by itself
  Lanes, ///< the result of a lane depends on operands of the others
  Mask,  ///< which lanes of the warp run: it works on the mask stack
  Warps, ///< also what is outside of the warp's registers
};

enum class Xlen : uint8_t { Any, Only64 };

enum class Extension : uint8_t {
  I,
  M,
  A,
  F,
  D,
  Zicsr,
  Zifencei,
  Zicond,
  VxBase,
  VxUpstream,
  VxWarp,
  VxClone,
  VxTexture,
};

/// One enumerator per row, in table order.
enum class Op : uint16_t {
#define VX_INSN(id, ...) id,
#include "intrinsics/isa/RiscvInsns.def"
#define VX_INSN(id, ...) id,
#include "intrinsics/isa/VortexInsns.def"
};

struct InsnInfo {
  Op op;
  std::string_view mnemonic;
  Format format;
  uint32_t match, mask;
  Latency latency;
  Scope scope;
  Xlen xlen;
  Extension extension;

  constexpr const FormatInfo &form() const { return info(format); }
  constexpr Unit unit() const { return unitOf(latency); }
};

#define VX_INSN(id, mnemonic, format, match, mask, latency, scope, xlen, ext)                      \
  InsnInfo{Op::id,           mnemonic,     Format::format, match,         mask,                    \
           Latency::latency, Scope::scope, Xlen::xlen,     Extension::ext},
inline constexpr auto kInsns = std::to_array<InsnInfo>({
#include "intrinsics/isa/RiscvInsns.def"
#define VX_INSN(id, mnemonic, format, match, mask, latency, scope, xlen, ext)                      \
  InsnInfo{Op::id,           mnemonic,     Format::format, match,         mask,                    \
           Latency::latency, Scope::scope, Xlen::xlen,     Extension::ext},
#include "intrinsics/isa/VortexInsns.def"
});

inline constexpr size_t kNumInsns = kInsns.size();

/// Returns the row of an instruction.
constexpr const InsnInfo &info(Op op) {
  return kInsns[size_t(op)];
}

consteval bool everyMatchIsInsideItsMask() {
  for (const InsnInfo &row : kInsns)
    if (row.match & ~row.mask)
      return false;
  return true;
}
static_assert(everyMatchIsInsideItsMask(), "a row of the instruction table can never match");

consteval bool noTwoRowsOverlap() {
  for (size_t i = 1; i < kInsns.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if ((kInsns[i].mask & kInsns[j].mask & (kInsns[i].match ^ kInsns[j].match)) == 0)
        return false;
  return true;
}
static_assert(noTwoRowsOverlap(), "two rows of the instruction table match the same word");

/// The rows in the order of their opcodes (the low seven bits of a word), and where those of an
/// opcode begin.
struct InsnsByOpcode {
  std::array<uint16_t, kNumInsns> rows;
  std::array<uint16_t, 129> begin;
};

inline constexpr InsnsByOpcode kInsnsByOpcode = [] {
  InsnsByOpcode index{};
  size_t count = 0;
  for (uint32_t opcode = 0; opcode < 128; ++opcode) {
    index.begin[opcode] = count;
    for (size_t row = 0; row < kNumInsns; ++row)
      if ((kInsns[row].match & 127) == opcode)
        index.rows[count++] = row;
  }
  index.begin[128] = count;
  return index;
}();

consteval bool everyMaskHasTheOpcode() {
  for (const InsnInfo &row : kInsns)
    if ((row.mask & 127) != 127)
      return false;
  return true;
}
static_assert(everyMaskHasTheOpcode(), "a row of the instruction table has several opcodes");

/// Returns the row that WORD matches for a register width, or null. Which extensions are switched
/// on is the caller's business.
constexpr const InsnInfo *decode(uint32_t word, unsigned xlen) {
  uint32_t opcode = word & 127;
  for (size_t i = kInsnsByOpcode.begin[opcode]; i < kInsnsByOpcode.begin[opcode + 1]; ++i) {
    const InsnInfo &row = kInsns[kInsnsByOpcode.rows[i]];
    if ((word & row.mask) != row.match)
      continue;
    if (xlen == 32 &&
        (row.xlen == Xlen::Only64 || (row.form().immediate == Field::Shamt && (word >> 25 & 1))))
      return nullptr;
    return &row;
  }
  return nullptr;
}

} // namespace vx::isa

#endif // VX_INTRINSICS_ISA_INSNTABLE_H
