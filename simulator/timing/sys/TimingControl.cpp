// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/TimingControl.h"
#include <algorithm>

namespace vx::sim {

TimingControl::TimingControl(std::vector<Core> &cores)
    : FunctionalControl(cores), cores(cores), globalChange(cores.size()),
      globalAsked(cores.size()) {
  for (const Core &core : cores)
    requests.emplace_back(core.maxSlots());
}

void TimingControl::reset() {
  for (std::vector<Request> &core : requests)
    std::fill(core.begin(), core.end(), Request{});
  std::fill(globalChange.begin(), globalChange.end(), false);
  std::fill(globalAsked.begin(), globalAsked.end(), false);
}

bool TimingControl::anyGlobal() const {
  return std::find(globalAsked.begin(), globalAsked.end(), true) != globalAsked.end();
}

void TimingControl::forgetGlobal() {
  for (const Core &core : cores) {
    bool waits = false;
    for (const Warp &warp : core.warps)
      waits |= warp.state == WarpState::AtBarrier && warp.waitGlobal;
    for (const Request &request : requests[core.id])
      waits |= request.kind == Request::Barrier && request.global;
    globalAsked[core.id] = waits;
  }
}

const char *TimingControl::barrier(Core &core, Warp &warp, uint32_t id, bool global,
                                   uint32_t count) {
  requestOf(core, warp.slot) = {Request::Barrier, global, id, count, 0};
  if (global)
    globalAsked[core.id] = true;
  warp.state = WarpState::InPipeline;
  return nullptr;
}

const char *TimingControl::spawn(Core &core, Warp &warp, uint32_t count, uint64_t pc) {
  requestOf(core, warp.slot) = {Request::Spawn, false, 0, count, pc};
  warp.state = WarpState::InPipeline;
  return nullptr;
}

void TimingControl::end(Core &core, Warp &warp) {
  FunctionalControl::end(core, warp);
  globalChange[core.id] = true; // it may have been the last that a global barrier waited for
}

void TimingControl::tile(Core &core, Warp &warp) {
  requestOf(core, warp.slot).kind = Request::Tile;
  warp.tileInPipeline = true;
}

const char *TimingControl::complete(Core &core, uint32_t slot) {
  Request request = std::exchange(requestOf(core, slot), Request{});
  Warp &warp = core.warps[slot];
  switch (request.kind) {
  case Request::None:
    return nullptr;
  case Request::Barrier:
    globalChange[core.id] |= request.global;
    return FunctionalControl::barrier(core, warp, request.id, request.global, request.count);
  case Request::Spawn:
    return FunctionalControl::spawn(core, warp, request.count, request.pc);
  case Request::Tile:
    warp.tileInPipeline = false;
    regroup(core, warp);
    return nullptr;
  }
  return nullptr;
}

const char *TimingControl::completeAll(Core &core, uint32_t &faultySlot) {
  for (uint32_t slot = 0; slot < requests[core.id].size(); ++slot) {
    if (requestOf(core, slot).kind == Request::None)
      continue;
    if (const char *error = complete(core, slot)) {
      faultySlot = slot;
      return error;
    }
  }
  return nullptr;
}

} // namespace vx::sim
