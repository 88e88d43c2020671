// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local memory of a core: banks behind a crossbar, words interleaved over the banks.
//
//   slot 0 ─►┐          ┌─► bank 0 ─►┐          ┌─► slot 0 ─►┐
//   slot 1 ─►┤ crossbar ├─► bank 1 ─►┤ crossbar ├─► slot 1 ─►┤ answers of one load together
//      …     ┘          └─►   …      ┘          └─►   …      ┘
//
// Every slot has a queue. Per cycle a bank takes the request of the lowest slot that has one for
// it: with two loads on the way, the second one's low slots go before the first one's high slots.
// Two slots that want the same word do not share an access.
//
// A load (store) whose slots all go to different banks while nothing else is on the way takes the
// same time without the queues.

#ifndef VX_SIMULATOR_TIMING_MEM_LOCALMEMORY_H
#define VX_SIMULATOR_TIMING_MEM_LOCALMEMORY_H

#include "simulator/api/Stats.h"
#include "simulator/timing/mem/Arbiter.h"
#include "simulator/timing/mem/MemoryLink.h"

namespace vx::sim {

class LocalMemory {
public:
  struct Shape {
    uint32_t slots = 8, banks = 8, wordBytes = 8, latency = 2;
  };

  LocalMemory(const Shape &shape, Channel<LsuResponse> &responses, MemoryStats &counters);

  void reset();
  /// As MemorySystem::restart().
  void restart(Cycle elapsed);
  /// The slots of REQUEST in the bit mask SLOTS reach the local memory in cycle DUE.
  void request(const LsuRequest &request, uint32_t slots, Cycle due);
  /// Accesses that wait for their bank.
  size_t backlog() const { return accessesWaiting; }
  /// To be called in cycle due(), and harmless in others.
  void tick(Cycle now);
  /// The next cycle with something to do.
  Cycle due() const { return wake; }

private:
  Cycle nextEvent(Cycle now) const;
  struct Access {
    uint32_t tag = 0, bank = 0;
    bool isWrite = false;
  };
  struct Answer {
    uint32_t tag = 0, slot = 0;
  };

  uint32_t bankOf(uint64_t address) const {
    return uint32_t(address >> wordBits) & (shape.banks - 1);
  }
  bool withoutConflict(const LsuRequest &request, uint32_t slots, Cycle due);
  void accessBanks(Cycle now);
  void routeAnswers(Cycle now);
  void joinAnswers(Cycle now);

  const Shape shape;
  const uint32_t wordBits;
  Channel<LsuResponse> &responses;
  MemoryStats &counters;
  std::vector<Channel<Access>> accesses;  ///< of each slot
  std::vector<Channel<Answer>> answers;   ///< of each bank
  std::vector<Channel<uint32_t>> arrived; ///< of each slot: tags
  std::vector<uint64_t>
      wanted; ///< of each slot: a bit per bank with an answer for it; 0 between cycles
  uint32_t accessesWaiting = 0;
  uint64_t accessQueues = 0, answerQueues = 0, arrivedQueues = 0; ///< a bit per queue not empty
  PortArbiter arbiter;
  Cycle wake = kNever;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_LOCALMEMORY_H
