// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as the kernel table of an image: launches of its kernels on devices of several shapes
// are planned in each mapping, their descriptors filled in, and the checkers given the descriptor.
// The first bytes are the launch (struct Launch), the rest is the table.

#include "intrinsics/abi/AddressMap.h"
#include "runtime/image/Module.h"
#include "runtime/plan/ClusterPlan.h"
#include "runtime/plan/CostModel.h"
#include "runtime/plan/LaunchPlan.h"
#include "simulator/api/Simulator.h"
#include "test/fuzz/Fuzz.h"
#include "test/fuzz/Launch.h"
#include <cmath>
#include <cstring>

using namespace vx;
using namespace vx::rt;

static DeviceShape shapeOf(const fuzz::Launch &launch) {
  DeviceShape shape;
  shape.numThreads = 1 + launch.lanes % 32;
  shape.numWarps = 1 + launch.warps % 64;
  shape.numCores = 1 + launch.cores % 16;
  shape.numBarriers = std::max(1u, shape.numWarps / 2);
  shape.localMemBytes = uint64_t(1) << (8 + launch.localMemory % 17);
  shape.localMemBase = VX_STACK_BASE_ADDR_64;
  shape.profile = abi::IsaProfile(launch.profile % 3);
  shape.stackBytes = 8192;
  shape.maxStackBytes = 1 << 20;
  return shape;
}

/// Checks what holds of a plan, whatever the kernel is: the block has its threads, and what is
/// resident fits.
static void checkPlan(const LaunchPlan &plan, const DeviceShape &shape) {
  fuzz::require(plan.warpsPerBlock >= 1 && plan.warpsPerBlock <= shape.numWarps,
                "a block has hardware warps of one core");
  fuzz::require(plan.blocksPerCore >= 1 && plan.blocksPerCore <= shape.lanes(),
                "no more blocks than lanes");
  if (plan.sharedInLocalMem)
    fuzz::require(uint64_t(plan.sharedStride) * plan.blocksPerCore <= shape.localMemBytes,
                  "shared memory fits into local memory");
}

/// The checkers see a launch of DESCRIPTOR, whose one instruction is an exit.
static void checkLaunch(const abi::LaunchDescriptor &descriptor, uint32_t tail) {
  sim::SimConfig config = fuzz::smallMachine();
  config.checkTools = "memcheck+initcheck+racecheck+synccheck";
  config.checkLog = "/dev/null";
  auto simulator = sim::Simulator::create(config);
  fuzz::require(bool(simulator), "a machine can be made");
  constexpr uint32_t code[] = {0x05d00893, 0x00000073};
  (*simulator)->writeDcr(VX_DCR_STARTUP_ADDR0, VX_STARTUP_ADDR);
  (void)(*simulator)->map(VX_STARTUP_ADDR, 64, sim::kRead | sim::kExecute);
  (void)(*simulator)
      ->write(VX_STARTUP_ADDR, {reinterpret_cast<const uint8_t *>(code), sizeof code});
  (*simulator)
      ->describeRuns(
          {.name = "k", .lowering = "hw", .launch = &descriptor, .sharedTailBytes = tail});
  (*simulator)->run();
  (void)(*simulator)->finishReports();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Launch launch;
  if (size < sizeof launch)
    return 0;
  std::memcpy(&launch, data, sizeof launch);
  Result<std::vector<Kernel>> kernels =
      parseKernelTable({data + sizeof launch, size - sizeof launch});
  if (!kernels) {
    fuzz::require(!kernels.error().message.empty(), "a failure says what is wrong");
    return 0;
  }
  DeviceShape shape = shapeOf(launch);
  PlanRequest request{1 + launch.threads % kMaxBlockThreads,
                      launch.dynamicBytes % kMaxSharedBytesOptIn, 1 + launch.blocks % 5000u,
                      bool(launch.profile & 4)};
  for (const Kernel &kernel : *kernels) {
    const abi::KernelRecord &record = kernel.record;
    (void)stackBytesFor(record, shape, launch.dynamicBytes);
    (void)mayHangInStep(record, shape);
    (void)kernel.variant(abi::Lowering(launch.profile >> 3 & 3), shape);
    (void)whatIsMissing(record, shape);
    for (const abi::MappingInfo &info : abi::kMappings) {
      if (!abi::isFor(record, info.mapping) || !whatIsMissing(record, shape, info.mapping).empty())
        continue;
      std::optional<LaunchPlan> plan = planLaunch(record, shape, request, info.mapping);
      if (!plan)
        continue;
      checkPlan(*plan, shape);
      std::optional<double> cycles = estimateCycles(*plan, record, shape, request);
      fuzz::require(!cycles || (std::isfinite(*cycles) && *cycles >= 0), "an estimate is a number");
      abi::LaunchDescriptor descriptor{};
      Dim grid{uint32_t(request.gridBlocks)}, block{request.blockThreads};
      fillDescriptor(descriptor, *plan, record, grid, block, request.dynSharedBytes);
      if (plan->sharedInLocalMem)
        descriptor.sharedBase = shape.localMemBase;
      // The runtime has memory for what it launches.
      if (shape.numCores == 1 && uint64_t(plan->sharedStride) * plan->blocksPerCore <= 1 << 20)
        checkLaunch(descriptor, 0);
    }
  }
  return 0;
}
