// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Simulator of functional mode. Warps run round-robin in the order of their numbers,
// core after core, each for `run.quantum` instructions or until it waits. So spinning warps always
// let others run, and every run of a program is the same.

#ifndef VX_SIMULATOR_FUNC_FUNCTIONALSIMULATOR_H
#define VX_SIMULATOR_FUNC_FUNCTIONALSIMULATOR_H

#include "simulator/Reports.h"
#include "simulator/func/Emulator.h"
#include "simulator/func/FunctionalControl.h"
#include "simulator/func/MemoryChecks.h"
#include "simulator/func/SpinProbe.h"
#include <atomic>

namespace vx::sim {

class Debugger;

class FunctionalSimulator : public Simulator {
public:
  explicit FunctionalSimulator(const SimConfig &config);

  ~FunctionalSimulator() override;

  /// Maps the stacks and creates the files of reports; to be called once before use.
  Result<void> initialize();

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
  RunResult run() override;
  void requestStop() override { stopRequested = true; }
  const Stats &stats() const override { return totals; }
  void resetStats() override;
  void describeRuns(const RunInfo &info) override;
  Result<void> finishReports() override;
  void setConsole(std::function<void(std::string_view)> sink) override;

  /// For checkers.
  Device &machine() { return device; }
  Checker *checker() override { return checks.get(); }

  /// Who checks the accesses of all runs; to be called before use, if at all.
  void setChecks(std::unique_ptr<MemoryChecks> who);
  /// The observer of the next runs; null: none.
  void setObserver(Observer *who) { observer = who; }

protected:
  /// Decodes code again that the host may have changed, and resets all cores.
  void startRun();
  /// What is left to do when nothing runs any more, and the result.
  RunResult finishRun();
  void reportDeadlock();
  /// Returns true if all that run wait for ever, between two instructions; then that has been
  /// reported.
  bool reportSpin();
  void collectStats();

  Device device;
  Emulator emulator;
  FunctionalControl control;
  Stats totals;
  uint64_t startupAddress = 0, startupArgument = 0;
  uint64_t codeGeneration = 0;
  uint64_t executed = 0;               ///< warp instructions of this run
  std::vector<uint64_t> cyclesAtStart; ///< of each core
  std::atomic<bool> stopRequested = false;
  Observer *observer = nullptr;

private:
  bool runRound();
  bool runQuantum(Core &core, Warp &warp);
  bool isSpinning();
  uint64_t quantumBudget(const Core &core) const;
  uint64_t runWatched(Core &core, Warp &warp, uint64_t budget);
  uint64_t runDebugged(Core &core, Warp &warp, uint64_t budget);
  void stepWatched(Core &core, Warp &warp, InsnTrace &trace);
  void noteValues(uint64_t address, uint64_t size);

  std::unique_ptr<MemoryChecks> checks;
  std::unique_ptr<Reports> reports;
  std::unique_ptr<Debugger> debugger;
  std::unique_ptr<SpinProbe> probe; ///< made when it is wanted first
  uint64_t nextProbe = 0;           ///< in `executed`
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_FUNCTIONALSIMULATOR_H
