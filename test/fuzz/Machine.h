// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine that the first bytes of an input for DeviceCodeTarget ask for.

#ifndef VX_TEST_FUZZ_MACHINE_H
#define VX_TEST_FUZZ_MACHINE_H

#include "test/fuzz/Fuzz.h"
#include <cstdint>

namespace vx::fuzz {

struct Machine {
  enum : uint8_t {
    IsRv32 = 1,
    IsTiming = 2,
    HasClone = 4,
    HasPerfectMemory = 8,
    IsChecked = 16,
    CountsMemory = 32,
    TrapsMisaligned = 64,
    HasSlowMemory = 128
  };
  uint8_t flags = 0;
  uint8_t lanes = 4, warps = 2, cores = 1; ///< modulo what is sensible
};

inline sim::SimConfig configOf(const Machine &machine) {
  sim::SimConfig config = smallMachine();
  config.xlen = machine.flags & Machine::IsRv32 ? 32 : 64;
  config.numThreads = 1 + machine.lanes % 32;
  config.numWarps = 1 + machine.warps % 8;
  config.numCores = 1 + machine.cores % 3;
  config.clone = machine.flags & Machine::HasClone;
  config.misaligned = machine.flags & Machine::TrapsMisaligned ? sim::MisalignedPolicy::Trap
                                                               : sim::MisalignedPolicy::Auto;
  config.quantum = 1 + machine.warps * 7 % 50;
  config.maxInstructions = 1000;
  config.hostThreads = 1;
  if (machine.flags & Machine::IsTiming) { // needs a more regular shape
    config.mode = sim::SimMode::Timing;
    while (config.numThreads & (config.numThreads - 1))
      config.numThreads &= config.numThreads - 1;
    config.issueWidth = 1;
    config.perfectMemory = machine.flags & Machine::HasPerfectMemory;
    config.l2Enabled = machine.flags & Machine::HasSlowMemory;
    config.icacheSize = config.dcacheSize = 1024;
    config.l2Size = 4096;
  }
  if (machine.flags & Machine::IsChecked) {
    config.checkTools = "memcheck+initcheck+racecheck+synccheck";
    config.checkLog = "/dev/null";
  }
  return config;
}

} // namespace vx::fuzz

#endif // VX_TEST_FUZZ_MACHINE_H
