// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what the core commits with the functional simulator, instruction by instruction: pc,
// active lanes, the register that is written and its values. The simulator has a device of its own,
// on which it executes each instruction when the core commits it, so both see memory change in one
// order.
//
// Counters, and which warps are live, depend on time: of these the core's values are taken over.

#ifndef VX_RTL_HARNESS_LOCKSTEP_H
#define VX_RTL_HARNESS_LOCKSTEP_H

#include "intrinsics/isa/InsnTable.h"
#include "rtl/harness/CoreModel.h"
#include "simulator/DeviceSimulator.h"
#include <array>
#include <string>
#include <vector>

namespace vx::rtl {

class Lockstep final : public sim::DeviceSimulator {
public:
  static Result<std::unique_ptr<Lockstep>> create(const sim::SimConfig &config);

  /// Resets the cores, as the core has been.
  void start() { startRun(); }
  /// Takes a beat that the core commits. Returns how it differs; empty: it does not.
  std::string commit(const Commit &beat);
  /// Returns what is left of a run that the core has ended; empty: nothing.
  std::string finish() const;
  /// Returns what the groups wait for in the simulator; it begins with "lockstep:" if one can run.
  std::string describeWaits() const;
  /// The instructions that have been compared since the begin.
  uint64_t compared() const { return instructions; }
  /// How many of them were OP.
  uint64_t executions(isa::Op op) const { return byOp[size_t(op)]; }

  sim::RunResult run() override { return {}; }

private:
  explicit Lockstep(const sim::SimConfig &config);

  struct Beat {
    uint32_t warp;
    uint64_t mask;
    bool writes;
    uint32_t rd;
    std::vector<uint32_t> data;
  };
  std::string compare(sim::Warp &group, uint64_t maskBefore, const sim::InsnTrace &trace);
  std::string compareRegister(const sim::Warp &group, const Beat &beat, bool takeOver);

  std::vector<std::vector<Beat>> beats; ///< by slot of the core: of the instruction that commits
  uint64_t instructions = 0;
  std::array<uint64_t, isa::kNumInsns> byOp{};
};

} // namespace vx::rtl

#endif // VX_RTL_HARNESS_LOCKSTEP_H
