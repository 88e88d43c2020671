// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction words as text. The operands follow from the format column of the instruction table,
// so there is no second list of instructions here.

#ifndef VX_INTRINSICS_ISA_DISASSEMBLER_H
#define VX_INTRINSICS_ISA_DISASSEMBLER_H

#include "intrinsics/isa/Csrs.h"
#include "intrinsics/isa/InsnTable.h"
#include <cstdio>
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

inline std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

inline std::string csrName(unsigned number) {
  const CsrInfo *row = findCsr(number);
  return row && !row->name.starts_with("vx_") ? std::string(row->name) : hex(number);
}

/// The letters of a fence's predecessor or successor set.
inline std::string fenceSet(unsigned bits) {
  std::string out;
  for (unsigned i = 0; i < 4; ++i)
    if (bits >> (3 - i) & 1)
      out += "iorw"[i];
  return out.empty() ? "0" : out;
}

/// Expands a pattern: d s t = integer rd rs1 rs2; D S T U = floating-point rd rs1 rs2 rs3;
/// i = imm12, m = imm12(rs1), n = store imm12(rs1), M = (rs1); b j = branch and jump target;
/// u = upper immediate, h = shift amount, c = CSR, z = uimm5, f = fence sets, o = lane offset,
/// r = ", rounding mode" unless dynamic, v = ", member mask" unless x0, q = number of results.
/// Others stand for themselves.
inline std::string expandOperands(std::string_view pattern, Fields w, uint64_t pc) {
  std::string out;
  std::string base = std::string("(") + kIntNames[w.rs1()] + ")";
  for (char c : pattern)
    switch (c) {
    case 'd':
      out += kIntNames[w.rd()];
      break;
    case 's':
      out += kIntNames[w.rs1()];
      break;
    case 't':
      out += kIntNames[w.rs2()];
      break;
    case 'D':
      out += kFpNames[w.rd()];
      break;
    case 'S':
      out += kFpNames[w.rs1()];
      break;
    case 'T':
      out += kFpNames[w.rs2()];
      break;
    case 'U':
      out += kFpNames[w.rs3()];
      break;
    case 'i':
      out += std::to_string(w.immI());
      break;
    case 'm':
      out += std::to_string(w.immI()) + base;
      break;
    case 'n':
      out += std::to_string(w.immS()) + base;
      break;
    case 'M':
      out += base;
      break;
    case 'b':
      out += hex(pc + uint64_t(int64_t(w.immB())));
      break;
    case 'j':
      out += hex(pc + uint64_t(int64_t(w.immJ())));
      break;
    case 'u':
      out += hex(w.word >> 12);
      break;
    case 'h':
      out += std::to_string(w.shamt());
      break;
    case 'c':
      out += csrName(w.csr());
      break;
    case 'z':
      out += std::to_string(w.rs1());
      break;
    case 'f':
      out += fenceSet(w.word >> 24 & 15) + ", " + fenceSet(w.word >> 20 & 15);
      break;
    case 'o':
      out += std::to_string(w.laneOffset());
      break;
    case 'r':
      out += w.rm() == 7 ? "" : std::string(", ") + kRoundingNames[w.rm()];
      break;
    case 'v':
      out += w.rs2() == 0 ? "" : std::string(", ") + kIntNames[w.rs2()];
      break;
    case 'q':
      out += std::to_string(w.results());
      break;
    case ',':
      out += ", ";
      break;
    default:
      out += c;
    }
  return out;
}

constexpr std::string_view operandPattern(Format format) {
  switch (format) {
  case Format::R:
    return "d,s,t";
  case Format::I:
    return "d,s,i";
  case Format::Shift:
  case Format::ShiftW:
    return "d,s,h";
  case Format::Load:
  case Format::Jalr:
    return "d,m";
  case Format::S:
    return "t,n";
  case Format::B:
    return "s,t,b";
  case Format::U:
    return "d,u";
  case Format::J:
    return "d,j";
  case Format::None:
  case Format::FenceI:
    return "";
  case Format::Fence:
    return "f";
  case Format::Csr:
    return "d,c,s";
  case Format::CsrI:
    return "d,c,z";
  case Format::LoadReserved:
    return "d,M";
  case Format::Amo:
    return "d,t,M";
  case Format::FpLoad:
    return "D,m";
  case Format::FpStore:
    return "T,n";
  case Format::FpR:
    return "D,S,T";
  case Format::FpRm:
    return "D,S,Tr";
  case Format::FpR4:
    return "D,S,T,Ur";
  case Format::FpUnaryRm:
    return "D,Sr";
  case Format::FpUnaryExact:
    return "D,S";
  case Format::FpCompare:
    return "d,S,T";
  case Format::FpToInt:
    return "d,S";
  case Format::FpToIntRm:
    return "d,Sr";
  case Format::IntToFp:
  case Format::IntToFpExact:
    return "D,s";
  case Format::IntToFpRm:
    return "D,sr";
  case Format::VxRs1:
    return "s";
  case Format::VxRs1Rs2:
    return "s,t";
  case Format::VxRdRs1:
    return "d,s";
  case Format::VxVote:
    return "d,sv";
  case Format::VxShflImm:
    return "d,s,o,t";
  case Format::VxTex:
    return "D,S,T,U,q";
  }
  return "";
}

} // namespace detail

/// The suffix of an atomic's ordering bits.
constexpr std::string_view orderingSuffix(const InsnInfo &row, uint32_t word) {
  if (row.extension != Extension::A)
    return "";
  constexpr std::string_view suffixes[4] = {"", ".rl", ".aq", ".aqrl"};
  return suffixes[word >> 25 & 3];
}

/// WORD at address PC as assembly text; ".word 0x…" when it is no instruction.
inline std::string disassemble(uint32_t word, uint64_t pc, unsigned xlen) {
  const InsnInfo *row = decode(word, xlen);
  if (!row)
    return ".word " + detail::hex(word);
  if (xlen == 32)
    pc = uint32_t(pc);
  std::string operands = detail::expandOperands(detail::operandPattern(row->format), {word}, pc);
  std::string text(row->mnemonic);
  text += orderingSuffix(*row, word);
  return operands.empty() ? text : text + " " + operands;
}

} // namespace vx::isa

#endif // VX_INTRINSICS_ISA_DISASSEMBLER_H
