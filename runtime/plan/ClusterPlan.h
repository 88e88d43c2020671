// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the blocks of clusters run. The blocks of a cluster are on one core, if that has room for
// all of them, and their shared memory is its local memory; else they are on neighbouring cores,
// and it is global memory.

#ifndef VX_RUNTIME_PLAN_CLUSTERPLAN_H
#define VX_RUNTIME_PLAN_CLUSTERPLAN_H

#include "driver_types.h"
#include "runtime/plan/LaunchPlan.h"

namespace vx::rt {

/// The cluster of a kernel that names one in its source; all 1: it names none.
Dim requiredCluster(const abi::KernelRecord &kernel);

/// Returns the error of clusters of SHAPE in a launch of GRID; MOST blocks may form one.
cudaError_t checkCluster(const Dim &shape, const Dim &grid, uint32_t most);

/// A plan as by planLaunch() in which clusters of BLOCKS blocks are resident together; none if the
/// device cannot hold one.
std::optional<LaunchPlan> planClusters(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                       const PlanRequest &request, abi::Mapping mapping,
                                       uint32_t blocks);

} // namespace vx::rt

#endif // VX_RUNTIME_PLAN_CLUSTERPLAN_H
