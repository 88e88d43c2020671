// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract between a core and the memory system of the timing model. No data crosses it: functional
// execution has read and written memory already; only addresses and times matter.
//
//   core: fetch ── fetchRequests ──► I$ … ── fetchResponses ──► fetch
//         LSU ──── lsuRequests ────► switch, coalescer, D$ or local memory … ── lsuResponses ──►
//         LSU
//
// The side that pushes decides the cycle in which an entry can be taken, which is never the present
// one; so the order in which cores and memory are ticked within a cycle does not matter. No channel
// is bounded: back-pressure is in the LSU's table of pending loads, in `storesFull` and in the
// queues of the memory system. A core takes at most one response per channel and cycle. Writes are
// never answered.
//
// Most answers of the LSU are only parts of what a load waits for, and change nothing: the link
// counts them as they come, and a core that says how many it expects is woken for the last ones.

#ifndef VX_SIMULATOR_TIMING_MEM_MEMORYLINK_H
#define VX_SIMULATOR_TIMING_MEM_MEMORYLINK_H

#include "simulator/timing/Channel.h"
#include <algorithm>
#include <array>
#include <vector>

namespace vx::sim {

/// An instruction fetch. The core pushes it `fetch.latency` cycles ahead.
struct FetchRequest {
  uint64_t address = 0;
  uint32_t tag = 0; ///< comes back with the response
};

/// Its answer, which is decoded in the cycle in which it can be taken, or after others before it.
struct FetchResponse {
  uint32_t tag = 0;
};

/// The accesses of one warp instruction. Slots 0…count-1 are used: with `lsu.compact` slot k is the
/// k-th active lane, else slot k is lane k and unused lanes have `kNoAddress`.
struct LsuRequest {
  static constexpr unsigned kSlots = 32;
  static constexpr uint64_t kNoAddress = ~uint64_t(0);

  uint32_t tag = 0; ///< of a load: comes back with its responses
  uint16_t count = 0;
  uint8_t bytes = 0; ///< per slot
  bool isWrite = false;
  std::array<uint64_t, kSlots> addresses; ///< below LOCAL_MEM_BASE: global; else local memory
};

/// Some slots of a load have been answered. The LSU waits until all have.
struct LsuResponse {
  uint32_t tag = 0;
  uint32_t slots = 0; ///< how many
};

/// An I$ of a single core takes its requests at once: it sees them in the order in which they come.
class FetchPort {
public:
  virtual ~FetchPort() = default;
  /// REQUEST reaches the port in cycle DUE. Returns when the memory system has to be ticked for it;
  /// kNever: not at all, the answer is in the link.
  virtual Cycle fetch(const FetchRequest &request, Cycle due) = 0;
};

/// The first of some links' fetchDue and ownDue, or an earlier cycle.
struct MemoryWake {
  Cycle fetch = kNever, own = kNever;
};

/// The channels of one core.
struct alignas(64) MemoryLink {
  // Looked at in every cycle of the device: in one line of the host's cache.

  /// The cycle in which the core has something to do, answers of the memory system included.
  Cycle coreDue = kNever;
  /// The cycle in which the memory system has to look at the core's fetches.
  Cycle fetchDue = kNever;
  /// The cycle in which the part of the memory system that the core has for itself has something to
  /// do: requests of the LSU, and what is on its way there.
  Cycle ownDue = kNever;
  MemoryWake *wake = nullptr; ///< of the links that are looked at together; null: there are none
  /// The cycle in which the LSU has to look at its answers.
  Cycle nextAnswer = kNever;
  /// The LSU may not push stores: too many are under way (lsu.store_backlog).
  bool storesFull = false;

  FetchPort *fetchPort = nullptr; ///< instead of fetchRequests, when not null
  Channel<FetchRequest> fetchRequests;
  Channel<FetchResponse> fetchResponses;
  Channel<LsuRequest> lsuRequests;
  Channel<LsuResponse> lsuResponses;

  /// A load that is not completely answered.
  struct Awaited {
    uint32_t slots = 0; ///< not answered
    Cycle last = 0;     ///< when the last of its answers can be taken, of those that there are
  };
  std::vector<Awaited> awaited; ///< by tag; what is not in it wakes the LSU with every answer
  Channel<uint32_t> completed;  ///< tags of loads whose answers are all in lsuResponses

  /// Nothing is on its way.
  void clear() {
    fetchRequests.clear();
    fetchResponses.clear();
    lsuRequests.clear();
    lsuResponses.clear();
    completed.clear();
    fetchDue = ownDue = nextAnswer = kNever;
    storesFull = false;
  }
  /// Asks for an instruction, which takes until cycle DUE to get to the memory system.
  void fetch(const FetchRequest &request, Cycle due) {
    if (fetchPort)
      due = fetchPort->fetch(request, due);
    else
      fetchRequests.push(request, due);
    fetchDue = std::min(fetchDue, due);
    if (wake)
      wake->fetch = std::min(wake->fetch, due);
  }
  /// A request of the LSU, to be filled in, that gets to the memory system in cycle DUE.
  LsuRequest &access(Cycle due) {
    wakeOwn(due);
    return lsuRequests.emplace(due);
  }
  /// The core's part of the memory system has something to do in cycle DUE.
  void wakeOwn(Cycle due) {
    ownDue = std::min(ownDue, due);
    if (wake)
      wake->own = std::min(wake->own, due);
  }
  void answer(const FetchResponse &response, Cycle due) {
    fetchResponses.push(response, due);
    coreDue = std::min(coreDue, due);
  }
  void answer(const LsuResponse &response, Cycle due) {
    lsuResponses.push(response, due);
    noteAnswer(response, due);
  }
  /// Answers before others of cycle DUE.
  void answerFirst(const LsuResponse &response, Cycle due) {
    lsuResponses.emplaceFirst(due) = response;
    noteAnswer(response, due);
  }
  void noteAnswer(const LsuResponse &response, Cycle due) {
    if (response.tag < awaited.size()) {
      Awaited &load = awaited[response.tag];
      load.last = due = std::max(load.last, due);
      load.slots -= response.slots;
      if (load.slots)
        return;
      completed.push(response.tag, due);
    }
    nextAnswer = std::min(nextAnswer, due);
    coreDue = std::min(coreDue, due);
  }
  /// The LSU has looked at its answers.
  void updateNextAnswer() {
    nextAnswer = awaited.empty() ? lsuResponses.nextDue() : completed.nextDue();
  }
  /// The core has looked, and is next busy in cycle OWN by itself. MAYDECODE: it can take
  /// instructions.
  void updateCoreDue(Cycle own, bool mayDecode) {
    coreDue = std::min(own, nextAnswer);
    if (mayDecode)
      coreDue = std::min(coreDue, fetchResponses.nextDue());
  }
  /// Returns when the memory system has to look at the core's part.
  Cycle memoryDue() const { return std::min(fetchDue, ownDue); }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_MEMORYLINK_H
