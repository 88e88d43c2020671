// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs single instructions and small programs inside the functional core, without files.

#ifndef VX_TEST_UNIT_SIMULATOR_HARNESS_H
#define VX_TEST_UNIT_SIMULATOR_HARNESS_H

#include "intrinsics/isa/InsnTable.h"
#include "simulator/func/Emulator.h"
#include "simulator/func/FunctionalControl.h"
#include <gtest/gtest.h>
#include <initializer_list>
#include <set>

namespace vx::sim::test {

/// The contents of the fields of an instruction.
struct Operands {
  unsigned rd = 3, rs1 = 1, rs2 = 2, rs3 = 4;
  int64_t imm = 0; ///< immediate, shift amount, CSR number, branch distance or lane offset
  unsigned rm = 0; ///< rounding mode, for formats that have one
};

/// The instruction word of a row; the inverse of decoding.
uint32_t encode(isa::Op op, const Operands &operands);

/// The rows that some test of this process has executed.
std::set<isa::Op> &executedRows();

/// One warp of one core in front of some memory.
class Harness {
public:
  static constexpr uint64_t kCode = 0x80000000;
  static constexpr uint64_t kData = 0x20000; ///< 4 KiB, readable and writable

  explicit Harness(unsigned xlen = 64, unsigned lanes = 4, unsigned warps = 2);

  /// The configuration may be changed by EDIT before the device is made.
  template <typename F> static Harness with(F edit) {
    SimConfig config = defaults(64, 4, 2);
    edit(config);
    return Harness(config);
  }

  /// Runs one instruction at kCode on the warp as it is; false: it trapped.
  bool run(isa::Op op, const Operands &operands = {});

  uint64_t &x(unsigned reg, unsigned lane) { return core().x[reg * device->stride + lane]; }
  uint64_t &f(unsigned reg, unsigned lane) { return core().f[reg * device->stride + lane]; }
  void setX(unsigned reg, std::initializer_list<uint64_t> values);
  void setF(unsigned reg, std::initializer_list<uint64_t> values);
  std::vector<uint64_t> lanesOfX(unsigned reg);

  template <typename T> T load(uint64_t address) {
    T value{};
    EXPECT_TRUE(
        bool(device->memory.read(address, {reinterpret_cast<uint8_t *>(&value), sizeof value})));
    return value;
  }
  template <typename T> void store(uint64_t address, T value) {
    EXPECT_TRUE(bool(
        device->memory.write(address, {reinterpret_cast<const uint8_t *>(&value), sizeof value})));
  }

  Core &core() { return device->cores[0]; }
  Warp &warp() { return core().warps[0]; }
  TrapReport &trap() { return device->trap; }

  std::unique_ptr<Device> device;
  std::unique_ptr<Emulator> emulator;
  std::unique_ptr<FunctionalControl> control;

private:
  explicit Harness(const SimConfig &config);
  static SimConfig defaults(unsigned xlen, unsigned lanes, unsigned warps);
};

} // namespace vx::sim::test

#endif // VX_TEST_UNIT_SIMULATOR_HARNESS_H
