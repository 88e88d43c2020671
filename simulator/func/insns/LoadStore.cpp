// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and floating-point loads and stores. Lanes access memory in lane order.

#include "simulator/func/insns/Alu.h"

namespace vx::sim {

namespace {

/// rd := convert(memory as T) for each lane. Lanes that read one place get one value, also when a
/// thread of the program writes to it meanwhile: compiled code relies on it.
template <unsigned XLEN, typename T, typename F>
void loadLanes(Exec &e, const Insn &d, uint64_t *to, F convert) {
  const uint64_t *base = e.x(d.rs1);
  uint64_t lastAddress = ~uint64_t(addressOf<XLEN>(base[e.firstLane()], d.imm));
  T last = 0;
  ++e.core().stats.loads;
  e.whileLanes([&](unsigned lane) {
    uint64_t address = addressOf<XLEN>(base[lane], d.imm);
    if (address == lastAddress && e.isPublic(address)) {
      e.traceAccess(lane, address, sizeof(T));
    } else {
      T value;
      if (!e.load(lane, address, value))
        return false;
      if (address != lastAddress)
        last = value;
      lastAddress = address;
    }
    to[lane] = convert(last);
    return true;
  });
}

template <unsigned XLEN, typename T> void loadInteger(Exec &e, const Insn &d) {
  loadLanes<XLEN, T>(e, d, e.x(d.rd), [](T value) { return uint64_t(int64_t(value)); });
}

template <unsigned XLEN, typename T> void storeLanes(Exec &e, const Insn &d, const uint64_t *from) {
  const uint64_t *base = e.x(d.rs1);
  ++e.core().stats.stores;
  e.whileLanes([&](unsigned lane) {
    return e.store(lane, addressOf<XLEN>(base[lane], d.imm), T(from[lane]));
  });
}

constexpr uint64_t kBox = 0xffffffff00000000; // a float in a 64-bit register

} // namespace

namespace handlers {

VX_EXEC(LB) {
  loadInteger<XLEN, int8_t>(e, d);
}
VX_EXEC(LH) {
  loadInteger<XLEN, int16_t>(e, d);
}
VX_EXEC(LW) {
  loadInteger<XLEN, int32_t>(e, d);
}
VX_EXEC(LD) {
  loadInteger<XLEN, int64_t>(e, d);
}
VX_EXEC(LBU) {
  loadInteger<XLEN, uint8_t>(e, d);
}
VX_EXEC(LHU) {
  loadInteger<XLEN, uint16_t>(e, d);
}
VX_EXEC(LWU) {
  loadInteger<XLEN, uint32_t>(e, d);
}

VX_EXEC(SB) {
  storeLanes<XLEN, uint8_t>(e, d, e.x(d.rs2));
}
VX_EXEC(SH) {
  storeLanes<XLEN, uint16_t>(e, d, e.x(d.rs2));
}
VX_EXEC(SW) {
  storeLanes<XLEN, uint32_t>(e, d, e.x(d.rs2));
}
VX_EXEC(SD) {
  storeLanes<XLEN, uint64_t>(e, d, e.x(d.rs2));
}

VX_EXEC(FLW) {
  loadLanes<XLEN, uint32_t>(e, d, e.f(d.rd), [](uint32_t bits) { return bits | kBox; });
}
VX_EXEC(FLD) {
  loadLanes<XLEN, uint64_t>(e, d, e.f(d.rd), [](uint64_t bits) { return bits; });
}
VX_EXEC(FSW) {
  storeLanes<XLEN, uint32_t>(e, d, e.f(d.rs2));
}
VX_EXEC(FSD) {
  storeLanes<XLEN, uint64_t>(e, d, e.f(d.rs2));
}

} // namespace handlers
} // namespace vx::sim
