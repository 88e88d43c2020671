// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Allocator.h"
#include <algorithm>

namespace vx::rt {

Allocator::Allocator(std::span<const AddressRange> arenas, uint64_t capacity, uint64_t gap)
    : capacityBytes(capacity), gapBytes(std::max(kPage, roundToPages(gap))),
      arenas(arenas.begin(), arenas.end()) {
  for (const AddressRange &arena : arenas) {
    uint64_t base = roundToPages(arena.base) + gapBytes, end = arena.base + arena.size;
    if (base < end && end - base >= kPage)
      unused.emplace(base, (end - base) & ~(kPage - 1));
  }
}

std::optional<uint64_t> Allocator::allocate(uint64_t size, bool neverUsed) {
  if (neverUsed)
    if (std::optional<uint64_t> base = allocateFrom(usedEnd, size))
      return base;
  return allocateFrom(0, size);
}

/// Returns the first fit at or after LOWEST.
std::optional<uint64_t> Allocator::allocateFrom(uint64_t lowest, uint64_t size) {
  // Sizes near 2^64 would wrap when rounded; nothing above the capacity can fit anyway.
  if (size == 0 || size > capacityBytes)
    return std::nullopt;
  uint64_t pages = roundToPages(size);
  if (pages > capacityBytes - usedBytes)
    return std::nullopt;
  uint64_t needed = pages + gapBytes;
  for (auto it = unused.begin(); it != unused.end(); ++it) {
    auto [first, length] = *it;
    uint64_t base = std::max(first, lowest), end = first + length;
    if (base >= end || end - base < needed)
      continue;
    unused.erase(it);
    if (base > first)
      unused.emplace(first, base - first);
    if (base + needed < end)
      unused.emplace(base + needed, end - base - needed);
    live.emplace(base, size);
    usedBytes += pages;
    usedEnd = std::max(usedEnd, base + needed);
    return base;
  }
  return std::nullopt;
}

std::optional<uint64_t> Allocator::release(uint64_t base) {
  auto it = live.find(base);
  if (it == live.end())
    return std::nullopt;
  uint64_t size = it->second;
  live.erase(it);
  usedBytes -= roundToPages(size);
  addFree(base, roundToPages(size) + gapBytes);
  return size;
}

bool Allocator::claim(uint64_t address, uint64_t size) {
  uint64_t first = address & ~(kPage - 1), end = roundToPages(address + size);
  std::vector<AddressRange> parts;
  for (const AddressRange &arena : arenas) {
    uint64_t from = std::max(first, arena.base), to = std::min(end, arena.base + arena.size);
    if (from < to)
      parts.push_back({from, to - from});
  }
  if (parts.empty())
    return true;
  // A part that is not all unused is in use; the gap before the first allocation belongs to none.
  auto holder = [&](const AddressRange &part) {
    return std::find_if(unused.begin(), unused.end(), [&](const auto &entry) {
      return AddressRange{entry.first, entry.second}.contains(part.base, part.size);
    });
  };
  for (const AddressRange &part : parts)
    if (holder(part) == unused.end())
      return false;
  for (const AddressRange &part : parts) {
    auto it = holder(part);
    auto [base, length] = *it;
    unused.erase(it);
    if (part.base > base)
      unused.emplace(base, part.base - base);
    if (uint64_t rest = base + length - (part.base + part.size))
      unused.emplace(part.base + part.size, rest);
  }
  claims.emplace(address, std::move(parts));
  return true;
}

void Allocator::unclaim(uint64_t address) {
  auto it = claims.find(address);
  if (it == claims.end())
    return;
  for (const AddressRange &part : it->second)
    addFree(part.base, part.size);
  claims.erase(it);
}

void Allocator::addFree(uint64_t base, uint64_t size) {
  auto next = unused.lower_bound(base);
  if (next != unused.end() && base + size == next->first) {
    size += next->second;
    next = unused.erase(next);
  }
  if (next != unused.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == base) {
      previous->second += size;
      return;
    }
  }
  unused.emplace(base, size);
}

std::optional<AddressRange> Allocator::find(uint64_t address) const {
  auto it = live.upper_bound(address);
  if (it == live.begin())
    return std::nullopt;
  --it;
  AddressRange range{it->first, it->second};
  if (!range.contains(address, 1))
    return std::nullopt;
  return range;
}

} // namespace vx::rt
