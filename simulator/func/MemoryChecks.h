// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkers as the simulator's classes see them: told of memory by the host, of accesses by the
// instructions, of runs by the simulator.

#ifndef VX_SIMULATOR_FUNC_MEMORYCHECKS_H
#define VX_SIMULATOR_FUNC_MEMORYCHECKS_H

#include "simulator/api/Checker.h"
#include "simulator/api/Result.h"
#include "simulator/func/AccessChecker.h"

namespace vx::sim {

struct RunInfo;

class MemoryChecks : public Checker, public AccessChecker {
public:
  /// The runs that follow are of INFO.
  virtual void describeRun(const RunInfo &info) = 0;
  /// SIZE bytes at ADDRESS become accessible, or accessible otherwise.
  virtual void mapped(uint64_t address, uint64_t size) = 0;
  /// The host writes SIZE bytes at ADDRESS.
  virtual void wroteFromHost(uint64_t address, uint64_t size) = 0;
  /// Reports what can be said at the end only, and completes all files. Called once.
  virtual Result<void> finish() = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_MEMORYCHECKS_H
