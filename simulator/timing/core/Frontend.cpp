// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/Frontend.h"
#include <algorithm>

namespace vx::sim {

Frontend::Frontend(const SimConfig &config, Core &core, Emulator &emulator, DynInstPool &insts,
                   MemoryLink &link, StaticInstCache &staticInsts)
    : buffers(core.maxSlots(), config.ibufferSize), config(config), core(core), emulator(emulator),
      insts(insts), link(link), staticInsts(staticInsts), scheduler(makeWarpScheduler(config)),
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
  DynInstId id = link.fetchResponses.front().tag;
  DynInst &inst = insts[id];
  uint32_t slot = inst.life.slot;
  if (buffers.full(slot)) {
    decodeBlocked = true;
    return SlotSet::kNone;
  }
  // The latch takes one per cycle, in the cycle before it can be decoded.
  lastFetched = std::max(link.fetchResponses.nextDue() - 1, lastFetched + 1);
  if (insts.isWatched()) [[unlikely]] {
    inst.life.fetched = lastFetched;
    inst.life.decoded = now;
  }
  buffers.push(slot, id);
  link.fetchResponses.pop();
  --fetching;
  if (!inst.staticInst.blocksFetch)
    resume(slot);
  return slot;
}

DynInstId Frontend::schedule(Cycle now) {
  uint32_t slot = scheduler->pick(ready);
  ready.erase(slot);
  stalled.insert(slot);
  ++counts[slot];
  Warp &warp = core.warps[slot];
  DynInstId id = insts.allocate();
  DynInst &inst = insts[id];
  describe(inst, warp); // as it is before the instruction
  execute(warp, now);
  describe(inst, trace);
  if (insts.isWatched()) [[unlikely]]
    describe(inst.life, now);
  // It leaves the fetch latch in the next cycle.
  link.fetch({inst.life.pc, id}, now + 1 + config.fetchLatency);
  ++fetching;
  if (warp.state == WarpState::Idle)
    refresh(); // others may have waited for its end
  return id;
}

void Frontend::execute(Warp &warp, Cycle now) {
  if (!deferred) {
    emulator.execute(core, warp, trace);
    return;
  }
  Emulator::MemoryEffect effect = emulator.stepDeferring(core, warp, trace, deferred->inOrder);
  if (effect != Emulator::MemoryEffect::Done)
    deferred->insns.push_back({now, trace.pc, warp.slot, effect});
}

/// Describes in INST what is known of an instruction before it is executed.
void Frontend::describe(DynInst &inst, const Warp &warp) {
  InsnLife &life = inst.life;
  life.slot = uint16_t(warp.slot);
  life.warp = uint16_t(warp.id);
  life.pc = warp.pc;
  life.mask = warp.mask;
  life.size = uint16_t(warp.size);
  inst.beats = warp.size > config.numThreads ? warp.size / config.numThreads : 1;
  inst.packetsLeft = 1;
}

/// Describes in INST what is known after that.
void Frontend::describe(DynInst &inst, InsnTrace &t) {
  const StaticInst &decoded = staticInsts.of(t.op, t.word);
  inst.staticInst = decoded;
  if (decoded.blocksFetch)
    inst.pathDelay = t.pathDelay;
  inst.accessBytes = t.accessBytes;
  if (t.accessBytes)
    std::copy_n(t.addresses.begin(), std::min<size_t>(inst.life.size, inst.addresses.size()),
                inst.addresses.begin());
  if (decoded.kind == StaticInst::Texture) [[unlikely]]
    inst.textureReads.swap(t.textureReads);
}

/// Describes in LIFE what only an observer wants to know.
void Frontend::describe(InsnLife &life, Cycle now) {
  life.id = scheduledCount++;
  life.core = core.id;
  life.op = trace.op;
  life.unit = staticInsts.of(trace.op, trace.word).unit;
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
