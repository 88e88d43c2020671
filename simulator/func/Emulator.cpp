// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Emulator.h"
#include "simulator/func/TileGroups.h"
#include <algorithm>

namespace vx::sim {

void Emulator::reset(uint64_t pc, uint64_t argument) {
  for (Core &core : device.cores) {
    core.mscratch = argument;
    std::fill(core.x.begin() + Core::kBlockHintRegister * device.stride, core.x.end(),
              TrapReport::kNoHint);
    resetGroups(core);
    core.warps[0].state = WarpState::Ready;
    core.warps[0].pc = pc;
    core.warps[0].mask = 1;
  }
  device.reservations.clearAll();
  device.trap = {};
  device.exitCode.reset();
}

/// WARP, which keeps paths, has executed INSN at PC. Returns the cycles until its next path is
/// known.
uint32_t Emulator::nextPath(Warp &warp, const Insn &insn, uint64_t pc) {
  if (warp.state != WarpState::Ready || exec.trapped())
    return 0;
  choosePath(exec, insn, pc);
  return warp.paths->delay;
}

/// Executes the next instruction of the bound warp, counts it, and returns it.
[[gnu::always_inline]] inline const Insn &Emulator::executeNext(CoreStats &stats) {
  Insn &insn = decoder.page(exec.pc)[exec.pc % Decoder::kPageBytes / 4];
  exec.current = &insn;
  exec.nextPc = exec.pc + 4;
  ++stats.warpInstructions;
  ++stats.cycles;
  stats.threadInstructions += exec.activeLanes();
  stats.laneSlots += exec.lanes;
  insn.run(exec, insn);
  exec.pc = exec.nextPc;
  return insn;
}

/// Runs a warp that keeps paths, like run(): another path may be chosen after each instruction.
uint64_t Emulator::runPaths(Core &core, Warp &warp, uint64_t budget) {
  exec.bind(core, warp);
  decoder.dropStale();
  uint64_t left = budget;
  while (left && !exec.stopped()) {
    uint64_t pc = exec.pc;
    const Insn &insn = executeNext(core.stats);
    --left;
    nextPath(warp, insn, pc);
  }
  finish(core, warp);
  return budget - left;
}

/// Executes COUNT instructions from INSN on, which are straight; fewer if one stops the warp.
/// Returns how many.
[[gnu::always_inline]] inline uint64_t Emulator::executeStraight(Insn *insn, uint64_t count) {
  Insn *const begin = insn, *const end = insn + count;
  do {
    exec.current = insn;
    insn->run(exec, *insn);
    exec.pc += 4;
    ++insn;
  } while (insn != end && !exec.stopped());
  return uint64_t(insn - begin);
}

uint64_t Emulator::run(Core &core, Warp &warp, uint64_t budget) {
  if (warp.paths) [[unlikely]]
    return runPaths(core, warp, budget);
  exec.bind(core, warp);
  decoder.dropStale();
  CoreStats &stats = core.stats;
  uint64_t left = budget;
  while (left && !exec.stopped()) {
    Insn &insn = decoder.page(exec.pc)[exec.pc % Decoder::kPageBytes / 4];
    if (!insn.straight) {
      executeNext(stats);
      --left;
      continue;
    }
    uint64_t done = executeStraight(&insn, std::min<uint64_t>(insn.straight, left));
    stats.warpInstructions += done;
    stats.cycles += done;
    stats.threadInstructions += done * exec.activeLanes();
    stats.laneSlots += done * exec.lanes;
    left -= done;
  }
  finish(core, warp);
  return budget - left;
}

bool Emulator::mayStore(uint64_t pc) {
  Access access = decoder.page(pc)[pc % Decoder::kPageBytes / 4].access;
  return access == Access::Store || access == Access::Atomic || access == Access::NotDecoded;
}

uint64_t Emulator::runToStore(Core &core, Warp &warp, uint64_t budget) {
  exec.bind(core, warp);
  decoder.dropStale();
  uint64_t left = budget;
  do {
    executeNext(core.stats);
    --left;
  } while (left && !exec.stopped() && !mayStore(exec.pc));
  finish(core, warp);
  return budget - left;
}

uint64_t Emulator::runShown(Core &core, Warp &warp, uint64_t budget, AccessObserver &who) {
  InsnTrace trace;
  trace.accessBytes = 0;
  exec.trace = &trace;
  exec.bind(core, warp);
  decoder.dropStale();
  uint64_t left = budget, block = ~exec.pc;
  while (left && !exec.stopped()) {
    uint64_t pc = exec.pc;
    if ((pc ^ block) >= AccessObserver::kFetchBlock)
      who.fetched(core.id, pc);
    block = pc & ~(AccessObserver::kFetchBlock - 1);
    const Insn &insn = executeNext(core.stats);
    --left;
    if (trace.accessBytes && !exec.trapped()) {
      who.accessed(core.id, insn.access, exec.mask(), trace.addresses.data());
      trace.accessBytes = 0;
    }
    if (insn.access == Access::Texture && !exec.trapped()) [[unlikely]]
      showTexels(core, trace, who);
    if (warp.paths) [[unlikely]]
      nextPath(warp, insn, pc);
  }
  exec.trace = nullptr;
  finish(core, warp);
  return budget - left;
}

/// Shows what a vx_tex has read, a lane at a time.
void Emulator::showTexels(const Core &core, InsnTrace &trace, AccessObserver &who) {
  for (const TextureRead &read : trace.textureReads) {
    trace.addresses[read.lane] = read.address;
    who.accessed(core.id, Access::Load, uint64_t(1) << read.lane, trace.addresses.data());
  }
}

void Emulator::describe(const Core &core, const Warp &warp, InsnTrace &trace) const {
  trace.core = core.id;
  trace.slot = warp.slot;
  trace.warp = warp.id;
  trace.base = warp.base;
  trace.size = warp.size;
  trace.pc = warp.pc;
  trace.mask = warp.mask;
}

void Emulator::step(Core &core, Warp &warp, InsnTrace &trace) {
  describe(core, warp, trace);
  execute(core, warp, trace);
  trace.nextPc = exec.nextPc;
}

void Emulator::execute(Core &core, Warp &warp, InsnTrace &trace) {
  trace.accessBytes = 0;
  exec.trace = &trace;
  exec.bind(core, warp);
  decoder.dropStale();
  uint64_t pc = exec.pc;
  const Insn &insn = executeNext(core.stats);
  if (warp.paths) [[unlikely]]
    trace.pathDelay = nextPath(warp, insn, pc);
  finish(core, warp);
  exec.trace = nullptr;
  trace.op = insn.op;
  trace.word = insn.word;
}

/// Describes the access INSN of the bound warp, without the values. Returns how many of the active
/// lanes access what only this core can reach.
unsigned Emulator::describeAccess(const Insn &insn, InsnTrace &trace) {
  constexpr unsigned sizeField = 12, sizeMask = 3; // log2, of all loads, stores and atomics
  trace.accessBytes = uint8_t(1u << (insn.word >> sizeField & sizeMask));
  uint64_t offset = uint64_t(insn.imm);
  uint64_t addressMask = device.config.xlen == 32 ? 0xffffffff : ~uint64_t(0);
  const uint64_t *base = exec.x(insn.rs1);
  unsigned own = 0;
  exec.forLanes([&](unsigned lane) {
    uint64_t address = (base[lane] + offset) & addressMask;
    trace.addresses[lane] = address;
    own += exec.isOwn(address);
  });
  return own;
}

Emulator::MemoryEffect Emulator::stepDeferring(Core &core, Warp &warp, InsnTrace &trace,
                                               bool &inOrder) {
  decoder.dropStale();
  exec.bind(core, warp);
  Insn &insn = decoder.page(exec.pc)[exec.pc % Decoder::kPageBytes / 4];
  exec.current = &insn;
  if ((insn.access == Access::NotDecoded && !decoder.decodeAt(exec, insn)) ||
      insn.access == Access::None) {
    step(core, warp, trace); // where decoding has failed, it does so again
    return MemoryEffect::Done;
  }
  if (insn.access == Access::Texture) { // its results are not among its operands
    step(core, warp, trace);
    return MemoryEffect::Replay;
  }
  unsigned own = describeAccess(insn, trace);
  bool isLoad = insn.access == Access::Load;
  if (own == exec.activeLanes() && !inOrder && insn.access != Access::Atomic &&
      (isLoad || !device.reservations.any())) {
    step(core, warp, trace);
    return MemoryEffect::Done;
  }
  inOrder |= own != 0 || insn.access == Access::Atomic;
  bool losesBase = insn.rd == insn.rs1; // a load that cannot be repeated
  if (isLoad && !losesBase) {
    step(core, warp, trace);
    return MemoryEffect::Replay;
  }
  describe(core, warp, trace);
  trace.op = insn.op;
  trace.word = insn.word;
  CoreStats &stats = core.stats;
  ++stats.warpInstructions;
  stats.threadInstructions += exec.activeLanes();
  stats.laneSlots += exec.lanes;
  ++(isLoad ? stats.loads : insn.access == Access::Store ? stats.stores : stats.atomics);
  return MemoryEffect::Deferred;
}

void Emulator::performDeferred(Core &core, Warp &warp, uint64_t pc) {
  CoreStats counted = core.stats; // stepDeferring() has counted the instruction
  warp.pc = pc;
  run(core, warp, 1);
  core.stats = counted;
}

void Emulator::finish(Core &core, Warp &warp) {
  exec.release();
  if (warp.state == WarpState::Idle) {
    endGroup(core, warp);
    device.control->end(core, warp);
  } else if (warp.state == WarpState::AtTile) {
    device.control->tile(core, warp);
  }
}

void Emulator::trap(Core &core, Warp &warp, TrapCause cause, std::string detail) {
  exec.bind(core, warp);
  exec.current = nullptr;
  unsigned lane = exec.mask() ? exec.firstLane() : 0; // none when the warp has ended
  TrapReport &report = exec.trap(cause, lane, std::move(detail));
  if (const uint8_t *bytes = exec.pointer(warp.pc, sizeof report.instruction, kExecute))
    std::memcpy(&report.instruction, bytes, sizeof report.instruction);
}

} // namespace vx::sim
