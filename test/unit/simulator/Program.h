// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs, written as calls, and a simulator that runs one.

#ifndef VX_TEST_UNIT_SIMULATOR_PROGRAM_H
#define VX_TEST_UNIT_SIMULATOR_PROGRAM_H

#include "intrinsics/abi/AddressMap.h"
#include "test/unit/simulator/Harness.h"

namespace vx::sim::test {

/// Returns the mask of vx_tile that has all groups of SIZE threads (4 to 32) begin.
constexpr unsigned allGroups(unsigned size) {
  return size == 4 ? 0xff : size == 8 ? 0xaa : size == 16 ? 0x88 : 0x80;
}

using isa::Op;

inline constexpr unsigned kZero = 0, kT0 = 5, kT1 = 6, kT2 = 7, kS0 = 8, kS1 = 9, kA0 = 10,
                          kA1 = 11, kA7 = 17;

/// A program under construction; each call appends an instruction.
class Program {
public:
  Program &op(Op op, const Operands &operands) {
    words.push_back(encode(op, operands));
    return *this;
  }
  Program &li(unsigned reg, int64_t value) {
    return op(Op::ADDI, {.rd = reg, .rs1 = kZero, .imm = value});
  }
  Program &csr(unsigned reg, unsigned number) {
    return op(Op::CSRRS, {.rd = reg, .rs1 = kZero, .imm = number});
  }
  Program &tmc(unsigned reg) { return op(Op::VX_TMC, {.rs1 = reg}); }
  Program &end() { return tmc(kZero); }
  Program &exit() { return li(kA7, VX_ECALL_EXIT).op(Op::ECALL, {}); }
  /// All warps of the core continue after this, with lane 0.
  Program &spawnAll() {
    csr(kT0, VX_CSR_NUM_WARPS);
    op(Op::AUIPC, {.rd = kT1});
    op(Op::ADDI, {.rd = kT1, .rs1 = kT1, .imm = 12});
    return op(Op::VX_WSPAWN, {.rs1 = kT0, .rs2 = kT1});
  }
  /// All lanes of all warps continue after this; s0 = hart, s1 = kData + 2048 + 8 * hart.
  Program &startAll() {
    spawnAll().li(kT0, -1).tmc(kT0).csr(kS0, VX_CSR_MHARTID).csr(kS1, VX_CSR_MSCRATCH);
    op(Op::SLLI, {.rd = kT0, .rs1 = kS0, .imm = 3});
    op(Op::ADDI, {.rd = kS1, .rs1 = kS1, .imm = 1024});
    op(Op::ADDI, {.rd = kS1, .rs1 = kS1, .imm = 1024});
    return op(Op::ADD, {.rd = kS1, .rs1 = kS1, .rs2 = kT0});
  }
  /// Uses t0 and t1.
  Program &tile(unsigned mask, unsigned size) {
    return li(kT0, mask).li(kT1, size).op(Op::VX_TILE, {.rs1 = kT0, .rs2 = kT1});
  }
  /// Stores REG of each lane to place FIELD (0…7), which has a word for each of 64 harts; after
  /// startAll.
  Program &record(unsigned field, unsigned reg) {
    return op(Op::SD, {.rs1 = kS1, .rs2 = reg, .imm = int64_t(field) * 512 - 2048});
  }
  int64_t here() const { return int64_t(words.size()) * 4; }

  std::vector<uint32_t> words;
};

/// A simulator with a program at the start address and 4 KiB of zeros at kData, which mscratch
/// names.
struct Machine {
  static constexpr uint64_t kData = 0x20000;

  explicit Machine(const Program &program, const char *settings = "") {
    SimConfig config;
    EXPECT_TRUE(bool(config.applyList(settings)));
    auto made = Simulator::create(config);
    EXPECT_TRUE(bool(made));
    simulator = std::move(*made);
    EXPECT_TRUE(bool(simulator->map(VX_STARTUP_ADDR, 4096, kRead | kExecute)));
    EXPECT_TRUE(bool(simulator->map(kData, 4096, kRead | kWrite)));
    EXPECT_TRUE(bool(simulator->fill(kData, 0, 4096)));
    EXPECT_TRUE(bool(
        simulator->write(VX_STARTUP_ADDR, {reinterpret_cast<const uint8_t *>(program.words.data()),
                                           program.words.size() * 4})));
    simulator->writeDcr(VX_DCR_STARTUP_ADDR0, VX_STARTUP_ADDR);
    simulator->writeDcr(VX_DCR_STARTUP_ARG0, kData);
  }
  uint64_t word(uint64_t address) {
    uint64_t value = 0;
    EXPECT_TRUE(
        bool(simulator->read(address, {reinterpret_cast<uint8_t *>(&value), sizeof value})));
    return value;
  }
  /// Returns what Program::record() stored for a hart.
  uint64_t field(unsigned number, unsigned hart) { return word(kData + number * 512 + hart * 8); }
  std::unique_ptr<Simulator> simulator;
};

} // namespace vx::sim::test

#endif // VX_TEST_UNIT_SIMULATOR_PROGRAM_H
