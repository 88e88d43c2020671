// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the memory system that a core has for itself: the switch that follows its LSU, the
// coalescer and the local memory.
//
//   LSU ─► switch ─┬─► coalescer ─► D$
//                  └─► local memory
//
// It touches nothing of other cores: several may be ticked at a time, if not too many writes are
// under way.

#ifndef VX_SIMULATOR_TIMING_MEM_COREMEMORY_H
#define VX_SIMULATOR_TIMING_MEM_COREMEMORY_H

#include "simulator/api/SimConfig.h"
#include "simulator/timing/mem/Coalescer.h"
#include "simulator/timing/mem/LocalMemory.h"
#include "simulator/timing/mem/MemoryCounters.h"

namespace vx::sim {

class CoreMemory {
public:
  CoreMemory(const SimConfig &config, MemoryLink &link, Coalescer::Sink &sink,
             const MemoryCounters &counters);

  void reset();
  /// See MemorySystem::restart().
  void restart(Cycle elapsed) {
    coalescer.restart(elapsed);
    localMemory.restart(elapsed);
    link.ownDue = 0;
  }
  /// See Coalescer::response().
  void response(uint32_t channel, uint32_t tag, Cycle due) {
    // Each tick looks whether there are too many stores: none is left out when that may be.
    if (coalescer.answersEarly() && counters.writesUnderWay + backlog() < fewStores)
      coalescer.responseEarly(tag, due);
    else
      coalescer.response(channel, tag, due);
    link.wakeOwn(coalescer.due());
  }
  /// Whatever is to be done in cycle NOW. Harmless in cycles with nothing to do. Afterwards the
  /// link says when there will be something.
  void tick(Cycle now);
  /// Returns what waits here, as lsu.store_backlog counts it.
  uint64_t backlog() const;

  /// Its rows of the statistics.
  MemoryStats stats;

  MemoryLink &link;

private:
  void split(const LsuRequest &request, Cycle now);

  const uint64_t localBase, storeBacklog;
  const uint64_t fewStores; ///< less than that: no more than storeBacklog in the next cycles
  const MemoryCounters &counters;
  Coalescer coalescer;
  LocalMemory localMemory;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_COREMEMORY_H
