// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/HostMemory.h"
#include "driver_types.h"
#include "runtime/core/Driver.h"
#include <sys/mman.h>

namespace vx::rt {

HostMemory::~HostMemory() {
  for (auto &[base, region] : regions)
    if (region.kind != HostRegionKind::Registered)
      munmap(reinterpret_cast<void *>(base), region.size);
}

void *HostMemory::allocate(size_t size, HostRegionKind kind, unsigned flags) {
  void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  HostRegion region{kind, reinterpret_cast<uintptr_t>(base), size, flags};
  region.mapped = kind == HostRegionKind::Managed;
  std::lock_guard lock(mutex);
  regions.emplace(region.base, region);
  return base;
}

bool HostMemory::add(void *base, size_t size, unsigned flags) {
  uintptr_t begin = reinterpret_cast<uintptr_t>(base);
  std::lock_guard lock(mutex);
  auto next = regions.lower_bound(begin);
  if (next != regions.end() && next->first - begin < size)
    return false;
  if (next != regions.begin()) {
    const HostRegion &previous = std::prev(next)->second;
    if (begin - previous.base < previous.size)
      return false;
  }
  regions.emplace(begin, HostRegion{HostRegionKind::Registered, begin, size, flags});
  return true;
}

bool HostMemory::remove(void *base, unsigned kinds, Device &device) {
  std::lock_guard lock(mutex);
  auto it = regions.find(reinterpret_cast<uintptr_t>(base));
  if (it == regions.end() || !(kinds & 1u << unsigned(it->second.kind)))
    return false;
  const HostRegion &region = it->second;
  if (region.onDevice)
    (void)device.memFree(region.base); // nothing is lost when the device had none
  if (region.kind != HostRegionKind::Registered)
    munmap(base, region.size);
  regions.erase(it);
  return true;
}

HostRegion *HostMemory::locate(const void *address) {
  uintptr_t a = reinterpret_cast<uintptr_t>(address);
  auto it = regions.upper_bound(a);
  if (it == regions.begin())
    return nullptr;
  --it;
  return a - it->second.base < it->second.size ? &it->second : nullptr;
}

std::optional<HostRegion> HostMemory::find(const void *address) const {
  std::lock_guard lock(mutex);
  const HostRegion *region = const_cast<HostMemory *>(this)->locate(address);
  return region ? std::optional(*region) : std::nullopt;
}

bool HostMemory::mapToDevice(const void *address) {
  std::lock_guard lock(mutex);
  HostRegion *region = locate(address);
  if (region)
    region->mapped = true;
  return region != nullptr;
}

bool HostMemory::empty() const {
  std::lock_guard lock(mutex);
  return regions.empty();
}

/// Makes REGION known to the device. One that cannot be shared, because device memory is in the
/// way, is mirrored.
static Result<void> mapRegion(HostRegion &region, Device &device) {
  bool isReadOnly =
      region.kind == HostRegionKind::Registered && (region.flags & cudaHostRegisterReadOnly);
  uint8_t access = isReadOnly ? kMemRead : kMemRead | kMemWrite;
  region.shared =
      device.caps(Cap::SharesMemory) && device.memShare(region.base, region.size, access);
  if (!region.shared)
    if (Result<void> r = device.memReserve(region.base, region.size, access); !r)
      return r;
  region.onDevice = true;
  return {};
}

Result<void> HostMemory::giveToDevice(Device &device) {
  std::lock_guard lock(mutex);
  for (auto &[base, region] : regions) {
    if (!region.mapped)
      continue;
    if (!region.onDevice)
      if (Result<void> r = mapRegion(region, device); !r)
        return r;
    if (region.shared)
      continue;
    std::span bytes(reinterpret_cast<const uint8_t *>(base), region.size);
    if (Result<void> r = device.copyToDev(base, bytes); !r)
      return r;
  }
  return {};
}

Result<void> HostMemory::takeFromDevice(Device &device) {
  std::lock_guard lock(mutex);
  for (auto &[base, region] : regions) {
    if (!region.onDevice || region.shared)
      continue;
    std::span bytes(reinterpret_cast<uint8_t *>(base), region.size);
    if (Result<void> r = device.copyFromDev(bytes, base); !r)
      return r;
  }
  return {};
}

} // namespace vx::rt
