// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a Simulator that does not depend on the mode: the device, the access of the host to
// its memory and registers, the reports and checkers of a configuration, and the beginning and end
// of a run. The classes for the modes derive from it and say how the instructions of a run are
// executed (run).

#ifndef VX_SIMULATOR_DEVICESIMULATOR_H
#define VX_SIMULATOR_DEVICESIMULATOR_H

#include "simulator/Reports.h"
#include "simulator/func/Emulator.h"
#include "simulator/func/FunctionalControl.h"
#include "simulator/func/MemoryChecks.h"
#include "simulator/func/SpinProbe.h"
#include <atomic>

namespace vx::sim {

class DeviceSimulator : public Simulator {
public:
  explicit DeviceSimulator(const SimConfig &config);

  ~DeviceSimulator() override;

  /// Maps the stacks and creates the files of reports; to be called once before use.
  virtual Result<void> initialize();

  const SimConfig &config() const override { return device.config; }
  Result<void> map(uint64_t address, uint64_t size, uint8_t permission) override;
  Result<void> share(uint64_t address, uint64_t size, uint8_t permission, uint8_t *bytes) override;
  Result<void> move(uint64_t address, uint64_t size, uint8_t *bytes) override;
  Result<void> unmap(uint64_t address, uint64_t size) override;
  Result<void> write(uint64_t address, std::span<const uint8_t> bytes) override;
  Result<void> read(uint64_t address, std::span<uint8_t> bytes) const override;
  Result<void> fill(uint64_t address, uint8_t value, uint64_t size) override;
  void writeDcr(uint32_t address, uint32_t value) override;
  Result<void> setStackLog2Size(uint32_t log2) override;
  void requestStop() override { stopRequested = true; }
  const Stats &stats() const override { return totals; }
  void resetStats() override;
  void describeRuns(const RunInfo &info) override;
  Result<void> finishReports() override;
  void setConsole(std::function<void(std::string_view)> sink) override;

  /// Returns the device, for checkers.
  Device &machine() { return device; }
  Checker *checker() override { return checks.get(); }

  /// Sets the checker of all runs. If it is called at all, then before use.
  void setChecks(std::unique_ptr<MemoryChecks> who);
  /// Sets the observer of the next runs; null: none.
  void setObserver(Observer *who) { observer = who; }

protected:
  /// Decodes code again that the host may have changed, and resets all cores.
  void startRun();
  /// Completes a run in which nothing runs any more, and returns its result.
  RunResult finishRun();
  void reportDeadlock();
  /// Returns true if all warps that run wait for ever, between two instructions; then that has been
  /// reported.
  bool reportSpin();
  void collectStats();

  Device device;
  Emulator emulator;
  FunctionalControl control;
  Stats totals;
  std::vector<uint64_t> cyclesAtStart; ///< of each core
  std::atomic<bool> stopRequested = false;
  Observer *observer = nullptr;

private:
  void noteValues(uint64_t address, uint64_t size);

  uint64_t startupAddress = 0, startupArgument = 0;
  uint64_t codeGeneration = 0;
  std::unique_ptr<MemoryChecks> checks;
  std::unique_ptr<Reports> reports;
  std::unique_ptr<SpinProbe> probe; ///< made by the first reportSpin()
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEVICESIMULATOR_H
