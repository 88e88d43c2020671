// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Emulator.h"
#include "simulator/func/TileGroups.h"

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

uint64_t Emulator::run(Core &core, Warp &warp, uint64_t budget) {
  exec.bind(core, warp);
  decoder.dropStale();
  CoreStats &stats = core.stats;
  uint64_t left = budget;
  while (left && !exec.stopped()) {
    Decoder::Page &page = decoder.page(exec.pc);
    uint64_t pageStart = exec.pc & ~(Decoder::kPageBytes - 1);
    do {
      Insn &insn = page[(exec.pc - pageStart) / 4];
      exec.current = &insn;
      exec.nextPc = exec.pc + 4;
      ++stats.warpInstructions;
      ++stats.cycles;
      stats.threadInstructions += exec.activeLanes();
      insn.run(exec, insn);
      exec.pc = exec.nextPc;
      --left;
    } while (left && !exec.stopped() && (exec.pc ^ pageStart) < Decoder::kPageBytes);
  }
  stats.laneSlots += (budget - left) * exec.lanes; // a group changes between two calls only
  finish(core, warp);
  return budget - left;
}

void Emulator::step(Core &core, Warp &warp, InsnTrace &trace) {
  trace.core = core.id;
  trace.slot = warp.slot;
  trace.warp = warp.id;
  trace.base = warp.base;
  trace.size = warp.size;
  trace.pc = warp.pc;
  trace.mask = warp.mask;
  trace.accessBytes = 0;
  exec.trace = &trace;
  run(core, warp, 1);
  exec.trace = nullptr;
  trace.op = exec.current->op;
  trace.word = exec.current->word;
  trace.nextPc = exec.pc;
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
  exec.trap(cause, lane, std::move(detail));
  uint32_t &word = device.trap.instruction;
  if (const uint8_t *bytes = device.memory.pointer(warp.pc, sizeof word, kExecute))
    std::memcpy(&word, bytes, sizeof word);
}

} // namespace vx::sim
