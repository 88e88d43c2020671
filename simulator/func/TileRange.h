// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of a core's threads, counted as warp * lanes + lane, and the groups that are in one.

#ifndef VX_SIMULATOR_FUNC_TILERANGE_H
#define VX_SIMULATOR_FUNC_TILERANGE_H

#include "simulator/func/ArchState.h"
#include <algorithm>

namespace vx::sim {

/// The threads that a group mask is about, and those of one of its bits.
inline constexpr uint32_t kSpan = 32, kCell = 4;

/// Threads [first, first + count) of a core; aligned, a power of two.
struct ThreadRange {
  uint32_t first, count;

  uint32_t end() const { return first + count; }
  bool intersects(ThreadRange other) const { return first < other.end() && other.first < end(); }
  bool contains(ThreadRange other) const { return first <= other.first && other.end() <= end(); }
};

inline uint32_t alignDown(uint32_t value, uint32_t to) {
  return value / to * to;
}

/// The threads of WARP.
inline ThreadRange rangeOf(const Warp &warp) {
  return {warp.base, warp.size};
}

/// The group of SIZE threads that holds THREAD.
inline ThreadRange groupOf(uint32_t thread, uint32_t size) {
  return {alignDown(thread, size), size};
}

/// Returns true if bit 7-i of a group mask is set for the group that starts at THREAD.
inline bool isNamed(uint32_t mask, uint32_t thread) {
  return mask >> (7 - thread % kSpan / kCell) & 1;
}

inline uint32_t threadsOf(const Core &core) {
  return core.hardwareWarps * core.lanes;
}

/// COUNT ones.
inline uint64_t lowBits(uint32_t count) {
  return (uint64_t(1) << count) - 1;
}

/// Calls visit(warp) for every slot in use that has threads of RANGE.
template <typename CoreT, typename F> void forGroups(CoreT &core, ThreadRange range, F visit) {
  uint32_t lanes = core.lanes;
  uint32_t firstWarp = range.first / lanes, endWarp = (range.end() + lanes - 1) / lanes;
  // A merged group that reaches into the range may have its slot before it, but in the same span.
  firstWarp = std::min(firstWarp, alignDown(range.first, kSpan) / lanes);
  auto visitSlots = [&](uint32_t first, uint32_t end) {
    for (uint32_t slot = first; slot < end && slot < core.warps.size(); ++slot)
      if (core.warps[slot].size && rangeOf(core.warps[slot]).intersects(range))
        visit(core.warps[slot]);
  };
  visitSlots(firstWarp, std::min(endWarp, core.hardwareWarps));
  if (lanes > kCell) {
    uint32_t inside = lanes / kCell - 1;
    visitSlots(core.hardwareWarps + firstWarp * inside, core.hardwareWarps + endWarp * inside);
  }
}

/// The 32 threads that WARP is among.
inline ThreadRange spanOf(const Warp &warp) {
  return groupOf(warp.base, kSpan);
}

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_TILERANGE_H
