// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/Units.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

Units::Units(const SimConfig &config, DynInstPool &insts, MemoryLink &link, CoreStats &stats)
    : config(config), insts(insts), stats(stats), width(config.issueSlots()), lsuInputs(width),
      lsu(config, insts, link, stats), arbiters(width),
      unitLanes{config.lanesOf(config.aluLanes), config.lanesOf(config.lsuLanes),
                config.lanesOf(config.fpuLanes), config.lanesOf(config.sfuLanes)} {
  for (std::vector<Cycle> &unit : dispatcherFree)
    unit.resize(width);
  if (config.texture)
    texture.emplace(config, insts, link, stats);
}

void Units::reset(bool isObserved) {
  // Sampled mode reads counters between two ticks, when idle cycles have been counted up to the
  // last.
  observed = isObserved || config.mode == SimMode::Sampled;
  for (std::vector<Cycle> &unit : dispatcherFree)
    std::fill(unit.begin(), unit.end(), 0);
  for (CommitArbiter &arbiter : arbiters) {
    for (Channel<Packet> &input : arbiter.inputs)
      input.clear();
    arbiter.order.reset();
    arbiter.used = 0;
    arbiter.due.fill(kNever);
    arbiter.next = kNever;
    arbiter.free = 0;
  }
  controls.clear();
  for (Channel<Packet> &input : lsuInputs)
    input.clear();
  nextLsuInput = kNever;
  lsu.reset(observed || texture);
  if (texture)
    texture->reset();
  quietUntil = quietButCommits = 0;
}

Units::Index Units::indexOf(isa::Unit unit) {
  switch (unit) {
  case isa::Unit::Alu:
    return Alu;
  case isa::Unit::Lsu:
    return Lsu;
  case isa::Unit::Fpu:
    return Fpu;
  case isa::Unit::Sfu:
    return Sfu;
  }
  return Alu;
}

void Units::dispatch(DynInstId id, uint32_t issueSlot, Cycle now) {
  DynInst &inst = insts[id];
  if (insts.isWatched()) [[unlikely]]
    inst.life.dispatched = now;
  Index unit = indexOf(inst.staticInst.unit);
  bool isShared = width != 1 && (unit == Lsu || unit == Sfu);
  Cycle &dispatcher = dispatcherFree[unit][issueSlot];
  uint32_t lanes = unitLanes[unit];
  uint32_t active = uint32_t(inst.life.mask);
  Cycle start = std::max(now + 1, dispatcher);
  if (isShared) // it looks at one issue slot per cycle, in turn
    start += (issueSlot + width - start % width) % width;
  if (inst.life.size <= lanes) {
    dispatcher = start + 1;
    send({id, active, true}, unit, issueSlot, start + 1 + config.dispatchLatency);
    return;
  }
  uint32_t part = lanes == 32 ? ~0u : (1u << lanes) - 1;
  inst.packetsLeft = 0;
  for (uint32_t first = 0; first < inst.life.size; first += lanes) {
    uint32_t mask = active & part << first;
    bool last = (uint64_t(active) >> first >> lanes) == 0;
    if (!mask && !last)
      continue;
    ++inst.packetsLeft;
    send({id, mask, last}, unit, issueSlot, start + 1 + config.dispatchLatency);
    ++start;
    if (last)
      break;
  }
  dispatcher = start;
  if (isShared) // which stays with the slot meanwhile
    for (Cycle &free : dispatcherFree[unit])
      free = std::max(free, start);
}

/// PACKET reaches its unit in cycle DUE.
void Units::send(const Packet &packet, Index unit, uint32_t issueSlot, Cycle due) {
  DynInst &inst = insts[packet.inst];
  bool isTaken = unit == Lsu || inst.staticInst.kind == StaticInst::Texture; // else: goes through
  if (isTaken || observed)
    beBusy(due);
  if (unit == Lsu) {
    lsuInputs[issueSlot].push(packet, due);
    nextLsuInput = std::min(nextLsuInput, due);
    return;
  }
  if (insts.isWatched()) [[unlikely]]
    inst.life.executed = due;
  static constexpr uint64_t CoreStats::*busy[kCount] = {&CoreStats::aluBusy, &CoreStats::lsuBusy,
                                                        &CoreStats::fpuBusy, &CoreStats::sfuBusy};
  ++(stats.*busy[unit]);
  if (inst.staticInst.kind == StaticInst::Texture) {
    texture->push(packet, due);
    return;
  }
  if (packet.last && inst.staticInst.blocksFetch) {
    due += inst.pathDelay;
    controls.push(packet.inst, due);
    beBusy(due);
  }
  due += inst.staticInst.latency;
  finish(packet, unit, due);
  quietUntil = std::min(quietUntil, due + 1);
}

/// Takes what ARBITER grants in cycle CYCLE: some input has an entry.
Packet Units::grant(CommitArbiter &arbiter, Cycle cycle) {
  bool isOnly = std::has_single_bit(arbiter.used);
  uint64_t requests = arbiter.used;
  if (!isOnly) {
    requests = 0;
    for (unsigned i = 0; i < kCount; ++i)
      requests |= uint64_t(arbiter.due[i] <= cycle) << i;
  }
  uint32_t unit = arbiter.order.grant(requests);
  Channel<Packet> &input = arbiter.inputs[unit];
  Packet packet = input.front();
  if (insts.isWatched()) [[unlikely]]
    insts[packet.inst].life.completed = cycle;
  input.pop();
  arbiter.due[unit] = arbiter.next = input.nextDue();
  if (arbiter.next == kNever)
    arbiter.used &= ~(1u << unit);
  if (!isOnly)
    for (Cycle first : arbiter.due)
      arbiter.next = std::min(arbiter.next, first);
  return packet;
}

} // namespace vx::sim
