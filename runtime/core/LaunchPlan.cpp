// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/LaunchPlan.h"
#include "intrinsics/abi/AddressMap.h"
#include "runtime/core/Driver.h"
#include "runtime/core/FatBinary.h"
#include <algorithm>
#include <bit>

namespace vx::rt {

/// Alignment of a block's shared memory: CUDA's largest, that of a cache line.
static constexpr uint32_t kSharedAlignment = 128;

static uint32_t roundUp(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

DeviceShape DeviceShape::of(const Device &device) {
  auto atLeastOne = [&](Cap cap) { return uint32_t(std::max<uint64_t>(1, device.caps(cap))); };
  DeviceShape shape;
  shape.numThreads = atLeastOne(Cap::NumThreads);
  shape.numWarps = atLeastOne(Cap::NumWarps);
  shape.numCores = atLeastOne(Cap::NumCores);
  shape.numBarriers = atLeastOne(Cap::NumBarriers);
  shape.localMemBytes = device.caps(Cap::LocalMemSize);
  shape.localMemBase = device.caps(Cap::LocalMemBase);
  shape.profile = abi::IsaProfile(device.caps(Cap::WarpIsa));
  shape.stackBytes = device.caps(Cap::StackBytes);
  shape.maxStackBytes = std::max(shape.stackBytes, device.caps(Cap::MaxStackBytes));
  return shape;
}

/// Hardware warps that merge into one group; 1: none.
static uint32_t warpsPerGroup(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  return kernel.groupThreads > shape.numThreads ? kernel.groupThreads / shape.numThreads : 1;
}

/// Hardware warps of a team, at most: each has a byte in a word (passes/warp/TeamExchange.cpp).
static constexpr uint32_t kMaxTeamWarps = 8;
/// Lanes of a hardware warp of several: two share a byte of the team's ballot, at most.
static constexpr uint32_t kMinTeamLanes = 4;

/// True if groups of KERNEL are hardware warps, or aligned teams of them, all lanes of the device.
static bool canFormTeams(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  uint32_t group = kernel.groupThreads, lanes = shape.numThreads;
  if (group == 0)
    return true;
  if (lanes > group && (kernel.flags & abi::kKernelExactGroups))
    return false;
  if (lanes >= group)
    return lanes % group == 0 && kCudaWarpSize % lanes == 0;
  uint32_t warps = group / lanes;
  return !(kernel.flags & abi::kKernelLoneTeams) && group % lanes == 0 && lanes >= kMinTeamLanes &&
         warps <= kMaxTeamWarps && shape.numWarps % warps == 0;
}

/// Barriers and exchange memory of teams; false if there is not enough of them.
static bool planTeams(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
                      uint32_t blockThreads) {
  // The lanes of a team all have threads.
  if (kernel.groupThreads == 0)
    return true;
  // Nor may some lanes of a hardware warp sit out a chunk and be back in the next: each lane counts
  // the exchanges to know whose turn it is of the two buffers.
  if (plan.entry == kernel.chunkedEntry && blockThreads % shape.numThreads)
    return false;
  uint32_t unit = warpsPerGroup(kernel, shape);
  for (plan.teamWarps = unit; unit > 1; plan.teamWarps *= 2) {
    uint32_t lanes = plan.teamWarps * shape.numThreads;
    if (plan.teamWarps > kMaxTeamWarps || lanes > kCudaWarpSize || blockThreads % lanes ||
        plan.warpsPerBlock % plan.teamWarps)
      return false;
    // A block that is one team meets at one barrier.
    uint32_t teamsOfBlock = plan.warpsPerBlock / plan.teamWarps;
    uint32_t perBlock = teamsOfBlock + (teamsOfBlock > 1 ? 1 : 0);
    if (perBlock > shape.numBarriers && (kernel.flags & abi::kKernelExactGroups))
      return false;
    if (perBlock > shape.numBarriers) // larger teams, fewer barriers
      continue;
    plan.blocksPerCore = std::min(plan.blocksPerCore, shape.numBarriers / perBlock);
    plan.teamBarriers = teamsOfBlock > 1 ? plan.blocksPerCore : 0;
    plan.teamShift = uint32_t(std::countr_zero(plan.teamWarps));
    break;
  }
  plan.exchangeStride = 8 * (shape.lanes() + 2 * shape.numWarps);
  return true;
}

std::string whatIsMissing(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  if (kernel.flags & abi::kKernelSerial)
    return {};
  if (kernel.flags & abi::kKernelTeams)
    return canFormTeams(kernel, shape) ? "" : "its warp functions need larger hardware warps";
  uint32_t group = kernel.groupThreads, lanes = shape.numThreads;
  std::string together =
      "its warp functions need " + std::to_string(group) + " threads that execute together";
  auto has = [&](const std::string &what) { return together + "; the device has " + what; };
  if (kernel.isaProfile > uint32_t(shape.profile))
    return "it needs instructions of profile '" +
           std::string(toString(abi::IsaProfile(kernel.isaProfile))) + "', the device has '" +
           toString(shape.profile) + "'";
  if (group == 0)
    return {};
  // A CUDA warp must begin with the first lane of a group, and a segment must not cross two.
  bool divides = lanes > group ? lanes % group == 0 && 32 % lanes == 0 : group % lanes == 0;
  bool regroups = kernel.flags & abi::kKernelExactGroups ? lanes != group : lanes < group;
  if (divides && !regroups)
    return {};
  if (!divides)
    return has(std::to_string(lanes) + " lanes in a warp, which do not divide into such groups");
  if (shape.lanes() < group)
    return has(std::to_string(shape.lanes()) + " lanes in a core");
  if (!(kernel.flags & abi::kKernelRegroups) || shape.profile != abi::IsaProfile::Warp)
    return has(std::to_string(lanes) + " lanes in a warp and " +
               (shape.profile == abi::IsaProfile::Warp
                    ? "the program was compiled without instructions to regroup them"
                    : "no instruction to regroup them (isa.warp = warp has)"));
  return {};
}

bool isFasterSpread(const DeviceShape &shape, uint32_t blockThreads, uint64_t gridBlocks) {
  return blockThreads > kCudaWarpSize && gridBlocks < uint64_t(shape.lanes()) * shape.numCores;
}

bool isFasterByBlock(const DeviceShape &shape, uint32_t blockThreads, uint64_t gridBlocks) {
  return blockThreads <= shape.numThreads / 4 &&
         gridBlocks >= uint64_t(shape.lanes()) * shape.numCores;
}

/// vx_tile's operands for groups of SIZE threads, all of which run.
static uint32_t regroupOperands(uint32_t size) {
  uint32_t mask = 0;
  for (uint32_t thread = 0; thread < kCudaWarpSize; thread += size)
    mask |= 0x80u >> thread / 4;
  return mask << 8 | size;
}

static uint32_t divideUp(uint64_t value, uint64_t by) {
  return uint32_t(value / by + (value % by != 0));
}

/// The hardware threads of a serial kernel: ONCORE blocks of WARPS CUDA warps are resident, as far
/// as there is room, each on HARTS hardware threads if possible. Few blocks are spread over
/// hardware warps first, which hide each other's latency.
static void placeSerial(LaunchPlan &plan, const DeviceShape &shape, uint64_t onCore, uint32_t warps,
                        uint32_t harts) {
  uint32_t numWarps = shape.numWarps, lanes = shape.numThreads;
  // Hardware warps of several blocks have no barrier of their own; those of one block need it.
  uint32_t across = std::min(std::max(1u, uint32_t(numWarps / onCore)), harts);
  if (shape.numBarriers < numWarps / across)
    across = 1;
  harts = std::min(harts, across * std::min(lanes, divideUp(harts, across)));
  uint32_t warpsOfHart = divideUp(warps, harts);
  // Each of the hardware warps has some CUDA warp.
  plan.hartsPerBlock = divideUp(warps, warpsOfHart);
  plan.warpsPerBlock = std::min(across, plan.hartsPerBlock);
  plan.lanesPerBlock = divideUp(plan.hartsPerBlock, plan.warpsPerBlock);
  plan.contextThreads = warpsOfHart * kCudaWarpSize;
  if (plan.warpsPerBlock == 1)
    plan.blocksPerWarp = std::min(lanes / plan.lanesPerBlock, divideUp(onCore, numWarps));
  uint64_t room = uint64_t(numWarps / plan.warpsPerBlock) * plan.blocksPerWarp;
  plan.blocksPerCore = uint32_t(std::min(room, onCore));
}

/// Entry, warps per block, and how many blocks the warps of a core allow.
static bool chooseEntry(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
                        uint32_t blockThreads, uint64_t gridBlocks, SwMapping mapping) {
  if (kernel.flags & abi::kKernelSerial) {
    plan.entry = kernel.directEntry;
    // No more slots than blocks, so that a small grid is spread over all cores.
    uint64_t onCore = std::min<uint64_t>(
        gridBlocks / shape.numCores + (gridBlocks % shape.numCores != 0), shape.lanes());
    // Of lanes that run in step, none may wait for another.
    if (kernel.flags & abi::kKernelWaits)
      onCore = std::min<uint64_t>(onCore, shape.numWarps);
    bool spreads = mapping == SwMapping::Spread && (kernel.flags & abi::kKernelSpreads);
    uint32_t warps = divideUp(blockThreads, kCudaWarpSize);
    placeSerial(plan, shape, onCore, warps, spreads ? warps : 1);
    return plan.entry != 0;
  }
  // Blocks take whole groups, so that each starts at a multiple of its size.
  uint32_t unit = warpsPerGroup(kernel, shape), numWarps = shape.numWarps / unit * unit;
  bool cuts = (kernel.flags & abi::kKernelExactGroups) && kernel.groupThreads < shape.numThreads;
  uint32_t groupsPerWarp = cuts ? shape.numThreads / kernel.groupThreads : 1;
  if ((unit > 1 || cuts) && !(kernel.flags & abi::kKernelTeams))
    plan.regroup = regroupOperands(kernel.groupThreads);
  uint32_t warps = roundUp(divideUp(blockThreads, shape.numThreads), unit);
  if (kernel.directEntry && warps <= numWarps) {
    plan.entry = kernel.directEntry;
    plan.warpsPerBlock = warps;
    plan.blocksPerCore = numWarps / warps;
    plan.groupsPerBlock = warps / unit * groupsPerWarp;
    // In the last warp there may be groups without a thread of the block: they end at once, unless
    // the entry is the region form, which all of them share.
    if (cuts && kernel.directEntry != kernel.chunkedEntry)
      plan.groupsPerBlock = divideUp(blockThreads, kernel.groupThreads);
    // Blocks that meet at a barrier each need an id of their own.
    if (plan.groupsPerBlock > 1)
      plan.blocksPerCore = std::min(plan.blocksPerCore, shape.numBarriers);
    return true;
  }
  plan.entry = kernel.chunkedEntry;
  plan.warpsPerBlock = numWarps;
  plan.blocksPerCore = 1;
  plan.groupsPerBlock = numWarps / unit * groupsPerWarp;
  return plan.entry != 0;
}

/// The spill area goes to the end of the first LOCALBYTES of local memory if blocks leave that
/// much.
static void placeSpills(LaunchPlan &plan, const DeviceShape &shape, uint64_t localBytes) {
  uint32_t bytes = roundUp(shape.lanes(), 32) / 32 * abi::kSpillPartBytes;
  uint64_t used = plan.sharedInLocalMem ? uint64_t(plan.sharedStride) * plan.blocksPerCore : 0;
  uint64_t offset = localBytes >= bytes ? (localBytes - bytes) / 64 * 64 : 0;
  plan.spillInLocalMem = localBytes >= bytes && offset >= used;
  plan.spillOffset = plan.spillInLocalMem ? uint32_t(offset) : 0;
  plan.spillCoreStride = plan.spillInLocalMem ? 0 : bytes;
  plan.spillScratchBytes = plan.spillInLocalMem ? 0 : uint64_t(bytes) * shape.numCores;
}

std::optional<LaunchPlan> planLaunch(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                     uint32_t blockThreads, uint32_t dynSharedBytes,
                                     uint64_t gridBlocks, SwMapping mapping) {
  LaunchPlan plan;
  bool serial = kernel.flags & abi::kKernelSerial;
  if (blockThreads == 0 || gridBlocks == 0 || !whatIsMissing(kernel, shape).empty() ||
      !chooseEntry(plan, kernel, shape, blockThreads, gridBlocks, mapping))
    return std::nullopt;

  // Each block's memory starts at a multiple of the largest alignment a variable can ask for.
  plan.sharedStride = roundUp(roundUp(kernel.staticSharedBytes + dynSharedBytes, 16) +
                                  roundUp(kernel.tailSharedBytes, 16),
                              kSharedAlignment);
  bool teams = kernel.flags & abi::kKernelTeams;
  if (teams && !planTeams(plan, kernel, shape, blockThreads))
    return std::nullopt;
  // Values are exchanged in local memory, behind what blocks share.
  uint64_t localBytes = shape.localMemBytes, exchanged = 2 * uint64_t(plan.exchangeStride);
  if (exchanged > localBytes)
    return std::nullopt;
  localBytes -= exchanged;
  plan.exchangeOffset = uint32_t(localBytes / 8 * 8);
  // An idle hardware thread costs the serial mapping more than slower memory does; blocks that are
  // spread make up for those that find no room.
  bool isWhole = serial && plan.hartsPerBlock == 1;
  uint64_t wanted = uint64_t(plan.sharedStride) * (isWhole ? plan.blocksPerCore : 1);
  if (wanted > localBytes) {
    plan.sharedInLocalMem = false;
    plan.sharedCoreStride = uint64_t(plan.sharedStride) * plan.blocksPerCore;
    plan.sharedScratchBytes = plan.sharedCoreStride * shape.numCores;
  } else if (plan.sharedStride) {
    plan.blocksPerCore =
        uint32_t(std::min<uint64_t>(plan.blocksPerCore, localBytes / plan.sharedStride));
  }
  placeSpills(plan, shape, localBytes);
  plan.blocksAtOnce = uint64_t(plan.blocksPerCore) * shape.numCores;

  if (plan.entry == kernel.chunkedEntry || serial) {
    uint64_t threads = serial ? plan.contextThreads : roundUp(blockThreads, kCudaWarpSize);
    uint64_t bytes = kernel.contextBytes * threads + kernel.contextFixedBytes;
    plan.contextStride = (bytes + 63) & ~uint64_t(63);
    // The serial mapping interleaves the contexts of a hardware warp, those of all lanes that may
    // work.
    uint32_t contexts = plan.blocksPerCore;
    if (serial)
      contexts = roundUp(contexts, plan.blocksPerWarp) * plan.warpsPerBlock * plan.lanesPerBlock;
    plan.contextBytes = plan.contextStride * contexts * shape.numCores;
  }
  return plan;
}

/// What a kernel gets at least for the part of its stack that nobody knows: CUDA's default limit.
static constexpr uint64_t kOpenStackBytes = 1024;

uint64_t stackBytesFor(const abi::KernelRecord &kernel, const DeviceShape &shape, uint64_t limit) {
  uint64_t needed = uint64_t(kernel.localBytes) + sizeof(abi::ThreadControlBlock);
  if (kernel.flags & abi::kKernelOpenStack)
    needed += kOpenStackBytes;
  return std::bit_ceil(std::max({needed, limit, shape.stackBytes, uint64_t(1)}));
}

void fillDescriptor(abi::LaunchDescriptor &descriptor, const LaunchPlan &plan,
                    const abi::KernelRecord &kernel, const Dim &grid, const Dim &block,
                    uint32_t dynSharedBytes) {
  descriptor.gridDim[0] = grid.x;
  descriptor.gridDim[1] = grid.y;
  descriptor.gridDim[2] = grid.z;
  descriptor.blockDim[0] = block.x;
  descriptor.blockDim[1] = block.y;
  descriptor.blockDim[2] = block.z;
  descriptor.numBlocks = grid.count();
  descriptor.blockThreads = uint32_t(block.count());
  descriptor.warpsPerBlock = plan.warpsPerBlock;
  descriptor.blocksPerCore = plan.blocksPerCore;
  descriptor.regroup = plan.regroup;
  descriptor.groupsPerBlock = plan.groupsPerBlock;
  descriptor.dynSharedOffset = kernel.staticSharedBytes;
  descriptor.dynSharedBytes = dynSharedBytes;
  descriptor.sharedStride = plan.sharedStride;
  descriptor.sharedCoreStride = plan.sharedCoreStride;
  descriptor.contextStride = plan.contextStride;
  descriptor.exchangeStride = plan.exchangeStride;
  descriptor.teamWarps = plan.teamWarps;
  descriptor.teamShift = plan.teamShift;
  descriptor.teamBarriers = plan.teamBarriers;
  descriptor.hartsPerBlock = plan.hartsPerBlock;
  descriptor.lanesPerBlock = plan.lanesPerBlock;
  descriptor.blocksPerWarp = plan.blocksPerWarp;
  descriptor.contextThreads = plan.contextThreads;
  descriptor.blocksAtOnce = plan.blocksAtOnce;
  descriptor.spillCoreStride = plan.spillCoreStride;
  descriptor.threadInverse[0] = abi::inverseOf(block.x);
  descriptor.threadInverse[1] = abi::inverseOf(block.y);
  descriptor.slotInverse = abi::inverseOf(plan.warpsPerBlock);
  descriptor.gridInverse[0] = abi::wideInverseOf(grid.x);
  descriptor.gridInverse[1] = abi::wideInverseOf(grid.y);
}

} // namespace vx::rt
