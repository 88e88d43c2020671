// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WarpControl of functional mode: who waits is released as soon as the last one arrives.

#ifndef VX_SIMULATOR_FUNC_FUNCTIONALCONTROL_H
#define VX_SIMULATOR_FUNC_FUNCTIONALCONTROL_H

#include "simulator/func/WarpControl.h"
#include <string>

namespace vx::sim {

class FunctionalControl : public WarpControl {
public:
  explicit FunctionalControl(std::vector<Core> &cores) : cores(cores) {}

  const char *barrier(Core &core, Warp &warp, uint32_t id, bool global, uint32_t count) override;
  const char *spawn(Core &core, Warp &warp, uint32_t count, uint64_t pc) override;
  void end(Core &core, Warp &warp) override;

  /// Returns what every waiting warp waits for, in words.
  std::string describeWaits() const;

private:
  void completeGlobal(uint32_t id);
  void completeSpawn(Core &core);

  std::vector<Core> &cores;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_FUNCTIONALCONTROL_H
