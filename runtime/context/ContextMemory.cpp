// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory part of Context.

#include "intrinsics/abi/SymbolNames.h"
#include "runtime/context/Context.h"
#include "runtime/memory/CheckedMemory.h"

namespace vx::rt {

cudaError_t Context::allocate(uint64_t size, uint64_t &address) {
  return work.withDevice([&] {
    Result<uint64_t> base = driver->memAlloc(size, kMemRead | kMemWrite);
    if (!base)
      return cudaErrorMemoryAllocation;
    address = *base;
    noteAllocation(*driver, address, size);
    {
      std::lock_guard lock(metadata);
      allocations.emplace(address, Allocation{size});
    }
    if (exports && !exportPages(address)) {
      (void)driver->memFree(address);
      std::lock_guard lock(metadata);
      allocations.erase(address);
      return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
  });
}

cudaError_t Context::release(uint64_t address) {
  if (!forget(address))
    return cudaErrorInvalidValue;
  return work.withDevice([&] { return giveBack(address); });
}

bool Context::forget(uint64_t address) {
  std::lock_guard lock(metadata);
  auto it = allocations.find(address);
  if (it == allocations.end() || !it->second.isOfProgram())
    return false;
  it->second.isKept = true;
  return true;
}

void Context::noteWrongFree(uint64_t address, const char *call) {
  if (isChecked())
    work.withDevice([&] { vx::rt::noteWrongFree(*driver, address, call); });
}

void Context::noteFailedLaunch(const Kernel &kernel, const std::string &error) {
  if (isChecked())
    work.withDevice(
        [&] { vx::rt::noteFailedLaunch(*driver, abi::sourceName(kernel.name), error); });
}

void Context::remember(uint64_t address) {
  std::lock_guard lock(metadata);
  if (auto it = allocations.find(address); it != allocations.end())
    it->second.isKept = false;
}

cudaError_t Context::giveBack(uint64_t address) {
  Allocation allocation; // its pages are used until the device no longer has them
  {
    std::lock_guard lock(metadata);
    auto it = allocations.find(address);
    if (it == allocations.end())
      return cudaErrorInvalidValue;
    allocation = std::move(it->second);
    allocations.erase(it);
  }
  if (exports)
    exports->remove(address);
  if (allocation.list)
    allocation.list->remove(address);
  noteFree(*driver, address);
  return driver->memFree(address) ? cudaSuccess : cudaErrorInvalidValue;
}

/// With the device held: moves the allocation at ADDRESS to pages that others can have, unless it
/// is there already, and enters it in `exports`.
Result<std::shared_ptr<SharedPages>> Context::exportPages(uint64_t address) {
  Allocation allocation;
  {
    std::lock_guard lock(metadata);
    auto it = allocations.find(address);
    if (it == allocations.end())
      return Failure{"there is no allocation at this address"};
    allocation = it->second;
  }
  if (!allocation.pages) {
    Result<std::shared_ptr<SharedPages>> pages = SharedPages::create(allocation.size);
    if (!pages)
      return pages.error();
    if (Result<void> r = driver->memExport(address, allocation.size, **pages); !r)
      return r.error();
    allocation.pages = *pages;
    noteSharedMemory(*driver, address, allocation.size);
    std::lock_guard lock(metadata);
    allocations[address].pages = *pages;
  }
  if (exports)
    exports->add(address, {allocation.size, allocation.pages});
  return allocation.pages;
}

std::shared_ptr<SharedPages> Context::sharePages(uint64_t address) {
  Result<std::shared_ptr<SharedPages>> pages =
      work.withDevice([&] { return exportPages(address); });
  if (pages)
    return *pages;
  printMessage("sharing device memory: " + pages.error().message);
  return nullptr;
}

cudaError_t Context::exportTo(uint64_t address, std::shared_ptr<ExportList> list) {
  return work.withDevice([&] {
    {
      std::lock_guard lock(metadata);
      if (!allocations.contains(address))
        return cudaSuccess; // given back meanwhile
    }
    Result<std::shared_ptr<SharedPages>> pages = exportPages(address);
    if (!pages) {
      printMessage("sharing device memory: " + pages.error().message);
      return cudaErrorMemoryAllocation;
    }
    std::lock_guard lock(metadata);
    Allocation &allocation = allocations.at(address);
    list->add(address, {allocation.size, *pages});
    allocation.list = std::move(list);
    return cudaSuccess;
  });
}

cudaError_t Context::importPages(std::shared_ptr<SharedPages> pages, uint64_t size,
                                 uint64_t &address) {
  return work.withDevice([&] {
    Result<uint64_t> base = driver->memImport(size, *pages);
    if (!base)
      return cudaErrorMapBufferObjectFailed;
    address = *base;
    if (exports)
      exports->add(address, {size, pages});
    std::lock_guard lock(metadata);
    allocations[address] = {size, std::move(pages), nullptr, true};
    return cudaSuccess;
  });
}

cudaError_t Context::closeImport(uint64_t address) {
  work.waitForAll();
  return work.withDevice([&] {
    std::shared_ptr<SharedPages> pages;
    {
      std::lock_guard lock(metadata);
      auto it = allocations.find(address);
      if (it == allocations.end() || !it->second.isImported)
        return cudaErrorInvalidValue;
      pages = std::move(it->second.pages);
      allocations.erase(it);
    }
    if (exports)
      exports->remove(address);
    return driver->memFree(address) ? cudaSuccess : cudaErrorUnmapBufferObjectFailed;
  });
}

cudaError_t Context::enablePeer(Context &peer) {
  if (!sharesMemory() || !peer.sharesMemory())
    return cudaErrorPeerAccessUnsupported;
  if (peers.isEnabled(peer.id()))
    return cudaErrorPeerAccessAlreadyEnabled;
  std::shared_ptr<ExportList> list;
  Result<void> done = peer.work.withDevice([&]() -> Result<void> {
    if (!peer.exports)
      peer.exports = std::make_shared<ExportList>();
    list = peer.exports;
    std::vector<uint64_t> bases;
    {
      std::lock_guard lock(peer.metadata);
      for (const auto &[base, allocation] : peer.allocations)
        bases.push_back(base);
    }
    for (uint64_t base : bases)
      if (Result<std::shared_ptr<SharedPages>> pages = peer.exportPages(base); !pages)
        return pages.error();
    return {};
  });
  if (!done) {
    printMessage("peer access: " + done.error().message);
    return cudaErrorMemoryAllocation;
  }
  return peers.enable(peer.id(), std::move(list)) ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t Context::disablePeer(Context &peer) {
  if (!peers.disable(peer.id()))
    return cudaErrorPeerAccessNotEnabled;
  return cudaSuccess;
}

bool Context::isAllocation(uint64_t address) {
  std::lock_guard lock(metadata);
  auto it = allocations.find(address);
  return it != allocations.end() && it->second.isOfProgram();
}

void Context::forgetHostRegion(const HostRegion &region) {
  work.withDevice([&] { hostRegions.forget(region, *driver); });
}

cudaError_t Context::reserveAddresses(uint64_t size, uint64_t &address) {
  Result<uint64_t> base = work.withDevice([&] { return driver->memAlloc(size, 0); });
  if (!base)
    return cudaErrorMemoryAllocation;
  address = *base;
  return cudaSuccess;
}

cudaError_t Context::releaseAddresses(uint64_t address) {
  Result<void> r = work.withDevice([&] { return driver->memFree(address); });
  return r ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Context::setAccess(uint64_t address, uint64_t size, uint8_t access) {
  Result<void> r = work.withDevice([&] { return driver->memProtect(address, size, access); });
  return r ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t Context::replaceMemory(uint64_t address, uint64_t size, SharedPages *pages) {
  Result<void> r = work.withDevice([&] { return driver->memReplace(address, size, pages); });
  return r ? cudaSuccess : cudaErrorNotSupported;
}

void Context::noteRange(uint64_t address, uint64_t size) {
  std::lock_guard lock(metadata);
  notedRanges[address] = size;
}

void Context::forgetRange(uint64_t address) {
  std::lock_guard lock(metadata);
  notedRanges.erase(address);
}

MemInfo Context::memInfo() {
  return work.withDevice([&] { return driver->memInfo(); });
}

std::optional<AddressRange> Context::findDeviceRange(uint64_t address) {
  std::lock_guard lock(metadata);
  if (auto it = allocations.upper_bound(address); it != allocations.begin()) {
    --it;
    AddressRange range{it->first, it->second.size};
    if (!it->second.isKept && range.contains(address, 1))
      return range;
  }
  if (auto it = notedRanges.upper_bound(address); it != notedRanges.begin()) {
    --it;
    AddressRange range{it->first, it->second};
    if (range.contains(address, 1))
      return range;
  }
  for (const auto &[fat, module] : modules)
    for (const sim::ImageSegment &segment : module->segments())
      if (AddressRange range{segment.address, segment.memorySize}; range.contains(address, 1))
        return range;
  return std::nullopt;
}

bool Context::isDeviceRange(uint64_t address, uint64_t size) {
  std::optional<AddressRange> range = findDeviceRange(address);
  return range && range->contains(address, size);
}

cudaError_t Context::read(uint64_t address, std::span<uint8_t> bytes) {
  return driver->copyFromDev(bytes, address) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Context::write(uint64_t address, std::span<const uint8_t> bytes) {
  return driver->copyToDev(address, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Context::fill(uint64_t address, uint8_t value, uint64_t size) {
  return driver->fill(address, value, size) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Context::readAlone(uint64_t address, std::span<uint8_t> bytes) {
  return work.withDevice([&] { return read(address, bytes); });
}

cudaError_t Context::writeAlone(uint64_t address, std::span<const uint8_t> bytes) {
  return work.withDevice([&] { return write(address, bytes); });
}

cudaError_t Context::fillAlone(uint64_t address, uint8_t value, uint64_t size) {
  return work.withDevice([&] { return fill(address, value, size); });
}

} // namespace vx::rt
