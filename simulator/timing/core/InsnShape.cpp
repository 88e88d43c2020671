// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/InsnShape.h"
#include "intrinsics/isa/Csrs.h"
#include <bit>

namespace vx::sim {

namespace {

using isa::Format;
using isa::Op;

constexpr unsigned kFp = 32; ///< offset of the f registers in a RegisterSet

/// The registers of an instruction in the order of its operands; x0 is left out.
struct Operands {
  RegisterSet target = 0, sources = 0;
  std::array<uint8_t, 3> list{}; ///< numbers of the sources, x and f alike
  unsigned count = 0;

  void toX(unsigned r) { target = r ? RegisterSet(1) << r : 0; }
  void toF(unsigned r, unsigned count = 1) {
    target = ((RegisterSet(1) << count) - 1) << (kFp + r);
  }
  void x(unsigned r) {
    if (r)
      add(r, r);
  }
  void f(unsigned r) { add(r, kFp + r); }

private:
  void add(unsigned number, unsigned bit) {
    sources |= RegisterSet(1) << bit;
    list[count++] = uint8_t(number);
  }
};

/// Operands that are all x registers, or none.
bool integerOperands(Format format, isa::Fields i, Operands &o) {
  switch (format) {
  case Format::R:
  case Format::Amo:
  case Format::VxVote:
  case Format::VxShflImm:
    o.toX(i.rd());
    o.x(i.rs1());
    o.x(i.rs2());
    return true;
  case Format::I:
  case Format::Shift:
  case Format::ShiftW:
  case Format::Load:
  case Format::Jalr:
  case Format::Csr:
  case Format::LoadReserved:
  case Format::VxRdRs1:
    o.toX(i.rd());
    o.x(i.rs1());
    return true;
  case Format::S:
  case Format::B:
  case Format::VxRs1Rs2:
    o.x(i.rs1());
    o.x(i.rs2());
    return true;
  case Format::VxRs1:
    o.x(i.rs1());
    return true;
  case Format::U:
  case Format::J:
  case Format::CsrI:
    o.toX(i.rd());
    return true;
  case Format::None:
  case Format::Fence:
  case Format::FenceI:
    return true;
  default:
    return false;
  }
}

void floatOperands(Format format, isa::Fields i, Operands &o) {
  switch (format) {
  case Format::FpLoad:
  case Format::IntToFp:
  case Format::IntToFpRm:
  case Format::IntToFpExact:
    o.toF(i.rd());
    o.x(i.rs1());
    return;
  case Format::FpStore:
    o.x(i.rs1());
    o.f(i.rs2());
    return;
  case Format::FpR4:
    o.toF(i.rd());
    o.f(i.rs1());
    o.f(i.rs2());
    o.f(i.rs3());
    return;
  case Format::VxTex:
    o.toF(i.rd(), i.results());
    o.f(i.rs1());
    o.f(i.rs2());
    o.f(i.rs3());
    return;
  case Format::FpR:
  case Format::FpRm:
    o.toF(i.rd());
    o.f(i.rs1());
    o.f(i.rs2());
    return;
  case Format::FpUnaryRm:
  case Format::FpUnaryExact:
    o.toF(i.rd());
    o.f(i.rs1());
    return;
  case Format::FpCompare:
    o.toX(i.rd());
    o.f(i.rs1());
    o.f(i.rs2());
    return;
  case Format::FpToInt:
  case Format::FpToIntRm:
    o.toX(i.rd());
    o.f(i.rs1());
    return;
  default:
    return;
  }
}

Operands operandsOf(Format format, uint32_t word) {
  Operands o;
  if (!integerOperands(format, isa::Fields{word}, o))
    floatOperands(format, isa::Fields{word}, o);
  return o;
}

/// Each pair of sources in one bank costs a cycle, also when both are the same register.
uint8_t bankConflicts(const Operands &o, unsigned banks) {
  uint8_t pairs = 0;
  for (unsigned i = 1; i < o.count; ++i)
    for (unsigned j = 0; j < i; ++j)
      pairs += o.list[i] % banks == o.list[j] % banks;
  return pairs;
}

bool isFcsr(uint32_t word) {
  unsigned csr = isa::Fields{word}.csr();
  constexpr unsigned first = 1, last = 3; // fflags, frm, fcsr
  return csr >= first && csr <= last;
}

InsnShape::Kind kindOf(const isa::InsnInfo &row) {
  switch (row.format) {
  case Format::Load:
  case Format::FpLoad:
  case Format::LoadReserved:
    return InsnShape::Load;
  case Format::S:
  case Format::FpStore:
  case Format::Amo: // timed as a store: the result is there at once
    return InsnShape::Store;
  case Format::Fence:
  case Format::FenceI:
    return InsnShape::Fence;
  case Format::VxTex:
    return InsnShape::Texture;
  default:
    break;
  }
  bool control = row.extension == isa::Extension::VxBase || row.op == Op::VX_TILE;
  return control ? InsnShape::Control : InsnShape::Plain;
}

} // namespace

uint16_t InsnShapes::latencyOf(Op op) const {
  std::string_view name = isa::info(op).mnemonic;
  auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  switch (isa::info(op).unit) {
  case isa::Unit::Sfu:
    return uint16_t(config.sfuLatency);
  case isa::Unit::Fpu:
    if (starts("fdiv"))
      return uint16_t(config.fdivLatency);
    if (starts("fsqrt"))
      return uint16_t(config.fsqrtLatency);
    if (starts("fcvt"))
      return uint16_t(config.fcvtLatency);
    if (starts("fadd") || starts("fsub") || starts("fmul") || starts("fmadd") || starts("fmsub") ||
        starts("fnm"))
      return uint16_t(config.fmaLatency);
    return uint16_t(config.fpuMoveLatency);
  default:
    if (starts("div") || starts("rem"))
      return uint16_t(config.divCycles());
    if (starts("mul"))
      return uint16_t(config.mulLatency);
    if (starts("vx_vote"))
      return uint16_t(config.voteLatency);
    if (starts("vx_shfl"))
      return uint16_t(config.shuffleLatency);
    return uint16_t(config.aluLatency);
  }
}

InsnShape InsnShapes::compute(Op op, uint32_t word) const {
  const isa::InsnInfo &row = isa::info(op);
  Operands operands = operandsOf(row.format, word);
  InsnShape shape;
  shape.word = word;
  shape.op = op;
  shape.unit = row.unit;
  shape.kind = kindOf(row);
  shape.conflicts = bankConflicts(operands, config.registerBanks);
  shape.isBranch = row.format == Format::B;
  shape.readsMemory = row.unit == isa::Unit::Lsu || row.format == Format::VxTex;
  shape.results = row.format == Format::VxTex ? uint8_t(isa::Fields{word}.results()) : 1;
  std::string_view name = row.mnemonic;
  shape.crossesLanes = name.starts_with("vx_vote") || name.starts_with("vx_shfl");
  bool isCsr = row.format == Format::Csr || row.format == Format::CsrI;
  shape.blocksFetch = shape.isBranch || row.format == Format::J || row.format == Format::Jalr ||
                      row.format == Format::None || shape.kind == InsnShape::Control ||
                      (isCsr && isFcsr(word));
  shape.latency = latencyOf(op);
  // Registers pass to other slots, whose scoreboards do not know what is pending in this one.
  shape.sources = op == Op::VX_TILE ? ~RegisterSet(0) : operands.sources;
  shape.target = operands.target;
  return shape;
}

} // namespace vx::sim
