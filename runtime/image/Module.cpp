// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/Module.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CoarsenedParts.h"
#include "intrinsics/abi/DeviceLaunch.h"
#include "intrinsics/abi/KernelTableReader.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "intrinsics/abi/SymbolNames.h"
#include "runtime/image/Relocation.h"
#include "runtime/plan/ClusterPlan.h"
#include "runtime/plan/LaunchPlan.h"
#include "simulator/api/LineTable.h"
#include <algorithm>
#include <cstring>

namespace vx::rt {

Result<std::vector<Kernel>> parseKernelTable(std::span<const uint8_t> bytes) {
  std::vector<abi::TableKernel> table;
  if (std::string problem = abi::readKernelTable(bytes, table); !problem.empty())
    return Failure{"damaged kernel table: " + problem};
  std::vector<Kernel> kernels;
  for (abi::TableKernel &entry : table) {
    Kernel &kernel = kernels.emplace_back();
    kernel.name = std::move(entry.name);
    kernel.record = entry.record;
    kernel.params = std::move(entry.params);
    kernel.cluster = requiredCluster(entry.record);
    uint32_t shared = entry.record.staticSharedBytes;
    kernel.maxDynamicShared = kMaxSharedBytes > shared ? kMaxSharedBytes - shared : 0;
  }
  return kernels;
}

bool Kernel::packArguments(void *const *pointers, std::vector<uint8_t> &block) const {
  block.assign(record.argBytes, 0);
  for (size_t i = 0; i < params.size(); ++i) {
    if (!pointers || !pointers[i])
      return false;
    std::memcpy(block.data() + params[i].offset, pointers[i], params[i].size);
  }
  return true;
}

const abi::KernelRecord *Kernel::variantFor(abi::Mapping mapping) const {
  if (abi::isFor(record, mapping))
    return &record;
  for (const abi::KernelRecord &other : others)
    if (abi::isFor(other, mapping))
      return &other;
  return nullptr;
}

/// Returns the first mapping of LOWERING in the table, which its variants are named after.
static constexpr abi::Mapping mainMapping(abi::Lowering lowering) {
  for (const abi::MappingInfo &info : abi::kMappings)
    if (info.lowering == lowering)
      return info.mapping;
  return abi::kMappings[0].mapping;
}

const abi::KernelRecord *Kernel::hardwareVariant() const {
  return variantFor(mainMapping(abi::Lowering::Hw));
}

const abi::KernelRecord *Kernel::softwareVariant() const {
  return variantFor(mainMapping(abi::Lowering::Sw));
}

const abi::KernelRecord *Kernel::variant(abi::Lowering lowering, const DeviceShape &shape) const {
  // The first mapping of hw that the device has. Where hardware warps cannot merge, they may
  // exchange values, or be a CUDA warp each.
  const abi::KernelRecord *hw = nullptr, *sw = softwareVariant();
  for (const abi::MappingInfo &info : abi::kMappings) {
    const abi::KernelRecord *record = variantFor(info.mapping);
    if (!hw && info.lowering == abi::Lowering::Hw && record &&
        whatIsMissing(*record, shape).empty())
      hw = record;
  }
  switch (lowering) {
  case abi::Lowering::Hw:
    return hw;
  case abi::Lowering::Sw:
    return sw;
  default:
    return hw && !(sw && mayHangInStep(*hw, shape)) ? hw : sw;
  }
}

bool Module::lacksSoftware(const DeviceShape &shape) const {
  return std::any_of(kernels.begin(), kernels.end(), [&](const auto &entry) {
    const abi::KernelRecord &record = entry.second.record;
    return record.flags & abi::kKernelSwDeferred && !whatIsMissing(record, shape).empty();
  });
}

/// Adds KERNEL, or makes it a variant of the one that has its name.
void Module::add(Kernel kernel) {
  kernel.module = this;
  auto [it, isNew] = kernels.try_emplace(kernel.name, kernel);
  if (isNew)
    return;
  Kernel &first = it->second;
  if (!kernel.hardwareVariant()) {
    first.others.push_back(kernel.record);
    return;
  }
  kernel.others = std::move(first.others);
  kernel.others.push_back(first.record);
  first = std::move(kernel);
}

Result<std::unique_ptr<Module>> Module::parse(std::span<const uint8_t> elf, uint32_t xlen,
                                              bool hostCode) {
  Result<sim::ElfImage> image =
      sim::ElfImage::parse(elf, hostCode ? sim::ElfMachine::X86 : sim::ElfMachine::RiscV);
  if (!image)
    return image.error();
  if (image->xlen() != xlen)
    return Failure{"the image is for rv" + std::to_string(image->xlen()) + ", not rv" +
                   std::to_string(xlen)};
  std::unique_ptr<Module> module(new Module);
  module->elfImage = std::move(*image);
  module->imageFile = elf;
  std::span<const uint8_t> table = module->elfImage.section(abi::kKernelTableSection);
  if (!table.empty()) { // an object with variables only has none
    Result<std::vector<Kernel>> kernels = parseKernelTable(table);
    if (!kernels)
      return kernels.error();
    for (Kernel &kernel : *kernels)
      module->add(std::move(kernel));
  }
  for (auto &[name, kernel] : module->kernels)
    if (std::optional<AddressRange> handle = module->variable(abi::kKernelHandlePrefix + name))
      kernel.handle = handle->base;
  module->placed = module->elfImage.segments();
  module->kept.resize(module->placed.size());
  module->storedAddresses = findStoredAddresses(module->elfImage);
  return module;
}

Kernel *Module::kernel(std::string_view name) {
  auto it = kernels.find(name);
  return it == kernels.end() ? nullptr : &it->second;
}

Kernel *Module::kernelAt(uint64_t address) {
  for (auto &[name, kernel] : kernels)
    if (kernel.handle == address && address)
      return &kernel;
  return nullptr;
}

Result<void> Module::publishKernels(Device &device) {
  for (auto &[name, kernel] : kernels) {
    if (!kernel.handle || kernel.published == kernel.maxDynamicShared)
      continue;
    const abi::KernelRecord &record = kernel.record;
    abi::KernelHandle handle = {abi::kKernelHandleMagic, record.maxThreads,
                                kernel.maxDynamicShared, record.staticSharedBytes,
                                record.constBytes,       record.localBytes,
                                record.numRegs,          0};
    std::span bytes(reinterpret_cast<const uint8_t *>(&handle), sizeof handle);
    if (Result<void> r = device.copyToDev(kernel.handle, bytes); !r)
      return r;
    kernel.published = kernel.maxDynamicShared;
  }
  return {};
}

std::optional<AddressRange> Module::variable(std::string_view name) const {
  const sim::ImageSymbol *symbol = elfImage.symbol(name);
  if (!symbol || symbol->isFunction)
    return std::nullopt;
  return AddressRange{symbol->address + slide, symbol->size};
}

std::string Module::describe(uint64_t pc) const {
  uint64_t linked = linkedAddress(pc);
  std::string text = elfImage.describe(linked); // name+0x12
  size_t plus = std::min(text.rfind('+'), text.size());
  text = abi::sourceName(text.substr(0, plus)) + text.substr(plus);
  sim::SourceLine source = sim::LineTable(elfImage).find(linked);
  if (!source.file.empty())
    text += (text.empty() ? "" : ", ") + source.file + ":" + std::to_string(source.line);
  return text;
}

std::optional<uint32_t> Module::partOf(uint64_t pc) const {
  return abi::partOfDiscriminator(sim::LineTable(elfImage).find(linkedAddress(pc)).discriminator);
}

void Module::moveBy(uint64_t distance) {
  slideSegments(placed, *storedAddresses, elfImage.xlen(), distance);
  auto move = [&](abi::KernelRecord &record) {
    for (uint64_t *entry : {&record.directEntry, &record.chunkedEntry})
      *entry += *entry ? distance : 0;
  };
  for (auto &[name, kernel] : kernels) {
    move(kernel.record);
    kernel.handle += kernel.handle ? distance : 0;
    for (abi::KernelRecord &other : kernel.others)
      move(other);
  }
  slide += distance;
}

bool Module::collidesWith(const Module &other) const {
  for (const sim::ImageSegment &mine : placed)
    for (const sim::ImageSegment &theirs : other.placed)
      if (AddressRange{mine.address, mine.memorySize}.overlaps(theirs.address, theirs.memorySize))
        return true;
  return false;
}

static Result<void> writeSegment(Device &device, const sim::ImageSegment &segment,
                                 std::span<const uint8_t> bytes) {
  if (Result<void> r = device.memReserve(segment.address, segment.memorySize, segment.permission);
      !r)
    return r;
  if (!bytes.empty())
    if (Result<void> r = device.copyToDev(segment.address, bytes); !r)
      return r;
  uint64_t rest = segment.memorySize - bytes.size();
  return rest ? device.fill(segment.address + bytes.size(), 0, rest) : Result<void>();
}

Result<void> Module::load(Device &device) {
  const std::vector<sim::ImageSegment> &segments = placed;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].memorySize == 0)
      continue;
    Result<void> r =
        writeSegment(device, segments[i], kept[i].empty() ? segments[i].bytes : kept[i]);
    if (!r) {
      for (size_t k = 0; k < i; ++k)
        (void)device.memFree(segments[k].address);
      return r;
    }
    kept[i].clear();
  }
  resident = true;
  stackLog2Size = VX_STACK_LOG2_SIZE;
  return {};
}

Result<void> Module::setStackLog2Size(Device &device, uint32_t log2) {
  if (log2 == stackLog2Size)
    return {};
  std::optional<sim::ImageWord> shift = elfImage.stackShift(log2);
  if (!shift)
    return Failure{"its image is for stacks of " + std::to_string(1u << VX_STACK_LOG2_SIZE) +
                   " bytes only, not of " + std::to_string(uint64_t(1) << log2)};
  std::span bytes(reinterpret_cast<const uint8_t *>(&shift->word), sizeof shift->word);
  Result<void> written = device.copyToDev(shift->address + slide, bytes);
  if (written)
    stackLog2Size = log2;
  return written;
}

Result<void> Module::evict(Device &device) {
  const std::vector<sim::ImageSegment> &segments = placed;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].memorySize == 0)
      continue;
    // Read-only data may have been written from the host (constant variables).
    if (!(segments[i].permission & kMemExecute)) {
      kept[i].resize(segments[i].memorySize);
      if (Result<void> r = device.copyFromDev(kept[i], segments[i].address); !r)
        return r;
    }
    if (Result<void> r = device.memFree(segments[i].address); !r)
      return r;
  }
  resident = false;
  return {};
}

} // namespace vx::rt
