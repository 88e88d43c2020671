// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/BlockMemory.h"
#include "intrinsics/abi/SymbolNames.h"
#include "simulator/api/ElfImage.h"
#include "simulator/check/Text.h"
#include "simulator/loader/CodeMap.h"
#include <algorithm>

namespace vx::sim {

void BlockMemory::start(const abi::LaunchDescriptor &launch, uint32_t tail, uint64_t cores,
                        const ElfImage *image, uint64_t slide) {
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
  hasClusters = launch.cluster != 0;
  if (stride)
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
      // Those of a variant of the kernel, whose name has a part more, are no variables of this one.
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

/// Slot S of core C runs the blocks C * slots + S + k * blocksAtOnce (LaunchDescriptor.h).
std::optional<uint64_t> BlockMemory::enter(uint64_t block) {
  if (hasClusters || block < firstBlock)
    return std::nullopt;
  uint64_t place = (block - firstBlock) % blocksAtOnce;
  if (place >= owners.size() || owners[place] == block)
    return std::nullopt;
  owners[place] = block;
  return place;
}

std::optional<uint64_t> BlockMemory::ownerOf(uint32_t core, uint64_t address) const {
  if (owners.empty() || hasClusters || address < base)
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
  const Variable *before = nullptr;
  for (const Variable &variable : variables)
    if (variable.offset <= offset)
      before = &variable;
  return before ? positionText(offset - before->offset, before->size, "`" + before->name + "`")
                : positionText(offset, dynamicStart, "the block's shared memory");
}

} // namespace vx::sim
