// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load/store unit. It hands one instruction per cycle and issue slot to memory. A load holds an
// entry until all its slots have been answered; when all entries are taken, the unit waits, also
// with the stores that follow, but not with those of other issue slots. A store, and an atomic
// other than lr, is done when it has been handed over. A fence waits for all loads.

#ifndef VX_SIMULATOR_TIMING_CORE_LOADSTOREUNIT_H
#define VX_SIMULATOR_TIMING_CORE_LOADSTOREUNIT_H

#include "simulator/api/Stats.h"
#include "simulator/timing/core/DynInst.h"

namespace vx::sim {

class LoadStoreUnit {
public:
  LoadStoreUnit(const SimConfig &config, DynInstPool &insts, MemoryLink &link, CoreStats &stats)
      : config(config), insts(insts), link(link), stats(stats), pending(config.lsuPendingLoads) {}

  /// EVERYANSWER: it is to be ticked for each answer of memory, not only for the last of a load.
  void reset(bool everyAnswer);

  /// Takes what memory has answered and a packet of each of INPUTS; calls finish(packet, due) for
  /// what is done.
  template <typename F> void tick(std::vector<Channel<Packet>> &inputs, Cycle now, F finish) {
    if (link.nextAnswer <= now)
      if (Packet done = takeAnswers(now); done.inst != kNoDynInst)
        finish(done, now + 1);
    if (hasFence() && used)
      return;
    blocked = false;
    for (Channel<Packet> &input : inputs) {
      if (hasFence()) {
        if (used)
          continue;
        finish(std::exchange(fence, Packet{}), now + 1);
      }
      if (!input.ready(now))
        continue;
      Packet packet = input.front();
      if (!start(packet, now))
        continue;
      input.pop();
      if (insts[packet.inst].staticInst.kind == StaticInst::Store)
        finish(packet, now + 1);
    }
  }

  /// Returns true if it waits for an entry, or for the loads in front of a fence.
  bool isBlocked() const { return blocked || (fence.inst != kNoDynInst && used); }
  /// Returns true if it waits for answers of memory.
  bool isWaiting() const { return used != 0; }
  /// Returns true if a fence waits. Without one, an answer or an input there is nothing to tick.
  bool hasFence() const { return fence.inst != kNoDynInst; }
  /// Returns true if a fence can complete in the next cycle.
  bool isFenceDone() const { return fence.inst != kNoDynInst && !used; }
  /// Returns when it has to be ticked for answers of memory.
  Cycle nextAnswer() const { return link.nextAnswer; }
  /// Returns the slots answered since the last call that are not the LSU's: those of tags after
  /// those of its loads.
  uint32_t takeOthers() { return std::exchange(otherSlots, 0); }

private:
  struct Pending {
    Packet packet;
    uint32_t slotsLeft = 0; ///< 0: the entry is free
  };

  Packet takeAnswers(Cycle now);
  Packet answer(const LsuResponse &response);
  bool start(const Packet &packet, Cycle now);
  void send(const Packet &packet, const DynInst &inst, uint32_t tag, Cycle now);
  uint32_t freeEntry() const;

  const SimConfig &config;
  DynInstPool &insts;
  MemoryLink &link;
  CoreStats &stats;
  std::vector<Pending> pending;
  uint32_t used = 0;    ///< entries of `pending`
  Cycle lastAnswer = 0; ///< when the last answer was taken
  Packet fence;
  uint32_t otherSlots = 0;
  bool blocked = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_LOADSTOREUNIT_H
