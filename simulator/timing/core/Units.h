// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatch, the functional units and the arbiters in front of commit.
//
//   dispatch ──► dispatcher ──► ALU (one per issue slot) ──┐
//                          ──► LSU (one)       ◄─► memory ─┤
//                          ──► FPU (one per issue slot) ───┼─► round-robin ──► commit
//                          ──► SFU (one) ──────────────────┤   (one per issue slot)
//                               └─► texture unit ◄─► memory ─┘
//
// A dispatcher cuts an instruction into packets of its unit's lanes and sends one per cycle;
// packets without an active lane are left out. Those of LSU and SFU look at one issue slot per
// cycle, in turn, whether it has an instruction or not. ALU, FPU and SFU are pipelined: they take a
// packet per cycle and answer after the latency of the operation.

#ifndef VX_SIMULATOR_TIMING_CORE_UNITS_H
#define VX_SIMULATOR_TIMING_CORE_UNITS_H

#include "simulator/api/Stats.h"
#include "simulator/timing/core/DynInst.h"
#include "simulator/timing/core/LoadStoreUnit.h"
#include "simulator/timing/core/SlotSet.h"
#include "simulator/timing/core/TextureUnit.h"
#include <algorithm>
#include <optional>

namespace vx::sim {

class Units {
public:
  /// The order of the inputs of the arbiters.
  enum Index : uint8_t { Alu, Lsu, Fpu, Sfu };
  static constexpr unsigned kCount = 4;

  Units(const SimConfig &config, DynInstPool &insts, MemoryLink &link, CoreStats &stats);

  /// OBSERVED: someone is told of the cycles between two ticks together, and shall not see that
  /// some ticks are not needed.
  void reset(bool observed = false);

  /// Sends an instruction, whose operands are there, to its unit. ISSUESLOT: where it came from.
  void dispatch(DynInstId id, uint32_t issueSlot, Cycle now);

  /// All units take what is due; what they finish goes to the arbiters. Calls taken(inst) for
  /// each instruction whose last packet a unit takes and that keeps its warp from being fetched,
  /// and commit(packet) for what an arbiter has granted in the cycle before, or in earlier ones
  /// that were left out.
  template <typename F, typename G> void tick(Cycle now, F taken, G commit);

  /// Instructions per cycle, of issue and of commit.
  uint32_t issueSlots() const { return width; }

  /// Between two ticks: calls commit(packet) for what arbiters have granted before cycle LIMIT.
  template <typename G> void commitUntil(Cycle limit, G commit) {
    quietUntil = quietButCommits;
    for (CommitArbiter &arbiter : arbiters) {
      commitUntil(arbiter, limit, commit);
      quietUntil = std::min(quietUntil, commitOf(arbiter, arbiter.free));
    }
  }

  /// Returns the first cycle after the last tick in which something can move, apart from answers of
  /// memory.
  Cycle nextEvent() const { return quietUntil; }
  /// Returns the next event other than a commit, for callers that know that commits may wait.
  Cycle nextButCommits() const { return observed ? quietUntil : quietButCommits; }
  /// Returns true if nothing can move in cycle NOW, after the last tick.
  bool isQuiet(Cycle now) const { return now < quietUntil && now < lsu.nextAnswer(); }

  /// Returns true if a load is on its way to memory or back.
  bool isLoading() const {
    return lsu.isWaiting() || (texture && texture->isWaiting()) ||
           std::any_of(lsuInputs.begin(), lsuInputs.end(),
                       [](const Channel<Packet> &input) { return !input.empty(); });
  }
  bool isLsuBlocked() const { return lsu.isBlocked(); }

private:
  struct CommitArbiter {
    std::array<Channel<Packet>, kCount> inputs;
    uint32_t used = 0; ///< a bit per input that is not empty
    std::array<Cycle, kCount> due{kNever, kNever, kNever, kNever}; ///< of each input's first entry
    RoundRobin order;
    Cycle next = kNever; ///< no input has an entry to take before
    Cycle free = 0;      ///< when it can grant again: once per cycle
  };

