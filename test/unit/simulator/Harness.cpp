// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/unit/simulator/Harness.h"

namespace vx::sim::test {

using isa::Format;
using isa::Op;

namespace {

uint32_t bits(int64_t value, unsigned low, unsigned count) {
  return uint32_t(uint64_t(value) >> low) & ((1u << count) - 1);
}

uint32_t encodeImmediate(Format format, const Operands &o) {
  switch (format) {
  case Format::I:
  case Format::Load:
  case Format::Jalr:
  case Format::FpLoad:
  case Format::Csr:
  case Format::CsrI:
    return bits(o.imm, 0, 12) << 20;
  case Format::Shift:
    return bits(o.imm, 0, 6) << 20;
  case Format::ShiftW:
    return bits(o.imm, 0, 5) << 20;
  case Format::S:
  case Format::FpStore:
    return bits(o.imm, 5, 7) << 25 | bits(o.imm, 0, 5) << 7;
  case Format::B:
    return bits(o.imm, 12, 1) << 31 | bits(o.imm, 5, 6) << 25 | bits(o.imm, 1, 4) << 8 |
           bits(o.imm, 11, 1) << 7;
  case Format::U:
    return bits(o.imm, 12, 20) << 12;
  case Format::J:
    return bits(o.imm, 20, 1) << 31 | bits(o.imm, 1, 10) << 21 | bits(o.imm, 11, 1) << 20 |
           bits(o.imm, 12, 8) << 12;
  case Format::VxShflImm:
    return bits(o.imm, 0, 6) << 25;
  case Format::VxTex:
    return bits(o.imm, 0, 2) << 25;
  default:
    return 0;
  }
}

} // namespace

uint32_t encode(Op op, const Operands &o) {
  const isa::InsnInfo &row = isa::info(op);
  uint32_t free = ~row.mask;
  // Fields that the immediate occupies are free of register numbers.
  uint32_t registers = o.rd << 7 | o.rs1 << 15;
  switch (row.format) {
  case Format::S:
  case Format::FpStore:
  case Format::B:
    registers = o.rs1 << 15 | o.rs2 << 20;
    break;
  case Format::U:
  case Format::J:
    registers = o.rd << 7;
    break;
  case Format::I:
  case Format::Shift:
  case Format::ShiftW:
  case Format::Load:
  case Format::Jalr:
  case Format::FpLoad:
  case Format::Csr:
  case Format::CsrI:
    break;
  case Format::FpR4:
    registers |= o.rs2 << 20 | o.rs3 << 27 | o.rm << 12;
    break;
  case Format::VxTex:
    registers |= o.rs2 << 20 | o.rs3 << 27;
    break;
  case Format::FpRm:
  case Format::FpUnaryRm:
  case Format::FpToIntRm:
  case Format::IntToFpRm:
    registers |= o.rs2 << 20 | o.rm << 12;
    break;
  case Format::None:
  case Format::Fence:
  case Format::FenceI:
    registers = 0;
    break;
  default:
    registers |= o.rs2 << 20;
    break;
  }
  return row.match | ((registers | encodeImmediate(row.format, o)) & free);
}

std::set<Op> &executedRows() {
  static std::set<Op> rows;
  return rows;
}

SimConfig Harness::defaults(unsigned xlen, unsigned lanes, unsigned warps) {
  SimConfig config;
  config.xlen = xlen;
  config.numThreads = lanes;
  config.numWarps = warps;
  return config;
}

Harness::Harness(unsigned xlen, unsigned lanes, unsigned warps)
    : Harness(defaults(xlen, lanes, warps)) {}

Harness::Harness(const SimConfig &config)
    : device(std::make_unique<Device>(config)), emulator(std::make_unique<Emulator>(*device)),
      control(std::make_unique<FunctionalControl>(device->cores)) {
  device->control = control.get();
  EXPECT_TRUE(bool(device->memory.map(kCode, 4096, kRead | kExecute)));
  EXPECT_TRUE(bool(device->memory.map(kData, 4096, kRead | kWrite)));
  EXPECT_TRUE(bool(
      device->memory.map(device->stackLow, device->stackBase - device->stackLow, kRead | kWrite)));
  emulator->reset(kCode, 0);
  warp().mask = (uint64_t(1) << config.numThreads) - 1;
}

bool Harness::run(Op op, const Operands &operands) {
  store<uint32_t>(kCode, encode(op, operands));
  emulator->decoder.flush();
  warp().pc = kCode;
  trap() = {};
  emulator->run(core(), warp(), 1);
  executedRows().insert(op);
  return trap().cause == TrapCause::None;
}

void Harness::setX(unsigned reg, std::initializer_list<uint64_t> values) {
  for (unsigned lane = 0; uint64_t value : values)
    x(reg, lane++) = value;
}

void Harness::setF(unsigned reg, std::initializer_list<uint64_t> values) {
  for (unsigned lane = 0; uint64_t value : values)
    f(reg, lane++) = value;
}

std::vector<uint64_t> Harness::lanesOfX(unsigned reg) {
  return {&x(reg, 0), &x(reg, 0) + device->lanes};
}

} // namespace vx::sim::test
