// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/BlockMemory.h"
#include "intrinsics/abi/SymbolNames.h"
#include "simulator/api/ElfImage.h"
#include "simulator/check/Text.h"
#include "simulator/loader/CodeMap.h"
#include <algorithm>

namespace vx::sim {

void BlockMemory::start(const abi::LaunchDescriptor &launch, uint32_t tail, uint64_t cores,
                        const ElfImage *image, uint64_t slide, const abi::ClusterState &state) {
  clear();
  base = launch.sharedBase;
  stride = launch.sharedStride;
  coreStride = launch.sharedCoreStride;
  slots = std::max(1u, launch.blocksPerCore);
  dynamicStart = launch.dynSharedOffset;
  dynamicBytes = launch.dynSharedBytes;
  tailBytes = tail;
  firstBlock = launch.firstBlock;
  blocksAtOnce = std::max<uint64_t>(1, launch.blocksAtOnce);
  std::copy(std::begin(launch.gridDim), std::end(launch.gridDim), gridDim);
  // These numbers are divided by, so a state with a 0 is not used.
  if (state.blocks && state.groups && state.dim[0] && state.dim[1] && state.dim[2] &&
      state.gridDim[0] && gridDim[0] && gridDim[1])
    clusters = state;
  bool isPlaceKnown = !launch.cluster || clusters.blocks;
  if (stride && isPlaceKnown)
    owners.assign(cores * slots, kNobody);
  if (image)
    findVariables(*image, launch.kernelEntry, slide);
}

void BlockMemory::findVariables(const ElfImage &image, uint64_t entry, uint64_t slide) {
  const auto &symbols = image.symbols();
  for (const auto &[name, symbol] : symbols) {
    if (!symbol.isFunction || symbol.address + slide != entry)
      continue;
    std::string prefix = abi::kSharedSymbolPrefix + name + ".";
    for (auto it = symbols.lower_bound(prefix);
         it != symbols.end() && it->first.starts_with(prefix); ++it) {
      std::string variable = it->first.substr(prefix.size());
      // Variables of a variant of the kernel, whose name has a part more, do not belong to this
      // one.
      if (const ImageSymbol *variant =
              image.symbol(name + "." + variable.substr(0, variable.find('.')));
          variant && variant->isFunction)
        continue;
      variables.push_back({it->second.address, it->second.size, readableName(variable)});
    }
  }
  std::stable_sort(variables.begin(), variables.end(),
                   [](const Variable &a, const Variable &b) { return a.offset < b.offset; });
}

/// The number of the cluster that BLOCK is of.
uint64_t BlockMemory::clusterOf(uint64_t block) const {
  uint64_t row = block / gridDim[0];
  uint64_t x = block % gridDim[0], y = row % gridDim[1], z = row / gridDim[1];
  return (z / clusters.dim[2] * clusters.gridDim[1] + y / clusters.dim[1]) * clusters.gridDim[0] +
         x / clusters.dim[0];
}

/// Slot S of core C runs the blocks C * slots + S + k * blocksAtOnce (LaunchDescriptor.h); with
/// clusters, the same in their order (Cluster.h).
uint64_t BlockMemory::placeOf(uint64_t block) const {
  if (!clusters.blocks)
    return (block - firstBlock) % blocksAtOnce;
  uint64_t row = block / gridDim[0];
  uint64_t x = block % gridDim[0] % clusters.dim[0], y = row % gridDim[1] % clusters.dim[1];
  uint64_t z = row / gridDim[1] % clusters.dim[2];
  uint64_t rank = (z * clusters.dim[1] + y) * clusters.dim[0] + x;
  uint64_t cluster = clusterOf(block), first = firstBlock / clusters.blocks;
  return cluster < first ? kNobody : (cluster - first) % clusters.groups * clusters.blocks + rank;
}

std::optional<uint64_t> BlockMemory::enter(uint64_t block) {
  if (empty() || (!clusters.blocks && block < firstBlock))
    return std::nullopt;
  uint64_t place = placeOf(block);
  if (place >= owners.size() || owners[place] == block)
    return std::nullopt;
  owners[place] = block;
  return place;
}

std::optional<uint64_t> BlockMemory::ownerOf(uint32_t core, uint64_t address) const {
  if (owners.empty() || address < base)
    return std::nullopt;
  uint64_t offset = address - base;
  if (coreStride) {
    core = uint32_t(offset / coreStride);
    offset %= coreStride;
  }
  uint64_t place = core * slots + offset / stride;
  if (offset >= slots * stride || place >= owners.size())
    return std::nullopt;
  return owners[place];
}

bool BlockMemory::isOfProgram(uint32_t core, uint64_t address) const {
  if (owners.empty() || address < base)
    return false;
  uint64_t offset = address - base;
  if (coreStride) {
    core = uint32_t(offset / coreStride);
    offset %= coreStride;
  }
  return core * slots < owners.size() && offset < slots * stride &&
         offset % stride < stride - tailBytes;
}

void BlockMemory::setStates(Shadow &shadow, uint64_t address, ByteState fresh,
                            ByteState beyond) const {
  shadow.set(address, stride, beyond);
  if (variables.empty())
    shadow.set(address, dynamicStart, fresh);
  for (const Variable &variable : variables)
    shadow.set(address + variable.offset, variable.size, fresh);
  shadow.set(address + dynamicStart, dynamicBytes, fresh);
  shadow.set(address + stride - tailBytes, tailBytes, ByteState::Usable);
}

std::string BlockMemory::describe(uint64_t address) const {
  uint64_t offset = address - base;
  offset = (coreStride ? offset % coreStride : offset) % stride;
  if (dynamicBytes && offset >= dynamicStart)
    return positionText(offset - dynamicStart, dynamicBytes, "the dynamic shared memory");
  if (!dynamicBytes && offset >= dynamicStart && variables.empty())
    return kNoDynamicMemory;
  const Variable *before = nullptr;
  for (const Variable &variable : variables)
    if (variable.offset <= offset)
      before = &variable;
  return before ? positionText(offset - before->offset, before->size, "`" + before->name + "`")
                : positionText(offset, dynamicStart, "the block's shared memory");
}

} // namespace vx::sim