  static Index indexOf(isa::Unit unit);
  uint32_t arbiterOf(const DynInst &inst) const { return width == 1 ? 0 : inst.life.slot % width; }
  void finish(const Packet &packet, Index unit, Cycle due) {
    CommitArbiter &arbiter = arbiters[arbiterOf(insts[packet.inst])];
    arbiter.inputs[unit].push(packet, due);
    arbiter.used |= 1u << unit;
    arbiter.due[unit] = std::min(arbiter.due[unit], due);
    arbiter.next = std::min(arbiter.next, due);
  }
  /// Returns when ARBITER has something to commit that it grants in cycle NOW at the earliest: a
  /// cycle later.
  static Cycle commitOf(const CommitArbiter &arbiter, Cycle now) {
    return arbiter.next == kNever ? kNever : std::max(arbiter.next, now) + 1;
  }
  /// There is something to do in cycle DUE, other than to commit.
  void beBusy(Cycle due) {
    quietUntil = std::min(quietUntil, due);
    quietButCommits = std::min(quietButCommits, due);
  }
  void send(const Packet &packet, Index unit, uint32_t issueSlot, Cycle due);
  Packet grant(CommitArbiter &arbiter, Cycle cycle);
  template <typename G> void commitUntil(CommitArbiter &arbiter, Cycle now, G commit) {
    while (arbiter.next < now) { // all that could be granted up to the last cycle is there
      Cycle cycle = std::max(arbiter.next, arbiter.free);
      if (cycle >= now)
        return;
      arbiter.free = cycle + 1;
      commit(grant(arbiter, cycle));
    }
  }

  const SimConfig &config;
  DynInstPool &insts;
  CoreStats &stats;
  const uint32_t width;
  std::array<std::vector<Cycle>, kCount> dispatcherFree; ///< of each unit, by issue slot
  Channel<DynInstId> controls; ///< what keeps warps from being fetched for, when its unit takes it
  std::vector<Channel<Packet>> lsuInputs; ///< of each issue slot
  Cycle nextLsuInput = kNever;            ///< when the first of them has something
  LoadStoreUnit lsu;
  std::optional<TextureUnit> texture;
  std::vector<CommitArbiter> arbiters;
  const std::array<uint32_t, kCount> unitLanes;
  bool observed = false;
  Cycle quietUntil = 0;      ///< before that, only an answer of memory gives it something to do
  Cycle quietButCommits = 0; ///< `quietUntil` without commits
};

template <typename F, typename G> void Units::tick(Cycle now, F taken, G commit) {
  if (isQuiet(now))
    return;
  for (; controls.ready(now); controls.pop())
    taken(controls.front());
  if (lsu.nextAnswer() <= now || nextLsuInput <= now || lsu.hasFence()) {
    lsu.tick(lsuInputs, now, [&](const Packet &packet, Cycle due) { finish(packet, Lsu, due); });
    nextLsuInput = lsuInputs[0].nextDue();
    for (uint32_t i = 1; i < width; ++i)
      nextLsuInput = std::min(nextLsuInput, lsuInputs[i].nextDue());
  }
  Cycle next = std::min(controls.nextDue(), lsu.isFenceDone() ? now + 1 : kNever);
  if (!lsu.isBlocked() || width != 1) // else: when memory answers
    next = std::min(next, nextLsuInput);
  if (texture) {
    texture->answered(lsu.takeOthers());
    texture->tick(now, [&](const Packet &packet, Cycle due) { finish(packet, Sfu, due); });
    next = std::min(next, texture->nextEvent(now));
  }
  quietButCommits = next;
  for (CommitArbiter &arbiter : arbiters) {
    commitUntil(arbiter, now, commit);
    next = std::min(next, commitOf(arbiter, now));
    if (observed)
      next = std::min(next, std::max(arbiter.next, now + 1));
  }
  quietUntil = next;
}

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_UNITS_H
