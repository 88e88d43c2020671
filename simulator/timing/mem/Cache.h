// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache: inputs, a crossbar, banks, and ports to the next level.
//
//   input 0 ─►┐          ┌─► bank 0 ─►┐           ┌─► port 0
//   input 1 ─►┤ crossbar ├─► bank 1 ─►┤ arbiters  ├─► port 1
//      …      ┘          └─►   …      ┘           └─►   …
//
// Per cycle a bank takes a request of the lowest input that has one for it, and with virtual ports
// also those of other inputs to the same line (input i through port i mod ports). With one input
// and one bank there is no crossbar, and no cycle is spent in it. After a reset the cache takes
// nothing for as many cycles as a bank has sets. A disabled cache only arbitrates.
//
// Requests to the I/O area (AddressMap.h: console and counters) go past the banks: input i to port
// i mod ports, where they wait for cycles in which no bank sends.
//
// Ports take turns among their banks, and as in SimX all of a cache know only one last turn: each
// continues where the port before it has been. (Its TxArbiter copies one Arbiter per output, and
// copies share their state.)

#ifndef VX_SIMULATOR_TIMING_MEM_CACHE_H
#define VX_SIMULATOR_TIMING_MEM_CACHE_H

#include "simulator/timing/PlacedArray.h"
#include "simulator/timing/mem/Arbiter.h"
#include "simulator/timing/mem/CacheBank.h"

namespace vx::sim {

class Cache final : private CacheBank::Outputs {
public:
  /// Misses and writes go to TO, one queue per memory port.
  Cache(const CacheGeometry &geometry, CacheClient &client, std::vector<MemoryPort *> to,
        const CacheCounters &counters);

  /// Initialisation begins in cycle 0.
  void reset();
  /// See MemorySystem::restart().
  void restart(Cycle elapsed);
  /// A request reaches input INPUT in cycle DUE. Returns when the cache, or what it has asked, has
  /// work because of it; kNever: none, it has been answered.
  Cycle request(uint32_t input, const MemoryRequest &request, Cycle due);
  /// The answer to what went out with tag TAG reaches memory port PORT in cycle DUE.
  void fill(uint32_t port, uint32_t tag, Cycle due);
  /// To be called in cycle due(), and harmless in others.
  void tick(Cycle now);
  /// The next cycle with something to do.
  Cycle due() const { return wake; }
  /// ACCESS while time stands still, as CacheBank::warm(). Returns what the next level sees.
  WarmAccess warm(WarmAccess access, uint64_t address);

private:
  struct InputRequest {
    uint64_t line = 0;
    uint32_t tag = 0;
    bool isWrite = false;
  };
  struct Answer {
    uint32_t tag = 0, input = 0;
  };

  Cycle bypass(uint32_t input, const MemoryRequest &request, Cycle due);
  void sendBypassed(Cycle now);
  void bankResponse(uint32_t bank, const BankRequest &request, Cycle now) override;
  void bankMemory(uint32_t bank, uint64_t line, uint32_t entry, bool isWrite, Cycle now) override;
  void routeRequests(Cycle now);
  void routeResponses(Cycle now);
  void arbitrateMemory(Cycle now);
  void sendOut(uint32_t port, const MemoryRequest &request, Cycle due);
  void wakeBanks(Cycle due) {
    nextBank = std::min(nextBank, due);
    wake = std::min(wake, due);
  }
  Cycle nextEvent() const;
  bool sharedPorts() const { return banks.size() != to.size(); }
  uint32_t sources() const { return geometry.enabled ? geometry.banks : geometry.inputs; }

  const CacheGeometry geometry;
  const uint32_t lineBits, bankBits;
  const bool direct; ///< no crossbar
  CacheClient &client;
  std::vector<MemoryPort *> to;
  const CacheCounters &counters;

  Cycle readyAt = 0; ///< when initialisation is over
  std::vector<Channel<InputRequest>> inputs;
  PlacedArray<CacheBank> banks;
  std::vector<Channel<Answer>> answers;     ///< of each bank
  std::vector<RequestQueue> memoryRequests; ///< of each bank (input, when disabled) to the arbiters
  PortArbiter memoryArbiter;                ///< of all ports
  std::vector<Cycle> portFree;              ///< of each port: when its next request may leave
  /// For each port: cycles in which a request of a bank leaves, also some that are to come; cycle C
  /// is at C mod size.
  std::vector<std::array<Cycle, 8>> portUsed;
  std::vector<RequestQueue> bypasses; ///< of each port
  std::vector<Answer> bypassReads;    ///< who has asked; numbered after the entries of an MSHR
  std::vector<uint32_t> freeBypassReads;
  PortArbiter answerArbiter;
  std::vector<BankRequest *> routed; ///< of each bank: what it takes in this cycle
  std::vector<uint64_t> wanted;      ///< of each input: a bit per bank with an answer for it
  uint32_t waiting = 0, answersWaiting = 0, memoryWaiting = 0; ///< entries of the queues
  uint32_t bypassesWaiting = 0;
  Cycle nextBank = kNever; ///< no bank has work before
  Cycle wake = kNever;
  Cycle lastEntered = 0; ///< direct: when the last request enters its bank
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_CACHE_H
