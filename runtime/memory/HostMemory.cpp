// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/HostMemory.h"
#include "driver_types.h"
#include "runtime/core/Device.h"
#include "runtime/memory/CheckedMemory.h"
#include <cstring>
#include <sys/mman.h>

namespace vx::rt {

HostMemory &HostMemory::get() {
  static HostMemory *memory = new HostMemory; // as long as the process
  return *memory;
}

/// Pages whose addresses have 32 bits and are no code's of a device; from the top down, because
/// devices allocate from the bottom up.
static void *mapLow(size_t size) {
  constexpr uintptr_t kTop = 0x7ff00000, kBottom = 0x10000000, kStep = 0x100000;
  if (size > kTop - kBottom)
    return MAP_FAILED;
  for (uintptr_t at = (kTop - size) & ~(kStep - 1); at >= kBottom; at -= kStep) {
    void *base = mmap(reinterpret_cast<void *>(at), size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (base == reinterpret_cast<void *>(at))
      return base;
    if (base != MAP_FAILED) // a kernel that does not know the flag
      munmap(base, size);
  }
  return MAP_FAILED;
}

void *HostMemory::allocate(HostRegion region, unsigned bits) {
  void *base = bits < 64 ? mapLow(region.size)
                         : mmap(nullptr, region.size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  region.base = reinterpret_cast<uintptr_t>(base);
  std::lock_guard lock(mutex);
  insert(region);
  return base;
}

void HostMemory::insert(HostRegion region) {
  region.serial = nextSerial++;
  regions.emplace(region.base, region);
  ++changes;
}

bool HostMemory::add(HostRegion region) {
  uintptr_t begin = region.base;
  std::lock_guard lock(mutex);
  auto next = regions.lower_bound(begin);
  if (next != regions.end() && next->first - begin < region.size)
    return false;
  if (next != regions.begin()) {
    const HostRegion &previous = std::prev(next)->second;
    if (begin - previous.base < previous.size)
      return false;
  }
  insert(region);
  return true;
}

std::optional<HostRegion> HostMemory::take(void *base, unsigned kinds) {
  std::lock_guard lock(mutex);
  auto it = regions.find(reinterpret_cast<uintptr_t>(base));
  if (it == regions.end() || !(kinds & 1u << unsigned(it->second.kind)))
    return std::nullopt;
  HostRegion region = it->second;
  regions.erase(it);
  ++changes;
  return region;
}

std::vector<HostRegion> HostMemory::takeOwnedBy(uint64_t owner) {
  std::lock_guard lock(mutex);
  std::vector<HostRegion> taken;
  std::erase_if(regions, [&](const auto &entry) {
    if (entry.second.owner != owner)
      return false;
    taken.push_back(entry.second);
    return true;
  });
  ++changes;
  return taken;
}

void HostMemory::release(const HostRegion &region) {
  if (region.kind != HostRegionKind::Registered)
    munmap(reinterpret_cast<void *>(region.base), region.size);
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

void HostMemory::forEach(const std::function<void(const HostRegion &)> &visit) const {
  std::lock_guard lock(mutex);
  for (const auto &[base, region] : regions)
    visit(region);
}

void HostMemory::forEachOwnedBy(uint64_t owner,
                                const std::function<void(const HostRegion &)> &visit) const {
  std::lock_guard lock(mutex);
  for (const auto &[base, region] : regions)
    if (region.owner == owner)
      visit(region);
}

/// Makes REGION known to the device. One that cannot be shared, because device memory is in the
/// way, is mirrored.
static Result<bool> mapRegion(const HostRegion &region, Device &device) {
  bool isReadOnly =
      region.kind == HostRegionKind::Registered && (region.flags & cudaHostRegisterReadOnly);
  uint8_t access = isReadOnly ? kMemRead : kMemRead | kMemWrite;
  if (device.caps(Cap::SharesMemory) && device.memShare(region.base, region.size, access))
    return true;
  if (Result<void> r = device.memReserve(region.base, region.size, access); !r)
    return r.error();
  return false;
}

/// Maps what has become known since the last time.
Result<void> HostMappings::update(Device &device) {
  uint64_t version = HostMemory::get().version();
  if (version == seenVersion)
    return {};
  Result<void> done;
  unsigned bits = unsigned(device.caps(Cap::Xlen));
  HostMemory::get().forEach([&](const HostRegion &region) {
    if (!HostMemory::canReach(region, bits))
      return; // no kernel can have its address
    auto it = mappings.find(region.base);
    if (it != mappings.end() && it->second.serial == region.serial)
      return;
    if (it != mappings.end()) {
      noteFree(device, region.base);
      (void)device.memFree(region.base);
      mappings.erase(it);
    }
    Result<bool> shared = mapRegion(region, device);
    if (!shared) {
      done = shared.error();
      return;
    }
    mappings[region.base] = {region.size, region.serial, *shared, {}};
    noteHostMemory(device, region);
  });
  anyMirrored = false;
  for (const auto &[base, mapping] : mappings)
    anyMirrored |= !mapping.shared;
  if (done)
    seenVersion = version;
  return done;
}

Result<void> HostMappings::giveToDevice(Device &device) {
  if (Result<void> r = update(device); !r)
    return r;
  if (!anyMirrored)
    return {};
  for (auto &[base, mapping] : mappings) {
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(base);
    if (mapping.shared || (!mapping.onDevice.empty() &&
                           std::memcmp(mapping.onDevice.data(), bytes, mapping.size) == 0))
      continue;
    mapping.onDevice.assign(bytes, bytes + mapping.size);
    if (Result<void> r = device.copyToDev(base, mapping.onDevice); !r)
      return r;
  }
  return {};
}

/// Of page-locked memory the host may use one part while a kernel uses another: only what the
/// kernel has changed comes back.
Result<void> HostMappings::takeFromDevice(Device &device) {
  if (!anyMirrored)
    return {};
  std::vector<uint8_t> now;
  for (auto &[base, mapping] : mappings) {
    if (mapping.shared)
      continue;
    now.resize(mapping.size);
    if (Result<void> r = device.copyFromDev(now, base); !r)
      return r;
    uint8_t *bytes = reinterpret_cast<uint8_t *>(base);
    for (size_t i = 0; i < mapping.size; ++i)
      if (now[i] != mapping.onDevice[i])
        bytes[i] = now[i];
    mapping.onDevice.swap(now);
  }
  return {};
}

void HostMappings::forget(const HostRegion &region, Device &device) {
  auto it = mappings.find(region.base);
  if (it == mappings.end() || it->second.serial != region.serial)
    return;
  noteFree(device, region.base);
  (void)device.memFree(region.base); // nothing is lost when the device had none
  mappings.erase(it);
}

} // namespace vx::rt
