// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An observer that makes a report: what it is told besides what the machine does.

#ifndef VX_SIMULATOR_TRACE_WATCHER_H
#define VX_SIMULATOR_TRACE_WATCHER_H

#include "simulator/api/Result.h"
#include "simulator/api/Simulator.h"
#include "simulator/loader/CodeMap.h"
#include "simulator/timing/Observer.h"
#include <string>

namespace vx::sim {

class Watcher : public Observer {
public:
  /// The runs that follow execute KERNEL; CODE explains its addresses and lasts until finish().
  virtual void describeRuns(const std::string &kernel, CodeMap &code) = 0;
  /// Takes what the program says about the following run.
  virtual void annotate(const RunAnnotations &) {}
  /// Completes what the watcher writes. Called once, after the last run.
  virtual Result<void> finish() = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TRACE_WATCHER_H
