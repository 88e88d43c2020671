// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One bank of a non-blocking cache.
//
//   replays of the MSHR ─┐
//   fills ───────────────┼─► pipeline ─► tags ─┬─► responses
//   requests ────────────┘                     └─► misses, writes: to the next level
//
// One of the three enters the pipeline per cycle, in this order of priority. A fill makes its line
// valid as it enters and replays its first waiting request in the same slot; the others follow one
// per cycle without a lookup. A request needs a free MSHR entry to enter, whatever becomes of it,
// and gives it back when it hits, is passed on or is replayed; with write-through, writes enter
// always. The way of a missing line is chosen at the lookup and not reserved.

#ifndef VX_SIMULATOR_TIMING_MEM_CACHEBANK_H
#define VX_SIMULATOR_TIMING_MEM_CACHEBANK_H

#include "simulator/timing/mem/MemoryCounters.h"
#include "simulator/timing/mem/MemoryRequest.h"
#include "simulator/timing/mem/Mshr.h"
#include "simulator/timing/mem/Replacement.h"
#include <memory>
#include <vector>

namespace vx::sim {

struct CacheGeometry {
  bool enabled = true;
  uint32_t size = 0, ways = 0, line = 0, banks = 1;
  uint32_t inputs = 1, memoryPorts = 1;
  uint32_t ports = 1; ///< virtual ports of a bank
  uint32_t mshr = 16, latency = 2;
  bool writeBack = false;
  ReplacementName replacement = ReplacementName::Counter;
  bool ioBypasses = true; ///< requests to the I/O area go past the banks

  uint32_t setsPerBank() const { return size / (ways * line * banks); }
};

class CacheBank {
public:
  /// The effects of a bank on the outside in a cycle; the cache carries them out.
  class Outputs {
  public:
    virtual ~Outputs() = default;
    /// REQUEST of bank BANK is answered.
    virtual void bankResponse(uint32_t bank, const BankRequest &request, Cycle now) = 0;
    /// Line LINE is read (the fill names ENTRY) or written.
    virtual void bankMemory(uint32_t bank, uint64_t line, uint32_t entry, bool isWrite,
                            Cycle now) = 0;
  };

  CacheBank(const CacheGeometry &geometry, uint32_t index, Outputs &outputs,
            const CacheCounters &counters);

  void reset();
  /// See MemorySystem::restart().
  void restart(Cycle elapsed);
  void tick(Cycle now);
  /// Returns true if no request, fill or replay is anywhere in the bank
  /// (and the MSHR has an entry for each that may be in the pipeline).
  bool isQuiet() const {
    return occupied == 0 && requests.empty() && pipeline.empty() && mshr.capacity() >= latency;
  }
  /// REQUEST enters a quiet bank in cycle ENTERED, later than all others before. Its whole way is
  /// known at once. Returns whether it was a read that hit.
  bool enterQuiet(const BankRequest &request, Cycle entered);
  /// Does what enterQuiet() does for a read of LINE, if that hits; else nothing has happened. The
  /// answer leaves the bank in cycle ENTERED + quietLatency().
  bool hitQuiet(uint64_t line) {
    LastHit &last = lastHits[setOf(line)];
    if (line != last.line && !findQuiet(line))
      return false;
    ++counters.reads;
    ++last.count;
    return true;
  }
  Cycle quietLatency() const { return latency - 1; }
  /// LINE is accessed while time stands still: only tags and the policy know of it. Returns whether
  /// it hit.
  bool warm(uint64_t line, bool isWrite) {
    LastHit &last = lastHits[setOf(line)];
    if (!isWrite && (line == last.line || findQuiet(line))) {
      ++last.count;
      return true;
    }
    return warmOther(line, isWrite);
  }
  /// The first cycle after NOW with something to do.
  Cycle nextEvent(Cycle now) const;

  /// Requests to this bank; filled by what routes them.
  Channel<BankRequest> requests;
  /// Lines that arrived: MSHR entries.
  Channel<uint32_t> fills;

private:
  struct Way {
    uint64_t line = 0;
    bool dirty = false;
  };

  bool findQuiet(uint64_t line);
  bool warmOther(uint64_t line, bool isWrite);
  void settleHits(uint32_t set);
  void takeInput(Cycle now);
  void takeFill(uint32_t entry);
  void process(const BankRequest &request, Cycle now);
  void hit(const BankRequest &request, uint32_t set, uint32_t way, Cycle now);
  void passOn(const BankRequest &request, Cycle now);
  void miss(const BankRequest &request, uint32_t set, uint32_t victim, Cycle now);
  bool blocked() const {
    return occupied >= mshr.capacity() && (writeBack || !requests.front().isWrite);
  }
  /// The way of SET that holds LINE, or -1.
  int findWay(uint32_t set, uint64_t line) const {
    const Way *way = &lines[size_t(set) * ways];
    int found = -1;
    for (uint32_t i = 0; i != ways; ++i)
      if (way[i].line == line && (valid[set] >> i & 1))
        found = int(i);
    return found;
  }
  uint64_t invalidWays(uint32_t set) const { return ~valid[set] & (~uint64_t(0) >> (64 - ways)); }
  uint32_t setOf(uint64_t line) const { return uint32_t(line >> bankBits) & (sets - 1); }

  const uint32_t index, sets, ways, bankBits, latency;
  const bool writeBack;
  Outputs &outputs;
  const CacheCounters &counters;
  std::unique_ptr<ReplacementPolicy> policy;
  Mshr mshr;
  uint32_t occupied = 0; ///< MSHR entries that are used or promised
  Channel<BankRequest> pipeline;
  std::vector<Way> lines;      ///< by set, then way
  std::vector<uint64_t> valid; ///< by set: a bit per way
  Cycle blockedSince = kNever;
  /// The line that hitQuiet() found last in a set, as long as it is there.
  struct LastHit {
    static constexpr uint64_t kNoLine = ~uint64_t(0);
    uint64_t line = kNoLine;
    uint32_t way = 0;
    uint64_t count = 0; ///< how often, since the policy has been told
  };
  std::vector<LastHit> lastHits; ///< by set
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_CACHEBANK_H
