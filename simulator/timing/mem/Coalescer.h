// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The coalescer of a core: accesses of lanes become requests for lines.
//
// The slots of an LSU request are divided evenly among the channels, which are the core's inputs of
// the D$. Per cycle each channel sends the line of its first slot that is left, for all its slots
// of the same line (or, without merging, for that slot alone); the request is done when no slot is
// left. Loads of a cycle share an entry of
// the table of pending lines; when it is full, nothing is sent, stores neither. Answers come back
// through a queue per channel; per cycle those of one entry are handed on together.

#ifndef VX_SIMULATOR_TIMING_MEM_COALESCER_H
#define VX_SIMULATOR_TIMING_MEM_COALESCER_H

#include "simulator/api/Stats.h"
#include "simulator/timing/mem/MemoryLink.h"
#include "simulator/timing/mem/MemoryRequest.h"

namespace vx::sim {

class Coalescer {
public:
  /// The receiver of the lines: the adapter that follows the coalescer.
  class Sink {
  public:
    virtual ~Sink() = default;
    /// REQUEST of channel CHANNEL reaches the D$ in cycle DUE.
    virtual void lineRequest(uint32_t channel, const MemoryRequest &request, Cycle due) = 0;
  };

  struct Shape {
    uint32_t slots = 8, channels = 1, lineBytes = 64, entries = 8;
    bool merge = true;
    bool early = true; ///< lines may be answered before their cycle
  };

  Coalescer(const Shape &shape, Sink &sink, MemoryLink &link, MemoryStats &counters);

  void reset();
  /// See MemorySystem::restart().
  void restart(Cycle elapsed);
  /// The slots of REQUEST in the bit mask SLOTS reach the coalescer in cycle DUE.
  void request(const LsuRequest &request, uint32_t slots, Cycle due);
  /// Requests of which lines are still to be sent.
  size_t backlog() const { return work.size(); }
  /// The line with tag TAG of channel CHANNEL leaves the D$ in cycle DUE.
  void response(uint32_t channel, uint32_t tag, Cycle due);
  /// Takes the answer for a line whose way back is known: those that come later leave later. The
  /// LSU has its answer at once, and no tick is needed. Only while answersEarly().
  void responseEarly(uint32_t tag, Cycle due);
  /// Returns true if lines leave the D$ in the order in which they come: there is one channel, and
  /// no load has gone past the D$'s banks.
  bool answersEarly() const { return inOrder; }
  /// To be called in cycle due(), and harmless in others.
  void tick(Cycle now);
  /// The next cycle with something to do.
  Cycle due() const { return wake; }

private:
  Cycle nextEvent(Cycle now) const;
  struct Pending {
    uint32_t tag = 0, left = 0;                    ///< slots that wait
    std::array<uint8_t, LsuRequest::kSlots> slots; ///< of each channel
  };
  struct Work {
    uint32_t tag = 0, left = 0; ///< a bit per slot to be sent
    bool isWrite = false;
    std::array<uint64_t, LsuRequest::kSlots> lines;
  };
  struct Answer {
    uint32_t entry = 0, channels = 0; ///< a bit per channel
  };

  void collectAnswers(Cycle now);
  void takeAnswer(Cycle now);
  void sendLines(Cycle now);
  uint32_t takeLine(Work &item, uint32_t channel, uint64_t &line);

  const Shape shape;
  const uint32_t slotsPerChannel, channelMask;
  Sink &sink;
  MemoryLink &link;
  MemoryStats &counters;
  Channel<Work> work;
  std::vector<Pending> table;
  uint64_t freeEntries = 0;
  std::vector<Channel<uint32_t>> channelAnswers;
  uint32_t channelAnswersWaiting = 0;
  Channel<Answer> answers;
  Channel<uint32_t> freed; ///< entries of which the LSU has the answer already
  bool inOrder = false;
  Cycle blockedSince = kNever;
  Cycle wake = kNever;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_COALESCER_H
