// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/unit/simulator/Harness.h"

namespace vx::sim::test {

using isa::Op;

namespace {

uint32_t bits(int64_t value, unsigned low, unsigned count) {
  return uint32_t(uint64_t(value) >> low) & ((1u << count) - 1);
}

uint32_t encodeImmediate(isa::Field field, const Operands &o) {
  using isa::Field;
  switch (field) {
  case Field::ImmI:
  case Field::Csr:
    return bits(o.imm, 0, 12) << 20;
  case Field::Shamt:
    return bits(o.imm, 0, 6) << 20;
  case Field::ImmS:
    return bits(o.imm, 5, 7) << 25 | bits(o.imm, 0, 5) << 7;
  case Field::ImmB:
    return bits(o.imm, 12, 1) << 31 | bits(o.imm, 5, 6) << 25 | bits(o.imm, 1, 4) << 8 |
           bits(o.imm, 11, 1) << 7;
  case Field::ImmU:
    return bits(o.imm, 12, 20) << 12;
  case Field::ImmJ:
    return bits(o.imm, 20, 1) << 31 | bits(o.imm, 1, 10) << 21 | bits(o.imm, 11, 1) << 20 |
           bits(o.imm, 12, 8) << 12;
  case Field::Lane:
    return bits(o.imm, 0, 6) << 25;
  case Field::Count:
    return bits(o.imm, 0, 2) << 25;
  case Field::None:
  case Field::Rd:
  case Field::Rs1:
  case Field::Rs2:
  case Field::Rs3:
  case Field::Pred:
  case Field::Succ:
  case Field::Rounding:
    return 0;
  }
  return 0;
}

} // namespace

uint32_t encode(Op op, const Operands &o) {
  const isa::InsnInfo &row = isa::info(op);
  const isa::FormatInfo &form = row.form();
  uint32_t word = encodeImmediate(form.immediate, o);
  if (form.has(isa::Field::Rd))
    word |= o.rd << 7;
  if (form.has(isa::Field::Rs1))
    word |= o.rs1 << 15;
  if (form.has(isa::Field::Rs2))
    word |= o.rs2 << 20;
  if (form.has(isa::Field::Rs3))
    word |= o.rs3 << 27;
  if (form.has(isa::Field::Rounding))
    word |= o.rm << 12;
  return row.match | (word & ~row.mask);
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
