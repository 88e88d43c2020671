// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zicsr: what each row of Csrs.def reads and writes, and the instructions that access them. A read
// is per lane; a write takes the value of the last active lane, because the registers that CSRs
// access belong to a warp or a core. vx_texture belongs to a lane.

#include "intrinsics/isa/Csrs.h"
#include "simulator/func/insns/Alu.h"

namespace vx::sim {

namespace {

using isa::CsrId;

uint64_t readCoreCounter(const CoreStats &stats, unsigned number) {
#define VX_COUNTER(unit, field, key, csr, help)                                                    \
  if (csr != 0 && number == csr)                                                                   \
    return stats.field;
#include "intrinsics/isa/PerfCounters.def"
  return 0;
}

uint64_t readMemoryCounter(const MemoryStats &stats, unsigned number) {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help)                                             \
  if (csr != 0 && number == csr)                                                                   \
    return stats.field;
#include "intrinsics/isa/PerfCounters.def"
  return 0;
}

/// A performance counter of the class that DCR MPM_CLASS has selected.
uint64_t readCounter(Exec &e, unsigned number) {
  constexpr unsigned coreClass = 1, memoryClass = 2;
  if (e.device.mpmClass == coreClass)
    return readCoreCounter(e.core().stats, number);
  if (e.device.mpmClass == memoryClass && e.device.memoryStats)
    return readMemoryCounter(e.device.memoryStats(), number);
  return 0;
}

/// Cycles that a read of the clock takes in functional mode. On the machine, the time between two
/// reads depends on what else happens, so a program that waits for a time does not see it to the
/// cycle; here it is irregular, and the same in every run.
uint64_t clockReadCycles(const CoreStats &stats) {
  constexpr uint64_t least = 8, spread = 16;
  uint64_t seed = (stats.cycles + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  return least + (seed ^ seed >> 31) % spread;
}

/// The value of a CSR for a lane.
uint64_t readCsr(Exec &e, CsrId id, unsigned lane) {
  const SimConfig &config = e.device.config;
  Core &core = e.core();
  Warp &warp = e.warp();
  switch (id) {
  case CsrId::Fflags:
    return warp.fflags;
  case CsrId::Frm:
    return warp.frm;
  case CsrId::Fcsr:
    return uint64_t(warp.frm) << 5 | warp.fflags;
  case CsrId::Mscratch:
    return core.mscratch;
  case CsrId::Mcycle:
  case CsrId::Cycle:
    return core.stats.cycles;
  case CsrId::Minstret:
  case CsrId::Instret:
    return core.stats.threadInstructions;
  case CsrId::Mcycleh:
  case CsrId::Cycleh:
    return core.stats.cycles >> 32;
  case CsrId::Minstreth:
  case CsrId::Instreth:
    return core.stats.threadInstructions >> 32;
  case CsrId::ThreadId:
    return lane;
  case CsrId::WarpId:
    return warp.id;
  case CsrId::CoreId:
    return core.id;
  case CsrId::ActiveWarps:
    return core.liveMask();
  case CsrId::ActiveThreads:
    return e.mask();
  case CsrId::Mhartid:
    return e.hartId(lane);
  case CsrId::NumThreads:
    return e.device.lanes;
  case CsrId::NumWarps:
    return config.numWarps;
  case CsrId::NumCores:
    return config.numCores;
  case CsrId::LocalMemBase:
    return e.device.stackBase;
  case CsrId::Texture:
    return e.x(Core::kTextureRegister * e.device.stride)[lane];
  }
  return 0;
}

/// Writes a CSR that is not read-only; counters ignore writes.
void writeCsr(Exec &e, CsrId id, uint64_t value) {
  Warp &warp = e.warp();
  switch (id) {
  case CsrId::Fflags:
    warp.fflags = value & 31;
    break;
  case CsrId::Frm:
    warp.frm = value & 7;
    break;
  case CsrId::Fcsr:
    warp.fflags = value & 31;
    warp.frm = value >> 5 & 7;
    break;
  case CsrId::Mscratch:
    e.core().mscratch = value;
    break;
  default:
    break;
  }
}

void illegalCsr(Exec &e, unsigned number, const char *why) {
  char text[80];
  std::snprintf(text, sizeof text, "CSR 0x%03x %s", number, why);
  e.trap(TrapCause::IllegalInstruction, e.firstLane(), text);
}

/// Accesses the CSR vx_texture, like access() below. OPERANDS: null, or one for each lane.
template <unsigned XLEN, typename F>
void accessTexture(Exec &e, const Insn &d, bool writes, uint64_t operand, const uint64_t *operands,
                   F update) {
  uint64_t *result = e.x(d.rd), *texture = e.x(Core::kTextureRegister * e.device.stride);
  e.forLanes([&](unsigned lane) {
    uint64_t old = texture[lane];
    uint64_t written = update(old, operands ? operands[lane] : operand);
    result[lane] = extend<XLEN>(old);
    if (writes)
      texture[lane] = UInt<XLEN>(written);
  });
}

/// One access: rd := the CSR's value; then, if it writes, CSR := update(value, operand).
/// OPERANDS: null, or where the operand comes from.
template <unsigned XLEN, typename F>
void access(Exec &e, const Insn &d, bool writes, uint64_t operand, const uint64_t *operands,
            F update) {
  unsigned number = unsigned(d.imm) & 0xfff;
  if (writes && isa::isReadOnlyCsr(number))
    return illegalCsr(e, number, "is read-only");
  uint64_t *result = e.x(d.rd);
  const isa::CsrInfo *row = isa::findCsr(number);
  if (row && !(row->xlen == isa::CsrXlen::Only32 && XLEN == 64)) {
    if (row->id == CsrId::Texture) {
      if (!e.device.config.texture)
        return illegalCsr(e, number, "is switched off in the configuration (isa.texture)");
      return accessTexture<XLEN>(e, d, writes, operand, operands, update);
    }
    bool isClock = row->id == CsrId::Mcycle || row->id == CsrId::Cycle;
    if (isClock && e.device.config.mode == SimMode::Functional)
      e.core().stats.cycles += clockReadCycles(e.core().stats);
    uint64_t old = readCsr(e, row->id, e.lastLane());
    if (row->id == CsrId::ThreadId || row->id == CsrId::Mhartid)
      e.forLanes([&](unsigned lane) { result[lane] = extend<XLEN>(readCsr(e, row->id, lane)); });
    else
      e.forLanes([&](unsigned lane) { result[lane] = extend<XLEN>(old); });
    if (writes)
      writeCsr(e, row->id, UInt<XLEN>(update(old, operand)));
    return;
  }
  bool high = XLEN == 32 && number >= isa::kFirstEventCsr + isa::kCounterHighOffset;
  unsigned counter = high ? number - isa::kCounterHighOffset : number;
  if (counter < isa::kFirstEventCsr || !isa::isMachineCounterCsr(counter))
    return illegalCsr(e, number, "does not exist");
  uint64_t value = readCounter(e, counter) >> (high ? 32 : 0);
  setAll(e, d.rd, extend<XLEN>(value));
}

constexpr auto replace = [](uint64_t, uint64_t operand) { return operand; };
constexpr auto setBits = [](uint64_t old, uint64_t operand) { return old | operand; };
constexpr auto clearBits = [](uint64_t old, uint64_t operand) { return old & ~operand; };

/// The 5-bit operand of the …i forms, and "is not x0" for the others, are the rs1 field.
unsigned rs1Field(const Insn &d) {
  return isa::Fields{d.word}.rs1();
}

} // namespace

namespace handlers {

VX_EXEC(CSRRW) {
  access<XLEN>(e, d, true, e.scalar(d.rs1), e.x(d.rs1), replace);
}
VX_EXEC(CSRRS) {
  access<XLEN>(e, d, rs1Field(d) != 0, e.scalar(d.rs1), e.x(d.rs1), setBits);
}
VX_EXEC(CSRRC) {
  access<XLEN>(e, d, rs1Field(d) != 0, e.scalar(d.rs1), e.x(d.rs1), clearBits);
}
VX_EXEC(CSRRWI) {
  access<XLEN>(e, d, true, rs1Field(d), nullptr, replace);
}
VX_EXEC(CSRRSI) {
  access<XLEN>(e, d, rs1Field(d) != 0, rs1Field(d), nullptr, setBits);
}
VX_EXEC(CSRRCI) {
  access<XLEN>(e, d, rs1Field(d) != 0, rs1Field(d), nullptr, clearBits);
}

} // namespace handlers
} // namespace vx::sim
