// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/DeviceMemory.h"
#include "runtime/core/Messages.h"
#include "runtime/core/Reasons.h"
#include "runtime/memory/CheckedMemory.h"

namespace vx::rt {

void DeviceMemory::endSharing() {
  if (exports)
    exports->clear();
  for (const auto &[address, allocation] : allocations)
    if (allocation.list)
      allocation.list->remove(address);
}

cudaError_t DeviceMemory::allocate(uint64_t size, uint64_t &address) {
  return withDevice([&] {
    Result<uint64_t> base = device().memAlloc(size, kMemRead | kMemWrite);
    if (!base)
      return cudaErrorMemoryAllocation;
    address = *base;
    noteAllocation(device(), address, size);
    {
      std::lock_guard lock(mutex);
      allocations.emplace(address, Allocation{size});
    }
    if (exports && !exportPages(address)) {
      (void)device().memFree(address);
      std::lock_guard lock(mutex);
      allocations.erase(address);
      return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
  });
}

cudaError_t DeviceMemory::release(uint64_t address) {
  if (!forget(address))
    return cudaErrorInvalidValue;
  return withDevice([&] { return giveBack(address); });
}

bool DeviceMemory::forget(uint64_t address) {
  std::lock_guard lock(mutex);
  auto it = allocations.find(address);
  if (it == allocations.end() || !it->second.isOfProgram())
    return false;
  it->second.isKept = true;
  return true;
}

void DeviceMemory::noteWrongFree(uint64_t address, const char *call) {
  if (!state.isChecked())
    return;
  withDevice([&] { vx::rt::noteWrongFree(device(), address, call); });
  markReported(cudaErrorInvalidValue);
}

void DeviceMemory::remember(uint64_t address) {
  std::lock_guard lock(mutex);
  if (auto it = allocations.find(address); it != allocations.end())
    it->second.isKept = false;
}

cudaError_t DeviceMemory::giveBack(uint64_t address) {
  Allocation allocation; // its pages are used until the device no longer has them
  {
    std::lock_guard lock(mutex);
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
  noteFree(device(), address);
  return device().memFree(address) ? cudaSuccess : cudaErrorInvalidValue;
}

/// With the device held: moves the allocation at ADDRESS to pages that others can have, unless it
/// is there already, and enters it in `exports`.
Result<std::shared_ptr<SharedPages>> DeviceMemory::exportPages(uint64_t address) {
  Allocation allocation;
  {
    std::lock_guard lock(mutex);
    auto it = allocations.find(address);
    if (it == allocations.end())
      return Failure{"there is no allocation at this address"};
    allocation = it->second;
  }
  if (!allocation.pages) {
    Result<std::shared_ptr<SharedPages>> pages = SharedPages::create(allocation.size);
    if (!pages)
      return pages.error();
    if (Result<void> r = device().memExport(address, allocation.size, **pages); !r)
      return r.error();
    allocation.pages = *pages;
    noteSharedMemory(device(), address, allocation.size);
    std::lock_guard lock(mutex);
    allocations[address].pages = *pages;
  }
  if (exports)
    exports->add(address, {allocation.size, allocation.pages});
  return allocation.pages;
}

std::shared_ptr<SharedPages> DeviceMemory::sharePages(uint64_t address) {
  Result<std::shared_ptr<SharedPages>> pages = withDevice([&] { return exportPages(address); });
  if (pages)
    return *pages;
  printMessage("sharing device memory: " + pages.error().message);
  return nullptr;
}

cudaError_t DeviceMemory::exportTo(uint64_t address, std::shared_ptr<ExportList> list) {
  return withDevice([&] {
    {
      std::lock_guard lock(mutex);
      if (!allocations.contains(address))
        return cudaSuccess; // given back meanwhile
    }
    Result<std::shared_ptr<SharedPages>> pages = exportPages(address);
    if (!pages) {
      printMessage("sharing device memory: " + pages.error().message);
      return cudaErrorMemoryAllocation;
    }
    std::lock_guard lock(mutex);
    Allocation &allocation = allocations.at(address);
    list->add(address, {allocation.size, *pages});
    allocation.list = std::move(list);
    return cudaSuccess;
  });
}

cudaError_t DeviceMemory::importPages(std::shared_ptr<SharedPages> pages, uint64_t size,
                                      uint64_t &address) {
  return withDevice([&] {
    Result<uint64_t> base = device().memImport(size, *pages);
    if (!base)
      return cudaErrorMapBufferObjectFailed;
    address = *base;
    if (exports)
      exports->add(address, {size, pages});
    std::lock_guard lock(mutex);
    allocations[address] = {size, std::move(pages), nullptr, true};
    return cudaSuccess;
  });
}

cudaError_t DeviceMemory::closeImport(uint64_t address) {
  state.scheduler().waitForAll();
  return withDevice([&] {
    std::shared_ptr<SharedPages> pages;
    {
      std::lock_guard lock(mutex);
      auto it = allocations.find(address);
      if (it == allocations.end() || !it->second.isImported)
        return cudaErrorInvalidValue;
      pages = std::move(it->second.pages);
      allocations.erase(it);
    }
    if (exports)
      exports->remove(address);
    return device().memFree(address) ? cudaSuccess : cudaErrorUnmapBufferObjectFailed;
  });
}

cudaError_t DeviceMemory::enablePeer(DeviceMemory &peer) {
  if (!state.sharesMemory() || !peer.state.sharesMemory())
    return cudaErrorPeerAccessUnsupported;
  if (peers.isEnabled(peer.state.id()))
    return cudaErrorPeerAccessAlreadyEnabled;
  std::shared_ptr<ExportList> list;
  Result<void> done = peer.withDevice([&]() -> Result<void> {
    if (!peer.exports)
      peer.exports = std::make_shared<ExportList>();
    list = peer.exports;
    std::vector<uint64_t> bases;
    {
      std::lock_guard lock(peer.mutex);
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
  return peers.enable(peer.state.id(), std::move(list)) ? cudaSuccess
                                                        : cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t DeviceMemory::disablePeer(DeviceMemory &peer) {
  if (!peers.disable(peer.state.id()))
    return cudaErrorPeerAccessNotEnabled;
  return cudaSuccess;
}

bool DeviceMemory::isAllocation(uint64_t address) {
  std::lock_guard lock(mutex);
  auto it = allocations.find(address);
  return it != allocations.end() && it->second.isOfProgram();
}

void DeviceMemory::forgetHostRegion(const HostRegion &region) {
  withDevice([&] { hostRegions.forget(region, device()); });
}

cudaError_t DeviceMemory::reserveAddresses(uint64_t size, uint64_t &address) {
  Result<uint64_t> base = withDevice([&] { return device().memAlloc(size, 0); });
  if (!base)
    return cudaErrorMemoryAllocation;
  address = *base;
  return cudaSuccess;
}

cudaError_t DeviceMemory::releaseAddresses(uint64_t address) {
  Result<void> r = withDevice([&] { return device().memFree(address); });
  return r ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t DeviceMemory::setAccess(uint64_t address, uint64_t size, uint8_t access) {
  Result<void> r = withDevice([&] { return device().memProtect(address, size, access); });
  return r ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t DeviceMemory::replace(uint64_t address, uint64_t size, SharedPages *pages) {
  Result<void> r = withDevice([&] { return device().memReplace(address, size, pages); });
  return r ? cudaSuccess : cudaErrorNotSupported;
}

void DeviceMemory::noteRange(uint64_t address, uint64_t size) {
  std::lock_guard lock(mutex);
  notedRanges[address] = size;
}

void DeviceMemory::forgetRange(uint64_t address) {
  std::lock_guard lock(mutex);
  notedRanges.erase(address);
}

MemInfo DeviceMemory::info() {
  return withDevice([&] { return device().memInfo(); });
}

Result<void> DeviceMemory::giveToKernel() {
  Result<void> given = hostRegions.giveToDevice(device());
  return given ? peers.update(device()) : given;
}

Result<void> DeviceMemory::takeFromKernel() {
  return hostRegions.takeFromDevice(device());
}

std::optional<AddressRange> DeviceMemory::findRange(uint64_t address) {
  std::lock_guard lock(mutex);
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
  return std::nullopt;
}

cudaError_t DeviceMemory::read(uint64_t address, std::span<uint8_t> bytes) {
  return device().copyFromDev(bytes, address) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t DeviceMemory::write(uint64_t address, std::span<const uint8_t> bytes) {
  return device().copyToDev(address, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t DeviceMemory::fill(uint64_t address, uint8_t value, uint64_t size) {
  return device().fill(address, value, size) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t DeviceMemory::readAlone(uint64_t address, std::span<uint8_t> bytes) {
  return withDevice([&] { return read(address, bytes); });
}

cudaError_t DeviceMemory::writeAlone(uint64_t address, std::span<const uint8_t> bytes) {
  return withDevice([&] { return write(address, bytes); });
}

cudaError_t DeviceMemory::fillAlone(uint64_t address, uint8_t value, uint64_t size) {
  return withDevice([&] { return fill(address, value, size); });
}

} // namespace vx::rt
