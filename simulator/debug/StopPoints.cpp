// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/StopPoints.h"
#include <algorithm>

namespace vx::sim {

void StopPoints::insertBreakpoint(uint64_t address, std::vector<std::string> conditions,
                                  uint64_t thread) {
  auto [it, isNew] = breakpoints.try_emplace(address);
  if (isNew)
    it->second.thread = thread;
  it->second.conditions = std::move(conditions);
  it->second.isInserted = true;
}

void StopPoints::removeBreakpoint(uint64_t address) {
  if (auto it = breakpoints.find(address); it != breakpoints.end())
    it->second.isInserted = false;
}

void StopPoints::insertWatchpoint(const Watchpoint &point) {
  if (std::find(watchpoints.begin(), watchpoints.end(), point) == watchpoints.end())
    watchpoints.push_back(point);
}

void StopPoints::removeWatchpoint(const Watchpoint &point) {
  std::erase(watchpoints, point);
}

void StopPoints::clear() {
  breakpoints.clear();
  watchpoints.clear();
}

void StopPoints::forgetRemoved() {
  std::erase_if(breakpoints, [](const auto &entry) { return !entry.second.isInserted; });
}

const Watchpoint *StopPoints::watchpointFor(uint64_t address, unsigned size, bool reads,
                                            bool writes) const {
  for (const Watchpoint &point : watchpoints) {
    bool overlaps = point.address - address < size || address - point.address < point.size;
    bool isMeant = point.kind == WatchKind::Access || (point.kind == WatchKind::Read && reads) ||
                   (point.kind == WatchKind::Write && writes);
    if (overlaps && isMeant)
      return &point;
  }
  return nullptr;
}

} // namespace vx::sim
