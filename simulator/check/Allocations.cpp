// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/Allocations.h"
#include "simulator/check/Text.h"
#include "simulator/loader/CodeMap.h"

namespace vx::sim {

namespace {

/// The farthest that a region may be from an address and still explain it.
constexpr uint64_t kNear = 1 << 20;

/// Bytes from ADDRESS to REGION; 0: inside.
uint64_t distance(const Region &region, uint64_t address) {
  if (region.contains(address))
    return 0;
  return address < region.address ? region.address - address
                                  : address - (region.address + region.size) + 1;
}

} // namespace

void addStack(std::vector<std::string> &notes, const std::string &head, const HostStack &stack) {
  std::vector<std::string> frames = stack ? stack() : std::vector<std::string>();
  if (frames.empty())
    return;
  notes.push_back(head);
  for (const std::string &frame : frames)
    notes.push_back("    " + frame);
}

void Allocations::add(Region region) {
  uint64_t address = region.address;
  // What was freed there is forgotten; one that begins before may reach into it.
  for (auto it = dead.lower_bound(address); it != dead.end() && region.contains(it->first);)
    it = dead.erase(it);
  if (auto it = dead.upper_bound(address); it != dead.begin())
    if (--it; it->second.contains(address))
      dead.erase(it);
  live[address] = std::move(region);
}

Region *Allocations::free(uint64_t address, HostStack stack, std::string end) {
  auto it = live.find(address);
  if (it == live.end())
    return nullptr;
  Region &region = dead[address] = std::move(it->second);
  live.erase(it);
  region.isFreed = true;
  region.freed = std::move(stack);
  region.end = std::move(end);
  return &region;
}

const Region *Allocations::at(uint64_t address) const {
  if (auto it = live.find(address); it != live.end())
    return &it->second;
  auto it = dead.find(address);
  return it == dead.end() ? nullptr : &it->second;
}

void Allocations::forget(uint64_t address, uint64_t size) {
  for (Regions *regions : {&live, &dead})
    std::erase_if(*regions, [&](const auto &entry) { return entry.first - address < size; });
}

void Allocations::addVariables(const ElfImage &image, uint64_t slide) {
  for (const auto &[name, symbol] : image.symbols())
    if (!symbol.isFunction && symbol.size && !name.starts_with("__vx"))
      variables[symbol.address + slide] = {symbol.address + slide,
                                           symbol.size,
                                           "variable `" + readableName(name) + "`",
                                           {},
                                           {},
                                           nullptr,
                                           nullptr};
}

/// Returns that of REGIONS and BEST which is nearest to ADDRESS.
const Region *Allocations::closer(const Regions &regions, uint64_t address, const Region *best) {
  auto consider = [&](const Region &region) {
    uint64_t away = distance(region, address);
    if (away < kNear && (!best || away < distance(*best, address)))
      best = &region;
  };
  auto after = regions.upper_bound(address);
  if (after != regions.end())
    consider(after->second);
  if (after != regions.begin())
    consider(std::prev(after)->second);
  return best;
}

const Region *Allocations::nearest(uint64_t address) const {
  const Region *best = closer(live, address, nullptr);
  best = closer(variables, address, best);
  return closer(dead, address, best);
}

bool Allocations::isNear(uint64_t address, uint64_t most) const {
  const Region *region = closer(live, address, nullptr);
  return region && distance(*region, address) <= most;
}

std::vector<std::string> Allocations::describe(uint64_t address, uint64_t size) const {
  const Region *region = nearest(address);
  if (!region)
    return {};
  std::string whole =
      region->what + ", " + bytesText(region->size) + " at " + hexText(region->address);
  std::string where;
  if (uint64_t offset = address - region->address; region->contains(address)) {
    where = bytesText(offset) + " into " + whole;
    if (offset + size > region->size)
      where = bytesText(offset + size - region->size) + " of it are past the end of " + whole;
  } else if (address < region->address) {
    where = bytesText(region->address - address) + " before " + whole;
  } else {
    where = bytesText(address - region->address - region->size) + " past the end of " + whole;
  }
  std::vector<std::string> notes = {where + (region->isFreed ? ", which has been freed" : "")};
  if (!region->origin.empty())
    notes.push_back("allocated " + region->origin);
  addStack(notes, "allocated by", region->made);
  if (!region->end.empty())
    notes.push_back("freed " + region->end);
  addStack(notes, "freed by", region->freed);
  return notes;
}

} // namespace vx::sim
