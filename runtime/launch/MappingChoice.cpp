// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/MappingChoice.h"
#include "runtime/plan/ClusterPlan.h"
#include "runtime/plan/CostModel.h"
#include "runtime/plan/MappingPlanner.h"

namespace vx::rt {

static PlanRequest describe(const LaunchRequest &request) {
  uint32_t threads = uint32_t(request.block.count());
  return {threads, uint32_t(request.dynSharedBytes), request.grid.count(),
          request.block.x == threads};
}

static std::optional<LaunchPlan> planRequest(const LaunchRequest &request,
                                             const abi::KernelRecord &record,
                                             const DeviceShape &shape, abi::Mapping mapping) {
  PlanRequest asked = describe(request);
  return request.clusterBlocks > 1
             ? planClusters(record, shape, asked, mapping, request.clusterBlocks)
             : planLaunch(record, shape, asked, mapping);
}

bool isResident(const LaunchRequest &request, const LaunchPlan &plan) {
  return !request.cooperative || request.grid.count() <= plan.blocksAtOnce;
}

/// How a launch is laid out, the variant of the kernel that it takes, and its estimated cycles.
struct MappingChoice {
  LaunchPlan plan;
  const abi::KernelRecord *variant = nullptr;
  std::optional<double> cycles;
};

/// Chooses the fastest mapping of the lowering of VARIANT that REQUEST can have. Where the
/// environment names a mapping, it is the last one (Mappings.def) that the launch can
/// have up to that. The first one takes whatever the others do not.
static std::optional<MappingChoice> chooseMapping(const LaunchRequest &request,
                                                  const abi::KernelRecord &variant,
                                                  const ContextState &state) {
  const abi::Mapping first = abi::firstMapping(variant);
  const abi::Lowering lowering = abi::infoOf(first).lowering;
  const std::optional<abi::Mapping> &wanted =
      lowering == abi::Lowering::Hw ? state.options().hwMapping : state.options().swMapping;
  auto plan = [&](abi::Mapping mapping,
                  const abi::KernelRecord &record) -> std::optional<MappingChoice> {
    std::optional<LaunchPlan> p = planRequest(request, record, state.shape(), mapping);
    if (!p)
      return std::nullopt;
    return MappingChoice{*p, &record, estimateCycles(*p, record, state.shape(), describe(request))};
  };
  std::optional<MappingChoice> best = plan(first, variant);
  for (uint32_t m = abi::kNumMappings; m-- > 0;) {
    abi::Mapping mapping = abi::Mapping(m);
    const abi::KernelRecord *record = request.kernel->variantFor(mapping);
    if (abi::infoOf(mapping).lowering != lowering || mapping == first || !record ||
        (wanted && mapping > *wanted))
      continue;
    std::optional<MappingChoice> choice = plan(mapping, *record);
    if (!choice || !isResident(request, choice->plan))
      continue;
    if (wanted)
      return choice;
    double margin = plannerOf(mapping).marginOver(variant);
    if (!best || !isResident(request, best->plan) ||
        (choice->cycles && best->cycles && *choice->cycles * margin < *best->cycles))
      best = choice;
  }
  return best;
}

std::optional<LaunchPlan> choosePlan(LaunchRequest &request, const ContextState &state) {
  const ContextOptions &options = state.options();
  std::optional<MappingChoice> choice = chooseMapping(request, *request.variant, state);
  const abi::KernelRecord *software = request.kernel->softwareVariant();
  if (options.lowering == abi::Lowering::Auto && software && software != request.variant &&
      !state.runsHostCode()) {
    // The sw variant needs less room for a block, and lanes that would idle run other blocks.
    bool hasAll = plannerOf(abi::firstMapping(*request.variant)).hasAllLaunches(*request.variant);
    bool needsRoom = !choice && (request.clusterBlocks > 1 || !hasAll);
    bool mayBeFaster = choice && choice->cycles && !options.saysFallback && !options.hwMapping;
    std::optional<MappingChoice> other;
    if (needsRoom || mayBeFaster)
      other = chooseMapping(request, *software, state);
    if (other && (needsRoom || (other->cycles && isResident(request, other->plan) &&
                                *other->cycles * kLoweringMargin < *choice->cycles)))
      choice = other;
  }
  if (!choice)
    return std::nullopt;
  request.variant = choice->variant;
  return choice->plan;
}

} // namespace vx::rt
