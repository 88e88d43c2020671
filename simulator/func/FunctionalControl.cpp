// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/FunctionalControl.h"
#include <algorithm>

namespace vx::sim {

namespace {

bool waitsAt(const Warp &warp, uint32_t id, bool global) {
  return warp.state == WarpState::AtBarrier && warp.waitGlobal == global && warp.waitId == id;
}

/// Returns true if all live warps of a core, and at least one, wait at a global barrier.
bool hasArrived(const Core &core, uint32_t id) {
  bool any = false;
  for (const Warp &warp : core.warps) {
    if (warp.state == WarpState::Idle || warp.state == WarpState::Merged)
      continue;
    if (!waitsAt(warp, id, true))
      return false;
    any = true;
  }
  return any;
}

/// Returns what a warp waits for; empty when it has ended or runs as part of another.
std::string describeWait(const Warp &warp) {
  switch (warp.state) {
  case WarpState::Idle:
  case WarpState::Merged:
    return {};
  case WarpState::Ready:
  case WarpState::InPipeline:
    return " runs";
  case WarpState::AtSpawn:
    return " waits for the other warps to end";
  case WarpState::AtTile:
    return " waits at vx_tile " + describeTile(warp.tileMask, warp.tileSize);
  case WarpState::Suspended:
    return " is suspended until a vx_tile names it";
  case WarpState::AtBarrier:
    break;
  }
  return std::string(" waits at ") + (warp.waitGlobal ? "global " : "") + "barrier " +
         std::to_string(warp.waitId) + " for " + std::to_string(warp.waitCount) +
         (warp.waitGlobal ? " cores" : " warps");
}

void release(Core &core, uint32_t id, bool global) {
  constexpr uint64_t kAfterBarrier = 256;
  for (Warp &warp : core.warps)
    if (waitsAt(warp, id, global)) {
      warp.state = WarpState::Ready;
      warp.afterBarrier = kAfterBarrier;
    }
}

} // namespace

const char *FunctionalControl::barrier(Core &core, Warp &warp, uint32_t id, bool global,
                                       uint32_t count) {
  warp.state = WarpState::AtBarrier;
  warp.waitId = id;
  warp.waitGlobal = global;
  warp.waitCount = count;
  for (const Warp &other : core.warps)
    if (waitsAt(other, id, global) && other.waitCount != count)
      return "warps at the same barrier disagree on the count";
  if (!global) {
    auto arrived = std::count_if(core.warps.begin(), core.warps.end(),
                                 [&](const Warp &w) { return waitsAt(w, id, false); });
    if (arrived >= count)
      release(core, id, false);
  } else if (hasArrived(core, id)) {
    completeGlobal(id);
  }
  return nullptr;
}

void FunctionalControl::completeGlobal(uint32_t id) {
  uint32_t arrived = 0, count = 0;
  for (const Core &core : cores)
    if (hasArrived(core, id)) {
      ++arrived;
      for (const Warp &warp : core.warps)
        if (waitsAt(warp, id, true))
          count = std::max(count, warp.waitCount);
    }
  if (arrived >= count)
    for (Core &core : cores)
      if (hasArrived(core, id))
        release(core, id, true);
}

const char *FunctionalControl::spawn(Core &core, Warp &warp, uint32_t count, uint64_t pc) {
  warp.state = WarpState::AtSpawn;
  warp.waitCount = count;
  warp.waitPc = pc;
  completeSpawn(core);
  return nullptr;
}

void FunctionalControl::completeSpawn(Core &core) {
  Warp &issuer = core.warps[0];
  if (issuer.state != WarpState::AtSpawn)
    return;
  for (const Warp &warp : core.warps)
    if (warp.slot != 0 && warp.state != WarpState::Idle)
      return;
  issuer.state = WarpState::Ready;
  for (uint32_t i = 1; i < issuer.waitCount; ++i) {
    Warp &warp = core.warps[i];
    warp.state = WarpState::Ready;
    warp.pc = issuer.waitPc;
    warp.mask = 1;
    core.clearDivergence(warp);
    warp.fflags = warp.frm = 0;
  }
}

void FunctionalControl::end(Core &core, Warp &) {
  completeSpawn(core);
  // The warps that remain may be all at one global barrier now.
  for (const Warp &warp : core.warps)
    if (warp.state == WarpState::AtBarrier && warp.waitGlobal) {
      if (hasArrived(core, warp.waitId))
        completeGlobal(warp.waitId);
      return;
    }
}

std::string FunctionalControl::describeWaits() const {
  std::string text;
  for (const Core &core : cores)
    for (const Warp &warp : core.warps) {
      std::string wait = describeWait(warp);
      if (wait.empty())
        continue;
      if (text.size() > 1000)
        return text + "; …";
      text += text.empty() ? "" : "; ";
      text += "core " + std::to_string(core.id) + " " + describeGroup(core, warp) + wait;
    }
  return text;
}

} // namespace vx::sim
