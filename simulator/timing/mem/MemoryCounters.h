// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of MemoryStats that belong to each kind of cache.

#ifndef VX_SIMULATOR_TIMING_MEM_MEMORYCOUNTERS_H
#define VX_SIMULATOR_TIMING_MEM_MEMORYCOUNTERS_H

#include "simulator/api/Stats.h"

namespace vx::sim {

struct CacheCounters {
  uint64_t &reads, &writes, &readMisses, &writeMisses, &bankConflicts, &mshrStalls, &mshrMerges,
      &evictions, &writeBacks;
  uint64_t &writesUnderWay; ///< as in MemoryCounters
};

/// Views of STATS, which must outlive them.
struct MemoryCounters {
  explicit MemoryCounters(MemoryStats &stats)
      : icache{stats.icacheReads,
               never,
               stats.icacheReadMisses,
               never,
               never,
               stats.icacheMshrStalls,
               stats.icacheMshrMerges,
               stats.icacheEvictions,
               never,
               writesUnderWay},
#define VX_LEVEL(level)                                                                            \
  level {                                                                                          \
    stats.level##Reads, stats.level##Writes, stats.level##ReadMisses, stats.level##WriteMisses,    \
        stats.level##BankConflicts, stats.level##MshrStalls, stats.level##MshrMerges,              \
        stats.level##Evictions, stats.level##WriteBacks, writesUnderWay                            \
  }
        VX_LEVEL(dcache), VX_LEVEL(l2), VX_LEVEL(l3), stats(stats) {
  }
#undef VX_LEVEL
  MemoryCounters(const MemoryCounters &) = delete;

  uint64_t never = 0; ///< what an I$ cannot count
  /// Written lines between a coalescer (or an eviction) and DRAM (or a cache that keeps them): all
  /// that could grow without limit, as nothing waits for writes. Not a statistic.
  uint64_t writesUnderWay = 0;
  CacheCounters icache, dcache, l2, l3;
  MemoryStats &stats;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_MEMORYCOUNTERS_H
