// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/Frontend.h"
#include <algorithm>

namespace vx::sim {

Frontend::Frontend(const SimConfig &config, Core &core, Emulator &emulator, FlightPool &flights,
                   MemoryLink &link, InsnShapes &shapes)
    : buffers(core.maxSlots(), config.ibufferSize), config(config), core(core), emulator(emulator),
      flights(flights), link(link), shapes(shapes), scheduler(makeWarpScheduler(config)),
      counts(core.maxSlots()) {}

void Frontend::reset() {
  buffers.clear();
  scheduler->reset();
  ready.clear();
  stalled.clear();
  decodeBlocked = false;
  lastFetched = fetching = 0;
  scheduledCount = 0;
  std::fill(counts.begin(), counts.end(), 0);
  refresh();
}

uint32_t Frontend::decodeFront(Cycle now) {
  FlightId id = link.fetchResponses.front().tag;
  Flight &flight = flights[id];
  uint32_t slot = flight.life.slot;
  if (buffers.full(slot)) {
    decodeBlocked = true;
    return SlotSet::kNone;
  }
  // The latch takes one per cycle, in the cycle before it can be decoded.
  lastFetched = std::max(link.fetchResponses.nextDue() - 1, lastFetched + 1);
  if (flights.isWatched()) [[unlikely]] {
    flight.life.fetched = lastFetched;
    flight.life.decoded = now;
  }
  buffers.push(slot, id);
  link.fetchResponses.pop();
  --fetching;
  if (!flight.shape.blocksFetch)
    resume(slot);
  return slot;
}

FlightId Frontend::schedule(Cycle now) {
  uint32_t slot = scheduler->pick(ready);
  ready.erase(slot);
  stalled.insert(slot);
  ++counts[slot];
  Warp &warp = core.warps[slot];
  FlightId id = flights.allocate();
  Flight &flight = flights[id];
  describe(flight, warp); // as it is before the instruction
  execute(warp, now);
  describe(flight, trace);
  if (flights.isWatched()) [[unlikely]]
    describe(flight.life, now);
  // It leaves the fetch latch in the next cycle.
  link.fetch({flight.life.pc, id}, now + 1 + config.fetchLatency);
  ++fetching;
  if (warp.state == WarpState::Idle)
    refresh(); // others may have waited for its end
  return id;
}

void Frontend::execute(Warp &warp, Cycle now) {
  if (!apart) {
    emulator.execute(core, warp, trace);
    return;
  }
  Emulator::Rest rest = emulator.stepApart(core, warp, trace, apart->inOrder);
  if (rest != Emulator::Rest::Nothing)
    apart->insns.push_back({now, trace.pc, warp.slot, rest});
}

/// What is known of an instruction before it is executed.
void Frontend::describe(Flight &flight, const Warp &warp) {
  InsnLife &life = flight.life;
  life.slot = uint16_t(warp.slot);
  life.warp = uint16_t(warp.id);
  life.pc = warp.pc;
  life.mask = warp.mask;
  life.size = uint16_t(warp.size);
  flight.beats = warp.size > config.numThreads ? warp.size / config.numThreads : 1;
  flight.packetsLeft = 1;
}

/// And behind that.
void Frontend::describe(Flight &flight, InsnTrace &t) {
  const InsnShape &shape = shapes.of(t.op, t.word);
  flight.shape = shape;
  if (shape.blocksFetch)
    flight.pathDelay = t.pathDelay;
  flight.accessBytes = t.accessBytes;
  if (t.accessBytes)
    std::copy_n(t.addresses.begin(), std::min<size_t>(flight.life.size, flight.addresses.size()),
                flight.addresses.begin());
  if (shape.kind == InsnShape::Texture) [[unlikely]]
    flight.textureReads.swap(t.textureReads);
}

/// What only an observer wants to know.
void Frontend::describe(InsnLife &life, Cycle now) {
  life.id = scheduledCount++;
  life.core = core.id;
  life.op = trace.op;
  life.unit = shapes.of(trace.op, trace.word).unit;
  life.word = trace.word;
  life.scheduled = now;
}

void Frontend::resume(uint32_t slot) {
  stalled.erase(slot);
  if (core.warps[slot].state == WarpState::Ready)
    ready.insert(slot);
}

void Frontend::refresh() {
  for (uint32_t slot = 0; slot < core.warps.size(); ++slot)
    if (core.warps[slot].state == WarpState::Ready && !stalled.contains(slot))
      ready.insert(slot);
}

} // namespace vx::sim
