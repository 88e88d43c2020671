// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planning of one mapping (intrinsics/abi/Mappings.def). A row of the registry names its class:
// <ENUM>Planner, of which k<ENUM>Planner is the instance; a row without one does not link.

#ifndef VX_RUNTIME_PLAN_MAPPINGPLANNER_H
#define VX_RUNTIME_PLAN_MAPPINGPLANNER_H

#include "runtime/plan/CostTerms.h"
#include "runtime/plan/LaunchPlan.h"
#include <algorithm>

namespace vx::rt {

class MappingPlanner {
public:
  /// Returns what a device of SHAPE lacks to run KERNEL, whatever the launch; empty: nothing.
  virtual std::string whatIsMissing(const abi::KernelRecord &kernel,
                                    const DeviceShape &shape) const = 0;
  /// Chooses the entry, and which hardware threads run a block: fills PLAN in, up to what shared
  /// memory allows. Returns false if the launch cannot have the mapping.
  virtual bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
                     const PlanRequest &request) const = 0;
  /// Returns true if only a device without room for a block refuses launches of KERNEL.
  virtual bool hasAllLaunches(const abi::KernelRecord &) const { return false; }

  // For the cost model.
  /// Returns how the hardware warps of a core with RESIDENT blocks work.
  virtual Streams streamsOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                            const DeviceShape &shape, double resident) const = 0;
  /// Returns what a hardware warp does for each block that it runs.
  virtual Work workOfBlock(const LaunchPlan &plan, const abi::EntryCost &cost,
                           const DeviceShape &shape, uint32_t blockThreads) const = 0;
  /// Returns how many times as fast the mapping has to be estimated to be taken instead of the
  /// first one of its lowering, which the variant FIRST is for.
  virtual double marginOver(const abi::KernelRecord &) const { return 1; }

protected:
  ~MappingPlanner() = default;
};

#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE)                                  \
  extern const MappingPlanner &k##ENUM##Planner;
#include "intrinsics/abi/Mappings.def"

const MappingPlanner &plannerOf(abi::Mapping mapping);

/// A mapping in which lanes run threads of one block.
class LanePlanner : public MappingPlanner {
public:
  Streams streamsOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                    const DeviceShape &shape, double resident) const override;
  Work workOfBlock(const LaunchPlan &plan, const abi::EntryCost &cost, const DeviceShape &shape,
                   uint32_t blockThreads) const override;

protected:
  ~LanePlanner() = default;
  /// Returns how many hardware warps of the device execute as one.
  virtual double mergedWarps(const abi::KernelRecord &, const DeviceShape &) const { return 1; }
  /// Returns how many threads a lane runs at a time.
  virtual uint32_t threadsOfLane() const { return 1; }
};

/// Returns the instructions that entries of KERNEL need and a device of SHAPE does not have; empty:
/// none.
std::string missingInstructions(const abi::KernelRecord &kernel, const DeviceShape &shape);

/// Quotient and multiple, rounded up.
inline uint32_t divideUp(uint64_t value, uint64_t by) {
  return uint32_t(value / by + (value % by != 0));
}
inline uint32_t roundUp(uint32_t value, uint32_t unit) {
  return divideUp(value, unit) * unit;
}

/// Returns how many blocks of REQUEST a core gets if they are spread over all cores.
inline uint32_t blocksOfCore(const PlanRequest &request, const DeviceShape &shape) {
  uint64_t clusters = request.gridBlocks / request.clusterBlocks;
  uint64_t ofCore = clusters / shape.numCores + (clusters % shape.numCores != 0);
  return uint32_t(std::min<uint64_t>(ofCore, UINT32_MAX / request.clusterBlocks)) *
         request.clusterBlocks;
}

} // namespace vx::rt

#endif // VX_RUNTIME_PLAN_MAPPINGPLANNER_H
