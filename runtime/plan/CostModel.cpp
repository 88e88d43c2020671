// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/plan/CostModel.h"
#include "runtime/plan/MappingPlanner.h"
#include <algorithm>
#include <cmath>

namespace vx::rt {
namespace {

// About a half of what the compiler counts is executed: both sides of a branch are in it.
constexpr double kAlone = 0.5;
// More cycles of each further hardware warp that is merged: an instruction, and one of the device.
constexpr double kBeat = 0.6, kWarpBeat = 3;
// A cache line, and one that holds the stack of a single lane, which rarely stays in the cache.
constexpr double kLine = 0.5, kStackLine = 3;
// Latency of a further line of one access.
constexpr double kNextLine = 0.15;
// Lanes that run different blocks take different paths, and other elements of arrays.
constexpr double kApart = 1.3;
// An instruction that comes from memory, and code that is executed for the first time.
constexpr double kFetch = 6, kCold = 8;
// More of the former where streams of a block wait at barriers for those that still fetch.
constexpr double kFetchApart = 0.2;

double cyclesOf(const Work &work, const Streams &s) {
  double alone = kAlone * work.cycles +
                 (s.merged - 1) * (kBeat * work.instructions + kWarpBeat * work.warp) +
                 kNextLine * (work.near * (s.nearLines - 1) + work.far * (s.farLines - 1) +
                              work.stack * (s.stackLines - 1));
  alone *= s.apart ? kApart : 1;
  double issue = s.count * s.merged * work.instructions;
  double memory = s.count * (kLine * (work.near * s.nearLines + work.far * s.farLines) +
                             kStackLine * work.stack * s.stackLines);
  return std::sqrt(alone * alone + issue * issue + memory * memory);
}

} // namespace

std::optional<double> estimateCycles(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                                     const DeviceShape &shape, const PlanRequest &request) {
  const abi::EntryCost &cost =
      plan.entry == kernel.directEntry ? kernel.directCost : kernel.chunkedCost;
  if (!cost.code)
    return std::nullopt;
  double onCore = std::ceil(double(request.gridBlocks) / shape.numCores);
  double slots = std::max(1u, plan.blocksPerCore), resident = std::min(onCore, slots);
  const MappingPlanner &planner = plannerOf(plan.mapping);
  Streams streams = planner.streamsOf(plan, kernel, shape, resident);
  Streams all; // hardware warps without a block end at once
  all.count = streams.count * streams.merged;
  all.stackLines = shape.numThreads;
  bool meet = (kernel.flags & abi::kKernelUsesBarrier) && streams.ofBlock > 1;
  return kFetch * (meet ? 1 + kFetchApart : 1) * cost.code +
         kCold * cyclesOf(Work().add(cost.start, 1), all) +
         cyclesOf(Work().add(cost.once, 1), streams) +
         std::ceil(onCore / slots) *
             cyclesOf(planner.workOfBlock(plan, cost, shape, request.blockThreads), streams);
}

} // namespace vx::rt
