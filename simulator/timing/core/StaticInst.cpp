// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/StaticInst.h"
#include "intrinsics/isa/Csrs.h"
#include <bit>

namespace vx::sim {

namespace {

using isa::Op;

constexpr unsigned kFp = 32; ///< offset of the f registers in a RegisterSet

/// Returns how many registers an instruction writes, if any.
unsigned resultsOf(const isa::FormatInfo &form, isa::Fields word) {
  return form.immediate == isa::Field::Count ? word.results() : 1;
}

/// The registers of an instruction in the order of its operands; x0 is left out.
struct Operands {
  RegisterSet target = 0, sources = 0;
  std::array<uint8_t, 3> list{}; ///< numbers of the sources, x and f alike
  unsigned count = 0;

  void toX(unsigned r) { target = r ? RegisterSet(1) << r : 0; }
  void toF(unsigned r, unsigned count) { target = ((RegisterSet(1) << count) - 1) << (kFp + r); }
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

Operands operandsOf(const isa::FormatInfo &form, isa::Fields word) {
  Operands o;
  if (form.writesX)
    o.toX(word.rd());
  if (form.writesF)
    o.toF(word.rd(), resultsOf(form, word));
  for (size_t i = 0; i < form.numSources; ++i) {
    unsigned number = unsigned(word[form.sources[i].field]);
    form.sources[i].isFloat ? o.f(number) : o.x(number);
  }
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

bool isFcsr(unsigned number) {
  const isa::CsrInfo *row = isa::findCsr(number);
  return row && (row->id == isa::CsrId::Fflags || row->id == isa::CsrId::Frm ||
                 row->id == isa::CsrId::Fcsr);
}

StaticInst::Kind kindOf(const isa::InsnInfo &row) {
  switch (row.form().memory) {
  case isa::Memory::Load:
  case isa::Memory::LoadReserved:
    return StaticInst::Load;
  case isa::Memory::Store:
  case isa::Memory::Atomic: // timed as a store: the result is there at once
    return StaticInst::Store;
  case isa::Memory::Fence:
    return StaticInst::Fence;
  case isa::Memory::Texture:
    return StaticInst::Texture;
  case isa::Memory::None:
    break;
  }
  bool isControl = (row.scope == isa::Scope::Mask || row.scope == isa::Scope::Warps) &&
                   row.form().flow != isa::Flow::Trap;
  return isControl ? StaticInst::Control : StaticInst::Plain;
}

} // namespace

uint16_t StaticInstCache::latencyOf(isa::Latency latency) const {
  switch (latency) {
  case isa::Latency::Alu:
  case isa::Latency::Lsu:
    return uint16_t(config.aluLatency);
  case isa::Latency::Mul:
    return uint16_t(config.mulLatency);
  case isa::Latency::Div:
    return uint16_t(config.divCycles());
  case isa::Latency::Vote:
    return uint16_t(config.voteLatency);
  case isa::Latency::Shuffle:
    return uint16_t(config.shuffleLatency);
  case isa::Latency::FpFma:
    return uint16_t(config.fmaLatency);
  case isa::Latency::FpDiv:
    return uint16_t(config.fdivLatency);
  case isa::Latency::FpSqrt:
    return uint16_t(config.fsqrtLatency);
  case isa::Latency::FpConvert:
    return uint16_t(config.fcvtLatency);
  case isa::Latency::FpMove:
    return uint16_t(config.fpuMoveLatency);
  case isa::Latency::Sfu:
    return uint16_t(config.sfuLatency);
  }
  return 1;
}

StaticInst StaticInstCache::compute(Op op, uint32_t word) const {
  const isa::InsnInfo &row = isa::info(op);
  const isa::FormatInfo &form = row.form();
  isa::Fields fields{word};
  Operands operands = operandsOf(form, fields);
  StaticInst inst;
  inst.word = word;
  inst.op = op;
  inst.unit = row.unit();
  inst.kind = kindOf(row);
  inst.conflicts = bankConflicts(operands, config.registerBanks);
  inst.isBranch = form.flow == isa::Flow::Branch;
  inst.readsMemory = inst.unit == isa::Unit::Lsu || inst.kind == StaticInst::Texture;
  inst.results = uint8_t(resultsOf(form, fields));
  inst.crossesLanes = row.scope == isa::Scope::Lanes;
  bool isFcsrAccess = form.immediate == isa::Field::Csr && isFcsr(fields.csr());
  inst.blocksFetch = inst.isBranch || form.flow == isa::Flow::Jump ||
                     form.flow == isa::Flow::Trap || inst.kind == StaticInst::Control ||
                     isFcsrAccess;
  inst.latency = latencyOf(row.latency);
  // Registers pass to other slots, whose scoreboards do not know what is pending in this one.
  inst.sources = op == Op::VX_TILE ? ~RegisterSet(0) : operands.sources;
  inst.target = operands.target;
  return inst;
}

} // namespace vx::sim
