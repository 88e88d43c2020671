// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a socket: its cores' own parts, and the I$ and the D$ that they share.
//
//   cores' fetch ──► arbiter ──► I$ ─────────┐
//   cores' channel 0 ─► arbiter ─►┐    port 0├─► arbiter ─► memory port 0
//   cores' channel 1 ─► arbiter ─►┤ D$ ──────┘
//          …                      ┘    port 1 ────────────► memory port 1
//
// A socket of one core has no arbiters before its caches, and no cycles are spent in them. If it is
// the only one, its requests enter the caches at once.

#ifndef VX_SIMULATOR_TIMING_MEM_SOCKETMEMORY_H
#define VX_SIMULATOR_TIMING_MEM_SOCKETMEMORY_H

#include "simulator/timing/mem/Cache.h"
#include "simulator/timing/mem/CoreMemory.h"
#include "simulator/timing/mem/MemoryCounters.h"
#include <span>

namespace vx::sim {

class SocketMemory final : public MemoryClient, private FetchPort {
public:
  /// LINKS: of the socket's cores. TO: a queue per memory port.
  SocketMemory(const SimConfig &config, std::span<MemoryLink> links,
               const std::vector<MemoryPort *> &to, MemoryCounters &counters);

  void reset();
  /// See MemorySystem::restart().
  void restart(Cycle elapsed);
  /// Whatever is to be done in cycle NOW. Harmless in cycles with nothing to do. Returns the next
  /// cycle with something to do, as far as it is known.
  Cycle tick(Cycle now);
  void memoryResponse(uint32_t port, uint32_t tag, Cycle due) override;

  /// The two parts of a tick: what the cores share, and what one core has for itself.
  void tickShared(Cycle now);
  CoreMemory &coreMemory(uint32_t core) { return cores[core]; }
  const CoreMemory &coreMemory(uint32_t core) const { return cores[core]; }
  /// The next cycle with something to do for the shared part.
  Cycle nextShared() const;
  /// Returns true if requests wait for the shared part instead of entering it at once.
  bool isQueued() const { return queued; }
  bool isShared() const { return shared; }
  /// Cores' own parts are ticked in parallel from now on, or no longer.
  void setParallel(bool parallel);
  /// Warms the I$ or the D$ (Cache::warm).
  WarmAccess warmFetch(uint64_t address) { return icache.warm(WarmAccess::Read, address); }
  WarmAccess warmData(WarmAccess access, uint64_t address) { return dcache.warm(access, address); }

private:
  /// Takes a fetch of the only core.
  Cycle fetch(const FetchRequest &request, Cycle due) override {
    return icache.request(0, {request.address, request.tag, false}, due);
  }

  /// Takes the I$'s answers.
  struct FetchClient final : CacheClient {
    explicit FetchClient(SocketMemory &socket) : socket(socket) {}
    void cacheResponse(uint32_t, uint32_t tag, Cycle due) override;
    SocketMemory &socket;
  };
  /// Takes the D$'s answers.
  struct DataClient final : CacheClient {
    explicit DataClient(SocketMemory &socket) : socket(socket) {}
    void cacheResponse(uint32_t input, uint32_t tag, Cycle due) override;
    SocketMemory &socket;
  };
  /// Takes a core's lines.
  struct LineSink final : Coalescer::Sink {
    LineSink(SocketMemory &socket, uint32_t core) : socket(socket), core(core) {}
    void lineRequest(uint32_t channel, const MemoryRequest &request, Cycle due) override;
    SocketMemory &socket;
    uint32_t core;
    bool parallel = false; ///< other cores may be ticked at the same time
    // While they are, not yet known to the socket:
    uint64_t channelsUsed = 0; ///< as linesWaiting
    Cycle firstLine = kNever;
    uint64_t writesSent = 0;
  };

  void tickCaches(Cycle now);
  void resetArbiters();
  void takeFetch(Cycle now);
  void arbitrateFetches(uint64_t requests, Cycle now);
  void tickCores(Cycle now);
  void wakeTogether(bool together);
  void arbitrateLines(Cycle now);
  void arbitrateMemory(Cycle now);
  /// Returns when memory port 0 has something to pass on.
  Cycle port0Due() const { return std::min(port0[0].queue.nextDue(), port0[1].queue.nextDue()); }
  /// Queue of core CORE's channel CHANNEL.
  RequestQueue &lines(uint32_t channel, uint32_t core) {
    return lineRequests[channel * links.size() + core];
  }

  MemoryCounters &counters;
  const std::span<MemoryLink> links;
  std::vector<MemoryPort *> to;
  const bool shared;       ///< several cores
  const bool queued;       ///< several cores in the device
  const uint32_t coreBits; ///< of a tag, that name the core
  Cycle wake = kNever;     ///< of the shared part
  MemoryWake first;        ///< of the links, unless they are ticked in parallel
  FetchClient fetchClient;
  DataClient dataClient;
  std::array<MemoryPort, 2> port0; ///< of I$ and D$
  PortArbiter port0Arbiter, fetchArbiter;
  std::vector<PortArbiter> lineArbiters; ///< of each channel
  std::vector<RequestQueue> lineRequests;
  uint64_t linesWaiting = 0; ///< bit C: some core's queue of channel C has requests
  Cycle firstLine = kNever;  ///< when the first of them is there
  uint64_t storesFull = 0;   ///< as in the cores' links, unless they are ticked in parallel
  Cache icache, dcache;
  PlacedArray<LineSink> sinks;
  PlacedArray<CoreMemory> cores;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_SOCKETMEMORY_H
