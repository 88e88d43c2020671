// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/DescriptorWriter.h"
#include "intrinsics/abi/Cluster.h"
#include "runtime/launch/LaunchRequest.h"

namespace vx::rt {

// The service area: descriptor, status and arguments, one launch at a time. The few kernels that
// take more arguments have memory of their own for them.
static constexpr uint64_t kStatusOffset = 256;
static constexpr uint64_t kArgumentsOffset = 512;
static constexpr uint64_t kServiceArgumentBytes = 4096;
static constexpr uint64_t kServiceBytes = kArgumentsOffset + kServiceArgumentBytes;

Result<uint64_t> DescriptorWriter::write(const LaunchRequest &request,
                                         abi::LaunchDescriptor &descriptor) {
  if (Result<void> r = ensureScratch(request); !r)
    return r.error();
  fillDescriptor(descriptor, request.plan, *request.variant, request.grid, request.block,
                 request.dynSharedBytes);
  fillAddresses(request, descriptor);
  descriptor.firstBlock = request.firstBlock;
  if (request.endBlock)
    descriptor.numBlocks = request.endBlock;
  descriptor.flags = request.cooperative ? abi::kLaunchCooperative : 0;
  if (request.clusterBlocks > 1)
    if (Result<void> r = writeClusters(request, descriptor); !r)
      return r.error();
  Device &device = state.device();
  abi::StatusBlock status{};
  Result<void> r = device.copyToDev(serviceArea.address, bytesOf(descriptor));
  if (r)
    r = device.copyToDev(descriptor.status, bytesOf(status));
  if (r && !request.arguments.empty())
    r = device.copyToDev(descriptor.args, request.arguments);
  if (!r)
    return r.error();
  return serviceArea.address;
}

static bool hasLongArguments(const LaunchRequest &request) {
  return request.arguments.size() > kServiceArgumentBytes;
}

/// Returns how far shared memory is from the start of a page on the host: allocations start there,
/// and a CPU takes an access for one that follows a write if the lower 12 bits of their addresses
/// agree.
uint64_t DescriptorWriter::sharedSkew() const {
  constexpr uint64_t kSkew = 9 * 128;
  return state.runsHostCode() ? kSkew : 0;
}

Result<void> DescriptorWriter::ensureScratch(const LaunchRequest &request) {
  Device &device = state.device();
  const LaunchPlan &plan = request.plan;
  Result<void> r = serviceArea.ensure(device, kServiceBytes);
  if (r)
    r = services.ensure();
  if (r)
    r = sharedScratch.ensure(device, plan.sharedScratchBytes + sharedSkew());
  if (r)
    r = contextScratch.ensure(device, plan.contextBytes);
  if (r)
    r = spillScratch.ensure(device, plan.spillScratchBytes);
  if (r && hasLongArguments(request))
    r = longArguments.ensure(device, request.arguments.size());
  return r;
}

void DescriptorWriter::fillAddresses(const LaunchRequest &request,
                                     abi::LaunchDescriptor &descriptor) {
  const LaunchPlan &plan = request.plan;
  uint64_t localMemBase = state.shape().localMemBase;
  descriptor.kernelEntry = plan.entry;
  descriptor.launchQueue =
      request.variant->flags & abi::kKernelLaunches ? services.launchQueue().address : 0;
  descriptor.args =
      hasLongArguments(request) ? longArguments.address : serviceArea.address + kArgumentsOffset;
  descriptor.sharedBase =
      plan.sharedInLocalMem ? localMemBase : sharedScratch.address + sharedSkew();
  descriptor.context = plan.contextBytes ? contextScratch.address : 0;
  descriptor.spillArea =
      abi::kSpillPartBytes / 2 +
      (plan.spillInLocalMem ? localMemBase + plan.spillOffset : spillScratch.address);
  descriptor.printfBuffer = services.printf().address;
  descriptor.heap = services.heapMemory().address;
  descriptor.status = serviceArea.address + kStatusOffset;
}

/// Writes the barriers of the clusters that are resident at a time.
Result<void> DescriptorWriter::writeClusters(const LaunchRequest &request,
                                             abi::LaunchDescriptor &descriptor) {
  const Dim &cluster = request.clusterDim, &grid = request.grid;
  abi::ClusterState barriers = {{cluster.x, cluster.y, cluster.z},
                                request.clusterBlocks,
                                {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z},
                                uint32_t(request.plan.blocksAtOnce / request.clusterBlocks)};
  uint64_t bytes = abi::clusterStateBytes(barriers.groups, barriers.blocks);
  if (Result<void> r = clusters.ensure(state.device(), bytes); !r)
    return r;
  descriptor.cluster = clusters.address;
  if (Result<void> r = state.device().fill(clusters.address, 0, bytes); !r)
    return r;
  return state.device().copyToDev(clusters.address, bytesOf(barriers));
}

} // namespace vx::rt
