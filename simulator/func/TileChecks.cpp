// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of vx_tile, and groups in words.

#include "intrinsics/text/Hex.h"
#include "simulator/func/TileGroups.h"
#include "simulator/func/TileRange.h"
#include <bit>

namespace vx::sim {

namespace {

/// The bits that may start groups of SIZE threads.
uint32_t groupStarts(uint32_t size) {
  uint32_t starts = 0;
  for (uint32_t thread = 0; thread < kSpan; thread += size)
    starts |= 0x80u >> thread / kCell;
  return starts;
}

/// Returns true if two groups that want to become part of other groups wait for each other for
/// ever.
bool excludeEachOther(const Warp &waiting, uint32_t mask, uint32_t size, const Warp &warp) {
  if (waiting.tileMask == mask && waiting.tileSize == size)
    return false;
  return groupOf(waiting.base, waiting.tileSize).contains(rangeOf(warp)) &&
         groupOf(warp.base, size).contains(rangeOf(waiting));
}

/// Returns what is wrong with the operands alone.
std::string checkOperands(const Core &core, uint64_t mask, uint64_t size) {
  if (size != 4 && size != 8 && size != 16 && size != 32)
    return "the group size is " + std::to_string(size) + "; it must be 4, 8, 16 or 32";
  uint32_t starts = groupStarts(uint32_t(size));
  if (mask == 0)
    return "the group mask names no group";
  if (mask & ~uint64_t(starts))
    return "the group mask " + hexText(mask) + " has bits where no group of " +
           std::to_string(size) + " starts; those are " + hexText(starts);
  if (!std::has_single_bit(core.lanes))
    return "warps of " + std::to_string(core.lanes) +
           " lanes cannot be regrouped; the lanes must be a power of two";
  return {};
}

/// Returns what is wrong with the others of the GROUP that WARP wants to be part of.
std::string checkMembers(const Core &core, const Warp &warp, ThreadRange group, uint32_t mask,
                         uint64_t pc) {
  uint32_t threads = threadsOf(core);
  if (group.end() > threads)
    return "a group of " + std::to_string(group.count) + " from thread " +
           std::to_string(group.first) + " does not exist: the core has " +
           std::to_string(threads) + " threads";
  std::string error;
  forGroups(core, group, [&](const Warp &other) {
    if (&other == &warp || !error.empty())
      return;
    std::string who = describeGroup(core, other);
    if (other.state == WarpState::Idle && !other.empty)
      error = who + " of the new group is not running";
    else if (other.state != WarpState::AtTile)
      return;
    else if (excludeEachOther(other, mask, group.count, warp))
      error = who + " waits at a vx_tile with other operands: " +
              describeTile(other.tileMask, other.tileSize) + ", here " +
              describeTile(mask, group.count);
    else if (other.tileSize == group.count && other.tileMask == mask && other.pc != pc + 4)
      error = who + " of the new group waits at another vx_tile, at " + hexText(other.pc - 4);
  });
  return error;
}

} // namespace

std::string checkTile(const Core &core, const Warp &warp, uint64_t mask, uint64_t size,
                      uint64_t pc) {
  std::string error = checkOperands(core, mask, size);
  if (!error.empty())
    return error;
  if (!warp.ipdom.empty())
    return "vx_tile inside " + std::to_string(warp.ipdom.size()) + " open split(s)";
  if (warp.paths && !warp.paths->others.empty())
    return "vx_tile while other lanes of the warp are at other instructions";
  ThreadRange group = groupOf(warp.base, uint32_t(size));
  if (size >= warp.size && isNamed(uint32_t(mask), group.first))
    return checkMembers(core, warp, group, uint32_t(mask), pc);
  return {};
}

std::string describeGroup(const Core &core, const Warp &warp) {
  if (warp.size == core.lanes)
    return "warp " + std::to_string(warp.id);
  return "group of " + std::to_string(warp.size) + " threads from warp " + std::to_string(warp.id) +
         ", lane " + std::to_string(warp.base % core.lanes);
}

std::string describeTile(uint64_t mask, uint64_t size) {
  return "mask " + hexText(mask) + ", size " + std::to_string(size);
}

} // namespace vx::sim
