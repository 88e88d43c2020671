// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the warp that is fetched for next. Contract: pick() is called at most once per cycle,
// only when READY is not empty; what it returns is a member, and is fetched for. A policy must not
// depend on anything but its calls, so that runs are repeatable.

#ifndef VX_SIMULATOR_TIMING_CORE_WARPSCHEDULER_H
#define VX_SIMULATOR_TIMING_CORE_WARPSCHEDULER_H

#include "simulator/api/SimConfig.h"
#include "simulator/timing/core/SlotSet.h"
#include <memory>

namespace vx::sim {

class WarpScheduler {
public:
  virtual ~WarpScheduler() = default;
  virtual uint32_t pick(const SlotSet &ready) = 0;
  virtual void reset() = 0;
};

/// The policy that CONFIG names (core.scheduler).
std::unique_ptr<WarpScheduler> makeWarpScheduler(const SimConfig &config);

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_WARPSCHEDULER_H
