// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/TileGroups.h"
#include <algorithm>
#include <bit>
#include <cstdio>

namespace vx::sim {

namespace {

constexpr uint32_t kSpan = 32, kCell = 4;

/// Threads [first, first + count) of a core; aligned, a power of two.
struct Range {
  uint32_t first, count;

  uint32_t end() const { return first + count; }
  bool intersects(Range other) const { return first < other.end() && other.first < end(); }
  bool contains(Range other) const { return first <= other.first && other.end() <= end(); }
};

uint32_t alignDown(uint32_t value, uint32_t to) {
  return value / to * to;
}

Range rangeOf(const Warp &warp) {
  return {warp.base, warp.size};
}

/// The group of SIZE threads that holds THREAD.
Range groupOf(uint32_t thread, uint32_t size) {
  return {alignDown(thread, size), size};
}

/// Whether bit 7-i of a group mask is set for the group that starts at THREAD.
bool isNamed(uint32_t mask, uint32_t thread) {
  return mask >> (7 - thread % kSpan / kCell) & 1;
}

/// The bits that may start groups of SIZE threads.
uint32_t groupStarts(uint32_t size) {
  uint32_t starts = 0;
  for (uint32_t thread = 0; thread < kSpan; thread += size)
    starts |= 0x80u >> thread / kCell;
  return starts;
}

uint32_t threadsOf(const Core &core) {
  return core.hardwareWarps * core.lanes;
}

uint64_t lowBits(uint32_t count) {
  return (uint64_t(1) << count) - 1;
}

/// Calls visit(warp) for every slot in use that has threads of RANGE.
template <typename CoreT, typename F> void forGroups(CoreT &core, Range range, F visit) {
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

Range spanOf(const Warp &warp) {
  return groupOf(warp.base, kSpan);
}

bool isPlain(const Core &core, const Warp &warp) {
  return warp.size == core.lanes;
}

/// Whether a vx_tile of these operands needs not wait for OTHER.
bool hasArrived(const Warp &other, uint32_t mask, uint32_t size) {
  if (other.state == WarpState::AtTile)
    return other.tileMask == mask && other.tileSize == size;
  return other.state == WarpState::Suspended || (other.state == WarpState::Idle && other.empty);
}

/// The threads of a range as one, on their way to new groups.
struct Gathered {
  uint64_t mask = 0; ///< bit 0: the first thread of the range
  uint8_t fflags = 0, frm = 0;
};

/// Takes all groups of RANGE apart.
Gathered gather(Core &core, Range range) {
  Gathered all;
  bool haveMode = false;
  forGroups(core, range, [&](Warp &warp) {
    if (warp.state != WarpState::Idle) {
      all.mask |= warp.mask << (warp.base - range.first);
      all.fflags |= warp.fflags;
      // The lowest warp that takes part in the vx_tile decides, suspended ones do not.
      if (!haveMode)
        all.frm = warp.frm;
      haveMode |= warp.state == WarpState::AtTile;
    }
    warp.state = WarpState::Idle;
    warp.size = 0;
  });
  return all;
}

/// Makes RANGE a group that is Ready or Suspended at PC; without active lanes, an empty one.
Warp &formGroup(Core &core, Range range, const Gathered &state, uint64_t pc, WarpState run) {
  uint32_t slot = groupSlot(core, range.first);
  if (slot >= core.warps.size()) {
    uint32_t next = uint32_t(core.warps.size());
    core.warps.resize(core.maxSlots()); // within the reserved capacity
    for (; next < core.warps.size(); ++next)
      core.warps[next].slot = next;
  }
  Warp &warp = core.warps[slot];
  warp.id = range.first / core.lanes;
  warp.base = range.first;
  warp.size = range.count;
  warp.empty = state.mask == 0;
  warp.state = warp.empty ? WarpState::Idle : run;
  warp.pc = pc;
  warp.mask = state.mask;
  warp.fflags = state.fflags;
  warp.frm = state.frm;
  for (uint32_t other = warp.id + 1; other < range.end() / core.lanes; ++other) {
    core.warps[other].state = warp.empty ? WarpState::Idle : WarpState::Merged;
    core.warps[other].empty = warp.empty;
    core.warps[other].size = 0;
  }
  return warp;
}

/// A hardware warp none of whose threads runs is a plain one again, ready to be spawned. It has
/// ended unless all its groups were empty.
void restoreIdleWarp(Core &core, uint32_t number) {
  Warp &warp = core.warps[number];
  bool idle = warp.state == WarpState::Idle, empty = warp.empty;
  Range whole{number * core.lanes, core.lanes};
  forGroups(core, whole, [&](Warp &part) {
    idle &= part.state == WarpState::Idle;
    empty &= part.empty;
  });
  if (!idle)
    return;
  forGroups(core, whole, [](Warp &part) { part.size = 0; });
  warp.id = number;
  warp.base = whole.first;
  warp.size = whole.count;
  warp.empty = empty;
}

/// Restores the idle ones of the hardware warps that have threads of RANGE.
void restoreIdleWarps(Core &core, Range range) {
  for (uint32_t w = range.first / core.lanes; w * core.lanes < range.end(); ++w)
    restoreIdleWarp(core, w);
}

/// One vx_tile that executes now.
class Tile {
public:
  Tile(Core &core, const Warp &issuer)
      : core(core), mask(issuer.tileMask), size(issuer.tileSize), pc(issuer.pc) {}

  /// Forms what the issuer becomes part of, or is cut into. False: others have to arrive first.
  bool execute(Warp &issuer) {
    Range own = rangeOf(issuer), span = spanOf(issuer);
    if (own.count > size) {
      form(own);
    } else {
      Range group = groupOf(own.first, size);
      if (!isNamed(mask, group.first))
        issuer.state = WarpState::Suspended;
      else if (isComplete(group))
        form(own = group);
      else
        return false;
    }
    resumeOthers(span, own);
    return true;
  }

  std::vector<uint32_t> started;

private:
  bool isComplete(Range group) {
    bool complete = true;
    forGroups(core, group, [&](Warp &other) { complete &= hasArrived(other, mask, size); });
    return complete;
  }

  /// Replaces what RANGE consists of by groups of `size` threads.
  void form(Range range) {
    Gathered all = gather(core, range);
    for (uint32_t first = range.first; first < range.end(); first += size) {
      Gathered part = all;
      part.mask = all.mask >> (first - range.first) & lowBits(size);
      bool named = isNamed(mask, first);
      Warp &made =
          formGroup(core, {first, size}, part, pc, named ? WarpState::Ready : WarpState::Suspended);
      if (made.state == WarpState::Ready)
        started.push_back(made.slot);
    }
    restoreIdleWarps(core, range);
  }

  /// Suspended groups of SPAN, but not of DONE, that the mask names.
  void resumeOthers(Range span, Range done) {
    for (uint32_t first = span.first; first < span.end(); first += size) {
      Range group{first, size};
      if (group.intersects(done) || !isNamed(mask, first) || group.end() > threadsOf(core))
        continue;
      bool anySuspended = false, others = false;
      Range whole = group; // more than the group when a larger one is cut up
      forGroups(core, group, [&](Warp &warp) {
        anySuspended |= warp.state == WarpState::Suspended;
        others |=
            warp.state != WarpState::Suspended && !(warp.state == WarpState::Idle && warp.empty);
        if (warp.size > size)
          whole = rangeOf(warp);
      });
      if (anySuspended && !others)
        form(whole);
    }
  }

  Core &core;
  uint32_t mask, size;
  uint64_t pc;
};

/// Whether two groups that want to become part of other groups wait for each other for ever.
bool excludeEachOther(const Warp &waiting, uint32_t mask, uint32_t size, const Warp &warp) {
  if (waiting.tileMask == mask && waiting.tileSize == size)
    return false;
  return groupOf(waiting.base, waiting.tileSize).contains(rangeOf(warp)) &&
         groupOf(warp.base, size).contains(rangeOf(waiting));
}

std::string hexText(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// What is wrong with the operands alone.
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

/// What is wrong with the others of the GROUP that WARP wants to be part of.
std::string checkMembers(const Core &core, const Warp &warp, Range group, uint32_t mask,
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

uint32_t groupSlot(const Core &core, uint32_t thread) {
  uint32_t warp = thread / core.lanes, part = thread % core.lanes / kCell;
  if (part == 0)
    return warp;
  return core.hardwareWarps + warp * (core.lanes / kCell - 1) + part - 1;
}

void resetGroups(Core &core) {
  core.warps.resize(core.hardwareWarps);
  core.regrouped = false;
  for (uint32_t w = 0; w < core.hardwareWarps; ++w) {
    Warp &warp = core.warps[w];
    warp.slot = warp.id = w;
    warp.base = w * core.lanes;
    warp.size = core.lanes;
    warp.empty = false;
    warp.state = WarpState::Idle;
    warp.ipdom.clear();
    warp.fflags = warp.frm = 0;
  }
}

std::string checkTile(const Core &core, const Warp &warp, uint64_t mask, uint64_t size,
                      uint64_t pc) {
  std::string error = checkOperands(core, mask, size);
  if (!error.empty())
    return error;
  if (!warp.ipdom.empty())
    return "vx_tile inside " + std::to_string(warp.ipdom.size()) + " open split(s)";
  Range group = groupOf(warp.base, uint32_t(size));
  if (size >= warp.size && isNamed(uint32_t(mask), group.first))
    return checkMembers(core, warp, group, uint32_t(mask), pc);
  return {};
}

bool keepsGroups(const Core &core, const Warp &warp, uint32_t mask, uint32_t size) {
  if (size != warp.size || !isNamed(mask, warp.base))
    return false;
  bool anySuspended = false;
  if (core.regrouped)
    forGroups(core, spanOf(warp),
              [&](const Warp &other) { anySuspended |= other.state == WarpState::Suspended; });
  return !anySuspended;
}

std::vector<uint32_t> regroup(Core &core, Warp &warp) {
  Range span = spanOf(warp);
  std::vector<uint32_t> started;
  core.regrouped = true;
  // What one vx_tile suspends may have been all that another one waits for.
  for (bool changed = true; changed;) {
    changed = false;
    forGroups(core, span, [&](Warp &waiting) {
      if (waiting.state != WarpState::AtTile || changed)
        return;
      Tile tile(core, waiting);
      changed = tile.execute(waiting);
      started.insert(started.end(), tile.started.begin(), tile.started.end());
    });
  }
  return started;
}

void endGroup(Core &core, Warp &warp) {
  warp.empty = false;
  if (!core.regrouped)
    return;
  Range range = rangeOf(warp);
  for (uint32_t other = warp.id + 1; other < range.end() / core.lanes; ++other) {
    core.warps[other].state = WarpState::Idle;
    core.warps[other].empty = false;
  }
  restoreIdleWarps(core, range);
}

std::string describeGroup(const Core &core, const Warp &warp) {
  if (isPlain(core, warp))
    return "warp " + std::to_string(warp.id);
  return "group of " + std::to_string(warp.size) + " threads from warp " + std::to_string(warp.id) +
         ", lane " + std::to_string(warp.base % core.lanes);
}

std::string describeTile(uint64_t mask, uint64_t size) {
  return "mask " + hexText(mask) + ", size " + std::to_string(size);
}

} // namespace vx::sim
