// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/TileGroups.h"
#include "simulator/func/TileRange.h"

namespace vx::sim {

namespace {

/// Returns true if a vx_tile of these operands needs not wait for OTHER.
bool hasArrived(const Warp &other, uint32_t mask, uint32_t size) {
  if (other.state == WarpState::AtTile)
    return other.tileMask == mask && other.tileSize == size && !other.tileInPipeline;
  return other.state == WarpState::Suspended || (other.state == WarpState::Idle && other.empty);
}

/// The threads of a range as one, on their way to new groups.
struct Gathered {
  uint64_t mask = 0; ///< bit 0: the first thread of the range
  uint8_t fflags = 0, frm = 0;
};

/// Splits all groups of RANGE into their hardware warps.
Gathered gather(Core &core, ThreadRange range) {
  Gathered all;
  const Warp *decides = nullptr;
  bool takesPart = false; // the one that decides
  forGroups(core, range, [&](Warp &warp) {
    if (warp.state != WarpState::Idle) {
      all.mask |= warp.mask << (warp.base - range.first);
      all.fflags |= warp.fflags;
      // The lowest group that takes part in the vx_tile decides; only if none does, a suspended
      // one.
      bool isAtTile = warp.state == WarpState::AtTile;
      if (!decides || isAtTile > takesPart ||
          (isAtTile == takesPart && warp.base < decides->base)) {
        decides = &warp;
        takesPart = isAtTile;
        all.frm = warp.frm;
      }
    }
    warp.state = WarpState::Idle;
    warp.size = 0;
  });
  return all;
}

/// Makes RANGE a group that is Ready or Suspended at PC; without active lanes, an empty one.
Warp &formGroup(Core &core, ThreadRange range, const Gathered &state, uint64_t pc, WarpState run) {
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
  core.clearDivergence(warp);
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
  ThreadRange whole{number * core.lanes, core.lanes};
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
void restoreIdleWarps(Core &core, ThreadRange range) {
  for (uint32_t w = range.first / core.lanes; w * core.lanes < range.end(); ++w)
    restoreIdleWarp(core, w);
}

/// One vx_tile that executes now.
class Tile {
public:
  Tile(Core &core, const Warp &issuer)
      : core(core), mask(issuer.tileMask), size(issuer.tileSize), pc(issuer.pc) {}

  /// Forms what the issuer becomes part of, or is cut into. Returns false if others have to arrive
  /// first.
  bool execute(Warp &issuer) {
    ThreadRange own = rangeOf(issuer), span = spanOf(issuer);
    if (own.count > size) {
      form(own);
    } else {
      ThreadRange group = groupOf(own.first, size);
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
  bool isComplete(ThreadRange group) {
    bool complete = true;
    forGroups(core, group, [&](Warp &other) { complete &= hasArrived(other, mask, size); });
    return complete;
  }

  /// Replaces what RANGE consists of by groups of `size` threads.
  void form(ThreadRange range) {
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
  void resumeOthers(ThreadRange span, ThreadRange done) {
    for (uint32_t first = span.first; first < span.end(); first += size) {
      ThreadRange group{first, size};
      if (group.intersects(done) || !isNamed(mask, first) || group.end() > threadsOf(core))
        continue;
      bool anySuspended = false, others = false;
      ThreadRange whole = group; // more than the group when a larger one is cut up
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
    warp.tileInPipeline = false;
    core.clearDivergence(warp);
    warp.fflags = warp.frm = 0;
  }
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
  ThreadRange span = spanOf(warp);
  std::vector<uint32_t> started;
  core.regrouped = true;
  // A vx_tile may suspend all that another one waits for.
  for (bool changed = true; changed;) {
    changed = false;
    forGroups(core, span, [&](Warp &waiting) {
      if (waiting.state != WarpState::AtTile || waiting.tileInPipeline || changed)
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
  ThreadRange range = rangeOf(warp);
  for (uint32_t other = warp.id + 1; other < range.end() / core.lanes; ++other) {
    core.warps[other].state = WarpState::Idle;
    core.warps[other].empty = false;
  }
  restoreIdleWarps(core, range);
}

} // namespace vx::sim
