// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_LAUNCH_LAUNCHREQUEST_H
#define VX_RUNTIME_LAUNCH_LAUNCHREQUEST_H

#include "runtime/core/Device.h"
#include "runtime/image/Module.h"
#include "runtime/plan/LaunchPlan.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace vx::rt {

/// A launch. The program says what to run; Launcher::prepare() checks that and adds how.
struct LaunchRequest {
  Kernel *kernel = nullptr;
  Dim grid, block;
  uint64_t dynSharedBytes = 0;
  bool cooperative = false;
  std::optional<int> priority;                ///< of this launch, where it is not the stream's
  const abi::KernelRecord *variant = nullptr; ///< of the kernel
  LaunchPlan plan;
  uint64_t stackBytes = 0; ///< of a lane, a power of two
  std::vector<uint8_t> arguments;
  std::optional<Dim> cluster; ///< none: the kernel's own, if it has one
  Dim clusterDim;             ///< what comes of that
  /// The blocks of a cluster, if the kernel makes use of it; else 1: its blocks may run anywhere.
  uint32_t clusterBlocks = 1;
  // Launches of device code (DeviceLaunches.h).
  const Kernel *launchedBy = nullptr; ///< null: the host
  uint64_t firstBlock = 0;            ///< of this run, and where it ends; 0: with the grid
  uint64_t endBlock = 0;
  std::shared_ptr<const sim::RunAnnotations> annotations; ///< of the program; may be null
};

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_LAUNCHREQUEST_H
