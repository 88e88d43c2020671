// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/IssueStage.h"
#include <algorithm>

namespace vx::sim {

IssueStage::IssueStage(const SimConfig &config, FlightPool &flights, InsnBuffers &buffers,
                       uint32_t slotCount)
    : config(config), flights(flights), buffers(buffers), width(config.issueSlots()),
      collectorsShare(config.collectorsPerSlot() > 1), isSimple(width == 1 && !collectorsShare),
      slots(width), warps(slotCount + config.numWarps) {
  if (collectorsShare)
    for (Slot &slot : slots)
      slot.collectors.resize(config.collectorsPerSlot());
}

void IssueStage::reset() {
  arbiter.reset();
  for (Slot &slot : slots) {
    slot.readyHeads.clear();
    slot.collectorArbiter.reset();
    slot.busyUntil = 0;
    for (Channel<FlightId> &collector : slot.collectors)
      collector.clear();
    slot.out.clear();
  }
  std::fill(warps.begin(), warps.end(), WarpSlot());
  heads.clear();
}

void IssueStage::collectInTurn(Cycle now) {
  for (Slot &slot : slots) {
    uint64_t requests = 0;
    for (size_t i = 0; i < slot.collectors.size(); ++i)
      requests |= uint64_t(slot.collectors[i].ready(now)) << i;
    if (!requests)
      continue;
    Channel<FlightId> &granted = slot.collectors[slot.collectorArbiter.grant(requests)];
    slot.out.push(granted.front(), now + 1);
    granted.pop();
  }
}

/// Returns the cycle in which FLIGHT, which is issued NOW, has its operands.
Cycle IssueStage::operandsReady(const Flight &flight, Cycle now) {
  conflictCount += flight.shape.conflicts;
  Cycle done = now + 1 + config.operandLatency + flight.shape.conflicts;
  // A merged group's operands come beat by beat, and its packets follow them into the unit.
  if (flight.beats > 1)
    done += config.tileCrossbarLatency + (flight.shape.crossesLanes ? flight.beats - 1 : 0);
  return done;
}

void IssueStage::queue(Slot &slot, FlightId id, Cycle due) {
  if (slot.collectors.empty()) {
    slot.out.push(id, due);
    return;
  }
  uint32_t index = flights[id].life.warp / width % uint32_t(slot.collectors.size());
  slot.collectors[index].push(id, due + 1);
}

/// Takes an instruction of SLOT, which has some that are ready.
FlightId IssueStage::issueFrom(Slot &slot, Cycle now) {
  if (width != 1)
    arbiter.reset(arbiter.lastServed() / width * width + uint32_t(&slot - slots.data()));
  uint32_t warpSlot = arbiter.grant(slot.readyHeads);
  FlightId id = buffers.front(warpSlot);
  buffers.pop(warpSlot);
  Flight &flight = flights[id];
  if (flights.isWatched()) [[unlikely]]
    flight.life.issued = now;
  slot.busyUntil = now + flight.beats;
  WarpSlot *own = &warps[warpSlot];
  for (uint32_t i = 0; i < flight.beats; ++i) {
    own[i].busy |= flight.shape.target;
    if (flight.shape.readsMemory)
      own[i].loaded |= flight.shape.target;
  }
  updateHead(warpSlot);
  return id;
}

void IssueStage::updateHead(uint32_t slot) {
  if (buffers.empty(slot)) {
    heads.erase(slot);
    slotOf(slot).readyHeads.erase(slot);
    return;
  }
  heads.insert(slot);
  const Flight &flight = flights[buffers.front(slot)];
  WarpSlot &own = warps[slot];
  own.used = flight.shape.sources | flight.shape.target;
  own.beats = flight.beats;
  own.pc = flight.life.pc;
  updateReady(slot);
}

void IssueStage::release(const Flight &flight, bool allHeads) {
  if (!flight.shape.target)
    return;
  uint32_t own = flight.life.slot;
  for (uint32_t i = 0; i < flight.beats; ++i) {
    warps[own + i].busy &= ~flight.shape.target;
    warps[own + i].loaded &= ~flight.shape.target;
  }
  if (allHeads)
    heads.forEach([&](uint32_t slot) { updateReady(slot); });
  else if (heads.contains(own))
    updateReady(own);
}

bool IssueStage::isBlocked(StallCause &cause, uint64_t &pc) const {
  uint32_t slot = heads.first();
  if (slot == SlotSet::kNone)
    return false;
  const WarpSlot &own = warps[slot];
  pc = own.pc;
  cause = !(busyOf(&own) & own.used) ? StallCause::Operands
          : own.loaded & own.used    ? StallCause::Memory
                                     : StallCause::Scoreboard;
  return true;
}

} // namespace vx::sim
