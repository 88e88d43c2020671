// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction set as data: RiscvInsns.def and VortexInsns.def as one constexpr table. Decoder,
// disassembler, simulator and tests read it; nothing else in the project knows an encoding.

#ifndef VX_INTRINSICS_ISA_INSNTABLE_H
#define VX_INTRINSICS_ISA_INSNTABLE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vx::isa {

/// Where the operands of an instruction are, and how it is written in assembly.
enum class Format : uint8_t {
  R,            ///< rd, rs1, rs2
  I,            ///< rd, rs1, imm12
  Shift,        ///< rd, rs1, shamt (6 bits, 5 for XLEN 32)
  ShiftW,       ///< rd, rs1, shamt (5 bits)
  Load,         ///< rd, imm12(rs1)
  S,            ///< rs2, imm12(rs1)
  B,            ///< rs1, rs2, pc-relative target
  U,            ///< rd, imm20
  J,            ///< rd, pc-relative target
  Jalr,         ///< rd, imm12(rs1)
  None,         ///< no operands
  Fence,        ///< pred, succ
  FenceI,       ///< no operands; unused fields are ignored
  Csr,          ///< rd, csr, rs1
  CsrI,         ///< rd, csr, uimm5
  LoadReserved, ///< rd, (rs1)
  Amo,          ///< rd, rs2, (rs1)
  FpLoad,       ///< fd, imm12(rs1)
  FpStore,      ///< fs2, imm12(rs1)
  FpR,          ///< fd, fs1, fs2
  FpRm,         ///< fd, fs1, fs2, rounding mode
  FpR4,         ///< fd, fs1, fs2, fs3, rounding mode
  FpUnaryRm,    ///< fd, fs1, rounding mode
  FpUnaryExact, ///< fd, fs1; the rounding-mode field has no effect
  FpCompare,    ///< rd, fs1, fs2
  FpToInt,      ///< rd, fs1
  FpToIntRm,    ///< rd, fs1, rounding mode
  IntToFp,      ///< fd, rs1
  IntToFpRm,    ///< fd, rs1, rounding mode
  IntToFpExact, ///< fd, rs1; the rounding-mode field has no effect
  VxRs1,        ///< rs1
  VxRs1Rs2,     ///< rs1, rs2
  VxRdRs1,      ///< rd, rs1
  VxVote,       ///< rd, rs1, rs2 = member mask (x0 is not written)
  VxShflImm,    ///< rd, rs1, offset, rs2
  VxTex,        ///< fd and the registers behind it, fs1, fs2, fs3, how many are written
};

/// Functional unit of a core.
enum class Unit : uint8_t { Alu, Fpu, Lsu, Sfu };

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
  Unit unit;
  Xlen xlen;
  Extension extension;
};

#define VX_INSN(id, mnemonic, format, match, mask, unit, xlen, ext)                                \
  InsnInfo{Op::id, mnemonic, Format::format, match, mask, Unit::unit, Xlen::xlen, Extension::ext},
inline constexpr auto kInsns = std::to_array<InsnInfo>({
#include "intrinsics/isa/RiscvInsns.def"
#define VX_INSN(id, mnemonic, format, match, mask, unit, xlen, ext)                                \
  InsnInfo{Op::id, mnemonic, Format::format, match, mask, Unit::unit, Xlen::xlen, Extension::ext},
#include "intrinsics/isa/VortexInsns.def"
});

inline constexpr size_t kNumInsns = kInsns.size();

/// The row of an instruction.
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

/// The row that WORD matches for a register width, or null. Which extensions are switched on is the
/// caller's business.
constexpr const InsnInfo *decode(uint32_t word, unsigned xlen) {
  uint32_t opcode = word & 127;
  for (size_t i = kInsnsByOpcode.begin[opcode]; i < kInsnsByOpcode.begin[opcode + 1]; ++i) {
    const InsnInfo &row = kInsns[kInsnsByOpcode.rows[i]];
    if ((word & row.mask) != row.match)
      continue;
    if (xlen == 32 &&
        (row.xlen == Xlen::Only64 || (row.format == Format::Shift && (word >> 25 & 1))))
      return nullptr;
    return &row;
  }
  return nullptr;
}

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
  /// vx_shfl with a constant: the lane offset.
  constexpr unsigned laneOffset() const { return word >> 25 & 63; }
  /// vx_tex: the registers that are written; 8 is not valid.
  constexpr unsigned results() const { return 1u << (word >> 25 & 3); }
};

} // namespace vx::isa

#endif // VX_INTRINSICS_ISA_INSNTABLE_H
