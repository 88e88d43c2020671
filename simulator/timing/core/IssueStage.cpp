// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/IssueStage.h"
#include <algorithm>

namespace vx::sim {

IssueStage::IssueStage(const SimConfig &config, DynInstPool &insts, InsnBuffers &buffers,
                       uint32_t slotCount)
    : config(config), insts(insts), buffers(buffers), width(config.issueSlots()),
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
    for (Channel<DynInstId> &collector : slot.collectors)
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
    Channel<DynInstId> &granted = slot.collectors[slot.collectorArbiter.grant(requests)];
    slot.out.push(granted.front(), now + 1);
    granted.pop();
  }
}

/// Returns the cycle in which FLIGHT, which is issued NOW, has its operands.
Cycle IssueStage::operandsReady(const DynInst &inst, Cycle now) {
  conflictCount += inst.staticInst.conflicts;
  Cycle done = now + 1 + config.operandLatency + inst.staticInst.conflicts;
  // A merged group's operands come beat by beat, and its packets follow them into the unit.
  if (inst.beats > 1)
    done += config.tileCrossbarLatency + (inst.staticInst.crossesLanes ? inst.beats - 1 : 0);
  return done;
}

void IssueStage::queue(Slot &slot, DynInstId id, Cycle due) {
  if (slot.collectors.empty()) {
    slot.out.push(id, due);
    return;
  }
  uint32_t index = insts[id].life.warp / width % uint32_t(slot.collectors.size());
  slot.collectors[index].push(id, due + 1);
}

/// Takes an instruction of SLOT, which has some that are ready.
DynInstId IssueStage::issueFrom(Slot &slot, Cycle now) {
  if (width != 1)
    arbiter.reset(arbiter.lastServed() / width * width + uint32_t(&slot - slots.data()));
  uint32_t warpSlot = arbiter.grant(slot.readyHeads);
  DynInstId id = buffers.front(warpSlot);
  buffers.pop(warpSlot);
  DynInst &inst = insts[id];
  if (insts.isWatched()) [[unlikely]]
    inst.life.issued = now;
  slot.busyUntil = now + inst.beats;
  WarpSlot *own = &warps[warpSlot];
  for (uint32_t i = 0; i < inst.beats; ++i) {
    own[i].busy |= inst.staticInst.target;
    if (inst.staticInst.readsMemory)
      own[i].loaded |= inst.staticInst.target;
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
  const DynInst &inst = insts[buffers.front(slot)];
  WarpSlot &own = warps[slot];
  own.used = inst.staticInst.sources | inst.staticInst.target;
  own.beats = inst.beats;
  own.pc = inst.life.pc;
  updateReady(slot);
}

void IssueStage::release(const DynInst &inst, bool allHeads) {
  if (!inst.staticInst.target)
    return;
  uint32_t own = inst.life.slot;
  for (uint32_t i = 0; i < inst.beats; ++i) {
    warps[own + i].busy &= ~inst.staticInst.target;
    warps[own + i].loaded &= ~inst.staticInst.target;
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
