// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory system of the timing model, from the cores' links to DRAM: per core the split between
// local and global accesses, the coalescer and the local memory; per socket I$ and D$; per cluster
// the L2, and the L3, if they exist; DRAM.

#ifndef VX_SIMULATOR_TIMING_MEM_MEMORYSYSTEM_H
#define VX_SIMULATOR_TIMING_MEM_MEMORYSYSTEM_H

#include "simulator/api/SimConfig.h"
#include "simulator/api/Stats.h"
#include "simulator/timing/mem/MemoryLink.h"
#include "simulator/timing/mem/MemoryRequest.h"
#include <memory>
#include <vector>

namespace vx::sim {

class MemorySystem {
public:
  /// Builds what CONFIG (validated) describes, one link per core.
  static std::unique_ptr<MemorySystem> create(const SimConfig &config);
  virtual ~MemorySystem() = default;

  /// Returns the channels of a core; they live as long as the memory system.
  MemoryLink &link(uint32_t core) { return links[core]; }

  /// Enters the state after power-on: caches invalid (and busy initialising), queues empty. The
  /// next cycle is 0. Statistics stay.
  virtual void reset() = 0;
  /// The next run of the same device: cycle ELAPSED, when the last one ended by itself, becomes
  /// cycle 0. As in SimX (CacheBank::reset, DramSim::Impl::reset), caches are busy initialising for
  /// a while but keep their lines, DRAM keeps its open rows, and stores that were on their way
  /// still are.
  virtual void restart(Cycle elapsed) = 0;
  /// Advances everything by one cycle. Called with increasing NOW before the cores' own ticks.
  /// Returns the first cycle after NOW in which there is something to do, or kNever: those before
  /// it, and before what the cores send meanwhile, may be left out. Responses that wait in a link
  /// do not count: the core knows of them.
  virtual Cycle tick(Cycle now) = 0;

  // A tick may be split in two parts. Each core's own part may be ticked, and the core itself, up
  // to independence() cycles from NOW on, before the shared part is ticked again after NOW: what
  // cores send reaches it later than in the cycle in which they send it, and what it sends reaches
  // them no earlier than that many cycles after NOW. Own parts of several cores may be ticked at a
  // time.

  /// Returns how many cycles that is; 0: there are no such parts.
  virtual Cycle independence() const { return 0; }
  /// Returns true if in CYCLES cycles so many stores may get under way that cores have to wait
  /// (lsu.store_backlog): they wait for each other's stores, too.
  virtual bool mayFillUp(Cycle) const { return true; }
  /// Sets if cores are ticked in parallel from now on.
  virtual void setParallel(bool) {}
  virtual void tickShared(Cycle) {}
  virtual void tickOwn(uint32_t, Cycle) {}
  /// Returns the next cycle with something to do for the shared part, for a core's own.
  virtual Cycle nextShared() const { return kNever; }
  virtual Cycle nextOwn(uint32_t) const { return kNever; }
  /// Returns the statistics of a core's own part.
  virtual MemoryStats *ownStats(uint32_t) { return nullptr; }

  // While time stands still, instructions may be executed that caches shall know of: lines and
  // what their replacement depends on, nothing else.

  /// A fetch of CORE from the line at ADDRESS.
  virtual void warmFetch(uint32_t, uint64_t) {}
  /// The lanes of LANES of an instruction of CORE access ADDRESSES, which is by lane.
  virtual void warmAccess(uint32_t, WarmAccess, uint64_t, const uint64_t *) {}

  /// Counts since the last resetStats().
  virtual MemoryStats stats() const { return counters; }
  virtual void resetStats() { counters = {}; }

protected:
  explicit MemorySystem(uint32_t cores) : links(cores) {}

  std::vector<MemoryLink> links;
  MemoryStats counters;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_MEMORYSYSTEM_H
