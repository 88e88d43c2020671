// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/plan/ClusterPlan.h"
#include <algorithm>

namespace vx::rt {

Dim requiredCluster(const abi::KernelRecord &kernel) {
  auto axis = [&](unsigned shift) { return std::max(1u, kernel.clusterDim >> shift & 255u); };
  return {axis(0), axis(8), axis(16)};
}

cudaError_t checkCluster(const Dim &shape, const Dim &grid, uint32_t most) {
  if (shape.x == 0 || shape.y == 0 || shape.z == 0 || shape.x > most || shape.y > most ||
      shape.z > most || shape.count() > most)
    return cudaErrorInvalidClusterSize;
  if (grid.x % shape.x || grid.y % shape.y || grid.z % shape.z)
    return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

/// Gives each core PERCORE blocks, and the device as many clusters of BLOCKS as that makes room
/// for.
static void resize(LaunchPlan &plan, const DeviceShape &shape, uint32_t perCore, uint32_t blocks) {
  plan.blocksPerCore = perCore;
  plan.blocksAtOnce = uint64_t(perCore) * shape.numCores / blocks * blocks;
  if (plan.sharedInLocalMem)
    return;
  plan.sharedCoreStride = uint64_t(plan.sharedStride) * perCore;
  plan.sharedScratchBytes = plan.sharedCoreStride * shape.numCores;
}

std::optional<LaunchPlan> planClusters(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                       const PlanRequest &request, abi::Mapping mapping,
                                       uint32_t blocks) {
  PlanRequest asked = request;
  asked.clusterBlocks = blocks;
  auto plan = [&](const DeviceShape &device) { return planLaunch(kernel, device, asked, mapping); };
  std::optional<LaunchPlan> local = plan(shape);
  if (local && local->blocksPerCore >= blocks) {
    resize(*local, shape, local->blocksPerCore / blocks * blocks, blocks);
    return local;
  }
  DeviceShape without = shape;
  without.localMemBytes = 0;
  std::optional<LaunchPlan> global = plan(without);
  if (!global || uint64_t(global->blocksPerCore) * shape.numCores < blocks)
    return std::nullopt;
  uint32_t perCore = global->blocksPerCore;
  if (perCore >= blocks)
    perCore = perCore / blocks * blocks;
  resize(*global, shape, perCore, blocks);
  return global;
}

} // namespace vx::rt
