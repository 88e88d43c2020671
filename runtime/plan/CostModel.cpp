// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/plan/CostModel.h"
#include "runtime/plan/MappingPlanner.h"
#include <algorithm>
#include <cmath>

namespace vx::rt {
namespace {

// Of what the compiler counts, about a half is executed: both sides of a branch are in it.
constexpr double kAlone = 0.5;
// More cycles of each further hardware warp that is merged: an instruction, and one of the device.
constexpr double kBeat = 0.6, kWarpBeat = 3;
// A cache line, and one that holds the stack of a single lane, which rarely stays in the cache.
constexpr double kLine = 0.5, kStackLine = 3;
// Latency of a further line of one access.
constexpr double kNextLine = 0.15;
// Lanes that run different blocks take different paths, and other elements of arrays.
constexpr double kApart = 1.3;
// The caches hold the lines of so many hardware threads that run apart until their next elements;
// of more, a line is fetched again, this often at most.
constexpr double kCachedThreads = 64, kMostFetches = 2;
// An instruction that comes from memory, and code that is executed for the first time.
constexpr double kFetch = 6, kCold = 8;
// More of the former where streams of a block wait at barriers for those that still fetch.
constexpr double kFetchApart = 0.2;

/// What one hardware warp does.
struct Work {
  double instructions = 0, cycles = 0, near = 0, far = 0, stack = 0, warp = 0;

  Work &add(const abi::LevelCost &cost, double times) {
    times /= abi::kCostUnit;
    instructions += times * cost.instructions;
    cycles += times * cost.cycles;
    near += times * (double(cost.accesses) - cost.far - cost.stack);
    far += times * cost.far;
    stack += times * cost.stack;
    warp += times * cost.warp;
    return *this;
  }
};

/// How it is executed.
struct Streams {
  double count = 1;                                   ///< side by side on a core
  double merged = 1;                                  ///< hardware warps of each
  double ofBlock = 1;                                 ///< that run one block together
  double nearLines = 1, farLines = 1, stackLines = 1; ///< cache lines of an access
  bool apart = false;                                 ///< lanes run different blocks
};

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

/// Hardware threads that run CUDA threads one after another.
Streams serialStreams(const LaunchPlan &plan, double resident) {
  const abi::SerialFields &f = plan.fields.serial;
  double lanes = f.lanesPerBlock * std::min<double>(f.blocksPerWarp, resident);
  Streams s;
  s.count = std::ceil(resident / f.blocksPerWarp) * plan.warpsPerBlock;
  s.nearLines = std::ceil(lanes / 8); // values of up to eight bytes, side by side
  s.stackLines = lanes;
  s.farLines = lanes * std::clamp(s.count * lanes / kCachedThreads, 1.0, kMostFetches);
  s.apart = true;
  return s;
}

/// Lanes that run threads of one block.
Streams laneStreams(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                    const DeviceShape &shape, double resident) {
  Streams s;
  if (plan.mapping == abi::Mapping::Hardware && kernel.groupThreads > shape.numThreads)
    s.merged = double(kernel.groupThreads) / shape.numThreads;
  s.ofBlock = plan.warpsPerBlock / s.merged;
  s.count = resident * s.ofBlock;
  s.nearLines = s.farLines = s.merged * std::max(1.0, shape.numThreads / 16.0);
  s.stackLines = s.merged * shape.numThreads;
  return s;
}

/// What a hardware warp does for each block that it runs.
Work workOfBlock(const LaunchPlan &plan, const abi::EntryCost &cost, bool isSerial,
                 const DeviceShape &shape, uint32_t blockThreads) {
  Work work;
  work.add(cost.block, 1);
  if (!isSerial) {
    uint32_t ofLane = plan.mapping == abi::Mapping::Coarsened ? abi::kCoarsenedParts : 1;
    uint64_t atOnce = uint64_t(plan.warpsPerBlock) * shape.numThreads * ofLane;
    return work.add(cost.thread, divideUp(blockThreads, std::max<uint64_t>(1, atOnce)));
  }
  bool hasWarps = cost.warp.cycles; // a loop over CUDA warps, and one over the lanes of each
  double warps = divideUp(divideUp(blockThreads, abi::kWarpSize),
                          std::max(1u, plan.fields.serial.hartsPerBlock));
  double ofWarp = std::min(blockThreads, abi::kWarpSize);
  return work.add(cost.warp, warps).add(cost.thread, hasWarps ? warps * ofWarp : blockThreads);
}

} // namespace

std::optional<double> estimateCycles(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                                     const DeviceShape &shape, const PlanRequest &request) {
  const abi::EntryCost &cost =
      plan.entry == kernel.directEntry ? kernel.directCost : kernel.chunkedCost;
  if (!cost.code)
    return std::nullopt;
  bool isSerial =
      plan.mapping == abi::Mapping::BlockPerLane || plan.mapping == abi::Mapping::WarpsPerLane;
  double onCore = std::ceil(double(request.gridBlocks) / shape.numCores);
  double slots = std::max(1u, plan.blocksPerCore), resident = std::min(onCore, slots);
  Streams streams =
      isSerial ? serialStreams(plan, resident) : laneStreams(plan, kernel, shape, resident);
  Streams all; // hardware warps without a block end at once
  all.count = streams.count * streams.merged;
  all.stackLines = shape.numThreads;
  bool meet = (kernel.flags & abi::kKernelUsesBarrier) && streams.ofBlock > 1;
  return kFetch * (meet ? 1 + kFetchApart : 1) * cost.code +
         kCold * cyclesOf(Work().add(cost.start, 1), all) +
         cyclesOf(Work().add(cost.once, 1), streams) +
         std::ceil(onCore / slots) *
             cyclesOf(workOfBlock(plan, cost, isSerial, shape, request.blockThreads), streams);
}

} // namespace vx::rt
