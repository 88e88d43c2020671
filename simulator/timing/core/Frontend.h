// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedule, fetch, decode.
//
//   schedule ──► fetch latch ──► I$ … ──► decode latch ──► instruction buffer of the warp
//      ▲                                       │
//      └──────────── the warp may be fetched for again: after decode, or, behind a branch and
//                    other control, when the unit takes the instruction
//
// An instruction is executed functionally when its warp is chosen. There is one decode latch: an
// instruction whose buffer is full holds up those of other warps behind it.

#ifndef VX_SIMULATOR_TIMING_CORE_FRONTEND_H
#define VX_SIMULATOR_TIMING_CORE_FRONTEND_H

#include "simulator/func/Emulator.h"
#include "simulator/timing/core/Flight.h"
#include "simulator/timing/core/WarpScheduler.h"

namespace vx::sim {

/// The decoded instructions of each warp, in order.
class InsnBuffers {
public:
  InsnBuffers(uint32_t slots, uint32_t size) : size(size), rings(slots), places(slots * size) {}

  bool full(uint32_t slot) const { return rings[slot].count == size; }
  bool empty(uint32_t slot) const { return rings[slot].count == 0; }
  FlightId front(uint32_t slot) const { return places[slot * size + rings[slot].head]; }
  void push(uint32_t slot, FlightId flight) {
    Ring &ring = rings[slot];
    uint32_t place = ring.head + ring.count++;
    places[slot * size + (place < size ? place : place - size)] = flight;
  }
  void pop(uint32_t slot) {
    Ring &ring = rings[slot];
    if (++ring.head == size)
      ring.head = 0;
    --ring.count;
  }
  void clear() { std::fill(rings.begin(), rings.end(), Ring{}); }

private:
  struct Ring {
    uint32_t head = 0, count = 0;
  };
  const uint32_t size;
  std::vector<Ring> rings;
  std::vector<FlightId> places;
};

/// Instructions of a core that Emulator::stepApart() has left something of.
struct ApartInsn {
  Cycle cycle;
  uint64_t pc;
  uint32_t slot;
  Emulator::Rest rest;
};
struct ApartList {
  std::vector<ApartInsn> insns; ///< in the order of scheduling
  bool inOrder = false;         ///< as stepApart() wants it
};

class Frontend {
public:
  Frontend(const SimConfig &config, Core &core, Emulator &emulator, FlightPool &flights,
           MemoryLink &link);

  void reset();

  /// Moves the instruction in the decode latch to its buffer. Returns the slot, or kNone.
  uint32_t decode(Cycle now) {
    decodeBlocked = false;
    return decodeLatch.ready(now) ? decodeFront(now) : SlotSet::kNone;
  }
  /// Takes an answer of the I$, and asks it for the scheduled instruction.
  void fetch(Cycle now) {
    if (link.fetchResponses.ready(now))
      takeAnswer(now);
    if (fetchLatch != kNoFlight)
      ask(now);
  }
  /// Chooses a warp and executes its next instruction. Returns it, or kNoFlight.
  FlightId schedule(Cycle now) {
    return ready.empty() || flights.size() >= config.maxInFlight ? kNoFlight : scheduleReady(now);
  }

  /// The unit has taken the instruction that kept SLOT from being fetched for.
  void resume(uint32_t slot);
  /// Lets all slots be scheduled that are ready: others may have released them.
  void refresh();

  /// Others have executed warps: looks which may be scheduled now.
  void resync() {
    ready.clear();
    refresh();
  }
  /// Instructions that each slot has had scheduled since the reset.
  const std::vector<uint64_t> &scheduledOf() const { return counts; }

  /// As TimingCore::setApart().
  void setApart(ApartList *where) { apart = where; }

  /// The first cycle after NOW in which a stage here has something to do.
  Cycle nextEvent(Cycle now) const {
    if (fetchLatch != kNoFlight || !ready.empty())
      return now + 1;
    Cycle next = link.fetchResponses.nextDue();
    if (!decodeBlocked) // else: when its buffer has room, which takes an issue
      next = std::min(next, decodeLatch.nextDue());
    return next;
  }

  bool isDecodeBlocked() const { return decodeBlocked; }
  /// Whether an instruction is on its way from schedule to its buffer.
  bool isFetching() const { return fetchLatch != kNoFlight || fetching != 0; }
  InsnBuffers buffers;

private:
  uint32_t decodeFront(Cycle now);
  void takeAnswer(Cycle now);
  void ask(Cycle now);
  FlightId scheduleReady(Cycle now);
  void execute(Warp &warp, Cycle now);
  void describe(Flight &flight, const Warp &warp, Cycle now);
  void describe(Flight &flight, InsnTrace &trace);

  const SimConfig &config;
  Core &core;
  Emulator &emulator;
  FlightPool &flights;
  MemoryLink &link;
  InsnShapes shapes;
  std::unique_ptr<WarpScheduler> scheduler;

  SlotSet ready;   ///< may be scheduled
  SlotSet stalled; ///< an instruction keeps them from being fetched for
  FlightId fetchLatch = kNoFlight;
  Channel<FlightId> decodeLatch;
  bool decodeBlocked = false; ///< its buffer is full
  uint32_t fetching = 0;      ///< instructions between fetch latch and buffer
  uint64_t scheduledCount = 0;
  std::vector<uint64_t> counts; ///< of them, by slot
  ApartList *apart = nullptr;
  InsnTrace trace;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_FRONTEND_H
