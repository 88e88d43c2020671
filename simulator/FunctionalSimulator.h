// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Simulator of functional mode. Warps run round-robin in the order of their numbers, core by
// core, each for `run.quantum` instructions or until it waits. So spinning warps always let others
// run, and every run of a program is the same. For some time after a barrier a turn ends before
// each store: a program that lacks a barrier between what all warps read and what one of them
// writes is right by chance on a GPU, whose warps execute in step, and is so here.

#ifndef VX_SIMULATOR_FUNCTIONALSIMULATOR_H
#define VX_SIMULATOR_FUNCTIONALSIMULATOR_H

#include "simulator/DeviceSimulator.h"

namespace vx::sim {

class Debugger;

class FunctionalSimulator final : public DeviceSimulator {
public:
  explicit FunctionalSimulator(const SimConfig &config);

  ~FunctionalSimulator() override;

  Result<void> initialize() override;
  RunResult run() override;
  void describeRuns(const RunInfo &info) override;

private:
  bool runRound();
  bool runQuantum(Core &core, Warp &warp);
  bool isSpinning();
  /// How long a warp executes before the next one does.
  struct Turn {
    uint64_t budget;  ///< instructions at most
    bool endsAtStore; ///< before it, except the first instruction
  };
  uint64_t quantumBudget(const Core &core) const;
  uint64_t runTurn(Core &core, Warp &warp, const Turn &turn);
  uint64_t runWatched(Core &core, Warp &warp, const Turn &turn);
  uint64_t runDebugged(Core &core, Warp &warp, const Turn &turn);
  bool hasEnded(const Turn &turn, const Warp &warp, uint64_t done);
  void stepWatched(Core &core, Warp &warp, InsnTrace &trace);

  std::unique_ptr<Debugger> debugger;
  uint64_t executed = 0;  ///< warp instructions of this run
  uint64_t nextProbe = 0; ///< value of `executed` at the next check for progress
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNCTIONALSIMULATOR_H
