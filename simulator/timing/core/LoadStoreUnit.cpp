// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/LoadStoreUnit.h"
#include <bit>

namespace vx::sim {

void LoadStoreUnit::reset(bool everyAnswer) {
  for (Pending &entry : pending)
    entry = {};
  link.awaited.assign(everyAnswer ? 0 : pending.size(), {});
  used = 0;
  lastAnswer = 0;
  otherSlots = 0;
  fence = {};
  blocked = false;
}

/// Takes the answers up to cycle NOW, one per cycle from the one on in which it could be taken.
/// Returns the load that one completes, which is in cycle NOW, or an empty packet.
Packet LoadStoreUnit::takeAnswers(Cycle now) {
  Packet done;
  while (done.inst == kNoDynInst && link.lsuResponses.ready(now)) {
    Cycle taken = std::max(link.lsuResponses.nextDue(), lastAnswer + 1);
    if (taken > now)
      break;
    lastAnswer = taken;
    done = answer(link.lsuResponses.front());
    link.lsuResponses.pop();
  }
  link.updateNextAnswer();
  return done;
}

/// The load that RESPONSE completes, or an empty packet.
Packet LoadStoreUnit::answer(const LsuResponse &response) {
  if (response.tag >= pending.size()) {
    otherSlots += response.slots;
    return {};
  }
  Pending &entry = pending[response.tag];
  entry.slotsLeft -= response.slots;
  if (entry.slotsLeft)
    return {};
  --used;
  if (!link.awaited.empty())
    link.completed.pop();
  return entry.packet;
}

uint32_t LoadStoreUnit::freeEntry() const {
  uint32_t tag = 0;
  while (pending[tag].slotsLeft)
    ++tag;
  return tag;
}

/// Hands PACKET to memory. Returns false if no entry is free, or if too many stores are under way.
bool LoadStoreUnit::start(const Packet &packet, Cycle now) {
  DynInst &inst = insts[packet.inst];
  if (inst.staticInst.kind == StaticInst::Fence) {
    fence = packet;
    if (insts.isWatched()) [[unlikely]]
      inst.life.executed = now;
    ++stats.lsuBusy;
    return true;
  }
  bool isLoad = inst.staticInst.kind == StaticInst::Load;
  if (isLoad && used == pending.size()) {
    blocked = true;
    return false;
  }
  if (inst.staticInst.kind == StaticInst::Store && link.storesFull)
    return false;
  uint32_t tag = 0;
  if (isLoad) {
    tag = freeEntry();
    uint32_t slots = uint32_t(std::popcount(packet.lanes));
    pending[tag] = {packet, slots};
    if (!link.awaited.empty())
      link.awaited[tag] = {slots, 0};
    ++used;
  }
  if (insts.isWatched()) [[unlikely]]
    inst.life.executed = now;
  ++stats.lsuBusy;
  send(packet, inst, tag, now);
  return true;
}

void LoadStoreUnit::send(const Packet &packet, const DynInst &inst, uint32_t tag, Cycle now) {
  LsuRequest &request = link.access(now + 1);
  request.tag = tag;
  request.bytes = inst.accessBytes;
  request.isWrite = inst.staticInst.kind == StaticInst::Store;
  unsigned count = 0;
  if (config.lsuCompact) {
    for (uint32_t rest = packet.lanes; rest; rest &= rest - 1)
      request.addresses[count++] = inst.addresses[size_t(std::countr_zero(rest))];
  } else {
    unsigned lanes = config.lanesOf(config.lsuLanes);
    unsigned first = unsigned(std::countr_zero(packet.lanes)) / lanes * lanes;
    for (; count < lanes; ++count)
      request.addresses[count] = packet.lanes >> (first + count) & 1 ? inst.addresses[first + count]
                                                                     : LsuRequest::kNoAddress;
  }
  request.count = uint16_t(count);
}

} // namespace vx::sim
