// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local memory of a core: a crossbar and banks, words interleaved over the banks.
//
//   slot 0 ─►┐          ┌─► bank 0 ─►┐          ┌─► slot 0 ─►┐
//   slot 1 ─►┤ crossbar ├─► bank 1 ─►┤ crossbar ├─► slot 1 ─►┤ answers of one load together
//      …     ┘          └─►   …      ┘          └─►   …      ┘
//
// Every slot has a queue. Per cycle a bank takes the request of the lowest slot that has one for
// it: with two loads on the way, the second one's low slots go before the first one's high slots.
// Two slots that want the same word do not share an access. What banks take in a cycle is of
// different slots, and all banks take equally long, so no answer waits in the crossbar back.
//
// A load (store) whose slots all go to different banks while nothing else is on the way takes the
// same time without the queues. One with conflicts does so until another one comes: in each round
// banks take the next of their slots.

#ifndef VX_SIMULATOR_TIMING_MEM_LOCALMEMORY_H
#define VX_SIMULATOR_TIMING_MEM_LOCALMEMORY_H

#include "simulator/api/Stats.h"
#include "simulator/timing/mem/MemoryLink.h"
#include <vector>

namespace vx::sim {

class LocalMemory {
public:
  struct Shape {
    uint32_t slots = 8, banks = 8, wordBytes = 8, latency = 2;
  };

  LocalMemory(const Shape &shape, MemoryLink &link, MemoryStats &counters);

  void reset();
  /// See MemorySystem::restart().
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
  /// A load or store on its way to the slots' queues, or with accesses in them.
  struct Request {
    uint32_t tag = 0, slots = 0; ///< a bit per slot with an access that no bank has taken
    bool isWrite = false;
    std::array<uint8_t, LsuRequest::kSlots> banks; ///< by slot
  };
  struct Queued {
    Request request;
    std::array<uint32_t, LsuRequest::kSlots> next; ///< by slot: the next place in the queue
  };
  /// The request that is alone in the banks.
  struct Alone {
    Request request;
    uint32_t left = 0;                               ///< of its accesses; 0: there is none
    uint32_t round = 0;                              ///< that is next
    std::array<uint32_t, LsuRequest::kSlots> rounds; ///< in each, the slots that banks take
    std::array<uint8_t, LsuRequest::kSlots> counts;  ///< and how many these are
  };
  /// Requests with an access of one slot, linked by Queued::next.
  struct SlotQueue {
    uint32_t first = kNone, last = kNone;
  };
  static constexpr uint32_t kNone = ~uint32_t(0), kMaxBanks = 64;
  /// Accesses of one load that banks took in one cycle.
  struct Answer {
    Cycle due = 0; ///< when they can be joined
    uint32_t tag = 0;
    uint32_t slots = 0; ///< a bit per slot
  };

  uint32_t bankOf(uint64_t address) const {
    return uint32_t(address >> wordBits) & (shape.banks - 1);
  }
  bool withoutConflict(const LsuRequest &request, uint32_t slots, Cycle due);
  void enter(const Request &request);
  void enterAlone(const Request &request);
  void accessAlone(Cycle now);
  void enterQueues(const Request &request);
  void setFirst(uint32_t slot);
  bool takeFirst(uint32_t slot);
  void accessBanks(Cycle now);
  void answer(uint32_t tag, uint32_t slot, Cycle due);
  void joinAnswers(Cycle now);

  const Shape shape;
  const uint32_t wordBits;
  MemoryLink &link;
  MemoryStats &counters;
  Channel<Request> requests;
  Alone alone;
  std::vector<Queued> queued; ///< in slots' queues, at places of their own
  std::vector<uint32_t> free; ///< of these places
  std::vector<SlotQueue> queues;
  std::vector<uint32_t> firsts; ///< of each bank: a bit per slot whose first access it is for
  uint64_t banksWanted = 0;     ///< a bit per bank that some slot's first access is for
  std::vector<Answer> answers;  ///< by the cycle in which they can be joined
  uint32_t accessesWaiting = 0;
  Cycle wake = kNever;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_LOCALMEMORY_H
