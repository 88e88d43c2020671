// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core as a simulator: memory, console and reports are those of the other simulators, what runs
// is the RTL. With VX_RTL_LOCKSTEP=1 each instruction is compared with the functional simulator,
// and the first difference ends the run.
//
// Memory answers a read after kReadLatency cycles and takes a line per cycle. It is checked as the
// port sees it: a line that is read must have a byte that may be read, and bytes that are written
// must all be writable.

#ifndef VX_RTL_HARNESS_RTLSIMULATOR_H
#define VX_RTL_HARNESS_RTLSIMULATOR_H

#include "rtl/harness/CoreModel.h"
#include "rtl/harness/Lockstep.h"
#include "simulator/DeviceSimulator.h"
#include <deque>

namespace vx::rtl {

class RtlSimulator final : public sim::DeviceSimulator {
public:
  /// The configuration of the core: what is fixed by its shape. Other knobs are those of memory.
  static sim::SimConfig defaults();
  /// Fails for a configuration that the core does not have.
  static Result<std::unique_ptr<sim::Simulator>> create(const sim::SimConfig &config);
  /// As create(), in lockstep whatever the environment says.
  static Result<std::unique_ptr<RtlSimulator>> createCompared(const sim::SimConfig &config);

  /// Says how many instructions have been compared, if any were to be.
  ~RtlSimulator() override;

  sim::RunResult run() override;

  Result<void> map(uint64_t address, uint64_t size, uint8_t permission) override;
  Result<void> unmap(uint64_t address, uint64_t size) override;
  Result<void> write(uint64_t address, std::span<const uint8_t> bytes) override;
  Result<void> read(uint64_t address, std::span<uint8_t> bytes) const override;
  Result<void> fill(uint64_t address, uint8_t value, uint64_t size) override;
  void writeDcr(uint32_t address, uint32_t value) override;
  Result<void> setStackLog2Size(uint32_t log2) override;

  /// The instructions that have been compared; 0 without lockstep.
  uint64_t compared() const { return lockstep ? lockstep->compared() : 0; }
  uint64_t executions(isa::Op op) const { return lockstep ? lockstep->executions(op) : 0; }

private:
  explicit RtlSimulator(const sim::SimConfig &config) : DeviceSimulator(config) {}
  static Result<std::unique_ptr<RtlSimulator>> make(const sim::SimConfig &config, bool compares);

  struct Read {
    uint64_t due; ///< cycle
    Line line;
  };
  bool cycle();
  void take(const LineRequest &request);
  void takeWrite(const LineRequest &request);
  bool readLine(uint64_t address, uint8_t permission, Line &line);
  void take(const Commit &commit);
  void note(const Commit &commit);
  void stop(const Commit &commit);
  void refuse(const LineRequest &request, uint64_t address);
  sim::TrapReport &trap(sim::TrapCause cause, uint32_t slot, uint32_t pc, std::string detail);

  CoreModel core;
  std::unique_ptr<Lockstep> lockstep; ///< null: nothing is compared
  sim::Memory::RecentPages recentPages;
  std::deque<Read> reads;
  uint64_t now = 0, stuckFor = 0;
};

} // namespace vx::rtl

#endif // VX_RTL_HARNESS_RTLSIMULATOR_H
