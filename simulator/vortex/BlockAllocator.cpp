// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/vortex/BlockAllocator.h"
#include <algorithm>
#include <iterator>
#include <tuple>

namespace vx::sim {

/// SIZE in whole units; 0 if that wraps.
static uint64_t roundUp(uint64_t size, uint64_t unit) {
  return (size + unit - 1) & ~(unit - 1);
}

std::optional<uint64_t> BlockAllocator::bestFit(const Page &page, uint64_t size) {
  auto best = page.unused.end();
  auto rank = [](const Unused &block) { return std::tuple(block.size, block.since); };
  for (auto it = page.unused.begin(); it != page.unused.end(); ++it)
    if (it->second.size >= size &&
        (best == page.unused.end() || rank(it->second) < rank(best->second)))
      best = it;
  if (best == page.unused.end())
    return std::nullopt;
  return best->first;
}

uint64_t BlockAllocator::take(Page &page, uint64_t address, uint64_t size) {
  uint64_t rest = page.unused.at(address).size - size;
  page.unused.erase(address);
  if (rest)
    page.unused[address + size] = {rest, ++clock};
  page.used[address] = size;
  usedBytes += size;
  return address;
}

/// The first place between pages where SIZE bytes fit.
std::optional<uint64_t> BlockAllocator::findGap(uint64_t size) const {
  uint64_t place = base;
  for (const auto &[address, page] : pages) {
    if (address >= place && address - place >= size)
      return place;
    place = std::max(place, address + page.size);
  }
  if (place > end || end - place < size)
    return std::nullopt;
  return place;
}

bool BlockAllocator::overlapsPage(uint64_t address, uint64_t size) const {
  auto next = pages.lower_bound(address);
  if (next != pages.end() && next->first - address < size)
    return true;
  if (next == pages.begin())
    return false;
  auto before = std::prev(next);
  return address - before->first < before->second.size;
}

std::optional<uint64_t> BlockAllocator::allocate(uint64_t size) {
  if (size == 0 || size > end - base)
    return std::nullopt;
  size = roundUp(size, kBlock);
  for (auto &[address, page] : pages)
    if (std::optional<uint64_t> place = bestFit(page, size))
      return take(page, *place, size);
  uint64_t pageSize = roundUp(size, kPage);
  std::optional<uint64_t> place = findGap(pageSize);
  if (!place)
    return std::nullopt;
  Page &page = pages[*place];
  page.size = pageSize;
  page.unused[*place] = {pageSize, ++clock};
  return take(page, *place, size);
}

bool BlockAllocator::reserve(uint64_t address, uint64_t size) {
  if (size == 0 || address >= end || size > end - address)
    return false;
  size = roundUp(size, kPage);
  if (overlapsPage(address, size))
    return false;
  Page &page = pages[address];
  page.size = size;
  page.used[address] = size;
  usedBytes += size;
  return true;
}

bool BlockAllocator::release(uint64_t address) {
  auto place = pages.upper_bound(address);
  if (place == pages.begin())
    return false;
  Page &page = (--place)->second;
  auto found = page.used.find(address);
  if (found == page.used.end())
    return false;
  uint64_t size = found->second;
  page.used.erase(found);
  usedBytes -= size;
  if (page.used.empty()) {
    pages.erase(place);
    return true;
  }
  auto next = page.unused.lower_bound(address);
  if (next != page.unused.end() && next->first == address + size) {
    size += next->second.size;
    next = page.unused.erase(next);
  }
  if (next != page.unused.begin())
    if (auto before = std::prev(next); before->first + before->second.size == address) {
      address = before->first;
      size += before->second.size;
      page.unused.erase(before);
    }
  page.unused[address] = {size, ++clock};
  return true;
}

} // namespace vx::sim
