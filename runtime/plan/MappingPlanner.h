// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the launch planner knows of one mapping (intrinsics/abi/Mappings.def). There is a planner
// for each row of the registry; a row without one does not link.

#ifndef VX_RUNTIME_PLAN_MAPPINGPLANNER_H
#define VX_RUNTIME_PLAN_MAPPINGPLANNER_H

#include "runtime/plan/LaunchPlan.h"
#include <algorithm>

namespace vx::rt {

struct MappingPlanner {
  /// What a device of SHAPE lacks to run KERNEL, whatever the launch; empty: nothing.
  std::string (*whatIsMissing)(const abi::KernelRecord &kernel, const DeviceShape &shape);
  /// Chooses the entry, and which hardware threads run a block: fills PLAN in, up to what shared
  /// memory allows. False if the launch cannot have the mapping.
  bool (*place)(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
                const PlanRequest &request);
};

#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE)                                  \
  extern const MappingPlanner k##ENUM##Planner;
#include "intrinsics/abi/Mappings.def"

/// The instructions that entries of KERNEL need and a device of SHAPE does not have; empty: none.
std::string missingInstructions(const abi::KernelRecord &kernel, const DeviceShape &shape);

/// Quotient and multiple, rounded up.
inline uint32_t divideUp(uint64_t value, uint64_t by) {
  return uint32_t(value / by + (value % by != 0));
}
inline uint32_t roundUp(uint32_t value, uint32_t unit) {
  return divideUp(value, unit) * unit;
}

/// How many blocks of REQUEST a core gets if they are spread over all cores.
inline uint32_t blocksOfCore(const PlanRequest &request, const DeviceShape &shape) {
  uint64_t clusters = request.gridBlocks / request.clusterBlocks;
  uint64_t ofCore = clusters / shape.numCores + (clusters % shape.numCores != 0);
  return uint32_t(std::min<uint64_t>(ofCore, UINT32_MAX / request.clusterBlocks)) *
         request.clusterBlocks;
}

} // namespace vx::rt

#endif // VX_RUNTIME_PLAN_MAPPINGPLANNER_H
