// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/Units.h"
#include <algorithm>

namespace vx::sim {

Units::Units(const SimConfig &config, FlightPool &flights, MemoryLink &link, CoreStats &stats)
    : config(config), flights(flights), stats(stats), width(config.issueSlots()), alus(width),
      fpus(width), lsu(config, flights, link, stats), arbiters(width) {}

void Units::reset() {
  auto resetPipe = [](Pipe &pipe) {
    pipe.input.clear();
    pipe.dispatcherFree = 0;
  };
  for (uint32_t i = 0; i < width; ++i) {
    resetPipe(alus[i]);
    resetPipe(fpus[i]);
    for (Channel<Packet> &input : arbiters[i].inputs)
      input.clear();
    arbiters[i].order.reset();
    arbiters[i].granted = arbiters[i].committing = {};
  }
  resetPipe(lsuPipe);
  resetPipe(sfuPipe);
  lsu.reset();
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

uint32_t Units::lanesOf(Index unit) const {
  const uint32_t knobs[kCount] = {config.aluLanes, config.lsuLanes, config.fpuLanes,
                                  config.sfuLanes};
  return config.lanesOf(knobs[unit]);
}

void Units::dispatch(FlightId id, uint32_t issueSlot, Cycle now) {
  Flight &flight = flights[id];
  flight.life.dispatched = now;
  Index unit = indexOf(flight.shape.unit);
  Pipe &pipe = unit == Alu   ? alus[issueSlot]
               : unit == Fpu ? fpus[issueSlot]
               : unit == Lsu ? lsuPipe
                             : sfuPipe;
  uint32_t lanes = lanesOf(unit);
  uint32_t active = uint32_t(flight.life.mask);
  Cycle start = std::max(now + 1, pipe.dispatcherFree);
  if (flight.life.size <= lanes) {
    pipe.input.push({id, active, true}, start + 1 + config.dispatchLatency);
    pipe.dispatcherFree = start + 1;
    return;
  }
  uint32_t part = lanes == 32 ? ~0u : (1u << lanes) - 1;
  flight.packetsLeft = 0;
  for (uint32_t first = 0; first < flight.life.size; first += lanes) {
    uint32_t mask = active & part << first;
    bool last = (uint64_t(active) >> first >> lanes) == 0;
    if (!mask && !(last && flight.packetsLeft == 0))
      continue;
    pipe.input.push({id, mask, last}, start + 1 + config.dispatchLatency);
    ++start;
    ++flight.packetsLeft;
    if (last)
      break;
  }
  pipe.dispatcherFree = start;
}

/// ALU, FPU and SFU: takes a packet, whose result comes after its latency. False: none is due.
bool Units::takePlain(Index unit, Pipe &pipe, Cycle now, Packet &packet) {
  if (!pipe.input.ready(now))
    return false;
  packet = pipe.input.front();
  pipe.input.pop();
  Flight &flight = flights[packet.flight];
  flight.life.executed = now;
  uint64_t *const busy[kCount] = {&stats.aluBusy, &stats.lsuBusy, &stats.fpuBusy, &stats.sfuBusy};
  ++*busy[unit];
  finish(packet, unit, now + flight.shape.latency);
  return true;
}

void Units::arbitrate(CommitArbiter &arbiter, Cycle now) {
  arbiter.committing = std::exchange(arbiter.granted, Packet{});
  uint64_t requests = 0;
  for (unsigned i = 0; i < kCount; ++i)
    requests |= uint64_t(arbiter.inputs[i].ready(now)) << i;
  if (!requests)
    return;
  Channel<Packet> &input = arbiter.inputs[arbiter.order.grant(requests)];
  arbiter.granted = input.front();
  flights[arbiter.granted.flight].life.completed = now;
  input.pop();
}

Cycle Units::nextEvent(Cycle now) const {
  Cycle next = std::min(sfuPipe.input.nextDue(), lsu.nextResponse());
  if (lsu.isFenceDone())
    return now + 1;
  if (!lsu.isBlocked()) // else: when memory answers
    next = std::min(next, lsuPipe.input.nextDue());
  for (const Pipe &pipe : alus)
    next = std::min(next, pipe.input.nextDue());
  for (const Pipe &pipe : fpus)
    next = std::min(next, pipe.input.nextDue());
  for (const CommitArbiter &arbiter : arbiters) {
    if (arbiter.granted.flight != kNoFlight)
      return now + 1;
    for (const Channel<Packet> &input : arbiter.inputs)
      next = std::min(next, input.nextDue());
  }
  return next;
}

} // namespace vx::sim
