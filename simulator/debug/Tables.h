// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables that `monitor` and `info vx` show: the kernel, its blocks, the warps and lanes of the
// device.

#ifndef VX_SIMULATOR_DEBUG_TABLES_H
#define VX_SIMULATOR_DEBUG_TABLES_H

#include "simulator/debug/Lanes.h"
#include "simulator/loader/CodeMap.h"
#include <string>

namespace vx::sim {

class Tables {
public:
  explicit Tables(Lanes &lanes) : lanes(lanes), code(lanes.device.config.xlen) {}

  /// The runs that follow are of INFO.
  void describeRun(const RunInfo &info);
  /// A run starts: one more launch, unless it continues one.
  void runStarted();
  /// The answer to `monitor REQUEST`, with THREAD selected.
  std::string answer(std::string_view request, uint64_t thread);
  /// "scale(float*, int)", "kernel" where the run has no name.
  const std::string &kernel() const { return name; }

private:
  std::string kernels() const;
  std::string blocks();
  std::string warps();
  std::string warp(uint64_t thread);
  std::string placeOf(const LaneRef &at);

  Lanes &lanes;
  CodeMap code;
  std::string name = "kernel", lowering;
  uint64_t launches = 0;
  bool continues = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_TABLES_H
