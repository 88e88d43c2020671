// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory part of Context.

#include "runtime/core/Context.h"

namespace vx::rt {

cudaError_t Context::allocate(uint64_t size, uint64_t &address) {
  Result<uint64_t> base =
      work.withDevice([&] { return driver->memAlloc(size, kMemRead | kMemWrite); });
  if (!base)
    return cudaErrorMemoryAllocation;
  address = *base;
  std::lock_guard lock(metadata);
  allocations.emplace(address, size);
  return cudaSuccess;
}

cudaError_t Context::release(uint64_t address) {
  if (!forget(address))
    return cudaErrorInvalidValue;
  return work.withDevice([&] { return giveBack(address); });
}

bool Context::forget(uint64_t address) {
  std::lock_guard lock(metadata);
  return allocations.erase(address) != 0;
}

void Context::remember(uint64_t address, uint64_t size) {
  std::lock_guard lock(metadata);
  allocations.emplace(address, size);
}

cudaError_t Context::giveBack(uint64_t address) {
  return driver->memFree(address) ? cudaSuccess : cudaErrorInvalidValue;
}

bool Context::isAllocation(uint64_t address) {
  std::lock_guard lock(metadata);
  return allocations.contains(address);
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
  for (const std::map<uint64_t, uint64_t> *ranges : {&allocations, &notedRanges}) {
    auto it = ranges->upper_bound(address);
    if (it == ranges->begin())
      continue;
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
