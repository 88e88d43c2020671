// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedule, fetch, decode.
//
//   schedule ──► fetch latch ──► I$ … ──► decode latch ──► instruction buffer of the warp
//      ▲                                       │
//      └──────────── the warp may be fetched for again: after decode, or, after a branch and
//                    other control, when the unit takes the instruction
//
// An instruction is executed functionally when its warp is chosen. There is one decode latch: an
// instruction whose buffer is full holds up those of other warps that follow it.

#ifndef VX_SIMULATOR_TIMING_CORE_FRONTEND_H
#define VX_SIMULATOR_TIMING_CORE_FRONTEND_H

#include "simulator/func/Emulator.h"
#include "simulator/timing/core/DynInst.h"
#include "simulator/timing/core/WarpScheduler.h"
#include <bit>

namespace vx::sim {

/// The decoded instructions of each warp, in order.
class InsnBuffers {
public:
  InsnBuffers(uint32_t slots, uint32_t size)
      : size(size), shift(uint32_t(std::bit_width(kPlaces + size - 1))), words(slots << shift) {}

  bool full(uint32_t slot) const { return ring(slot)[kUsed] == size; }
  bool empty(uint32_t slot) const { return ring(slot)[kUsed] == 0; }
  DynInstId front(uint32_t slot) const {
    const uint32_t *own = ring(slot);
    return own[kPlaces + own[kHead]];
  }
  void push(uint32_t slot, DynInstId inst) {
    uint32_t *own = ring(slot);
    uint32_t place = own[kHead] + own[kUsed]++;
    own[kPlaces + (place < size ? place : place - size)] = inst;
  }
  void pop(uint32_t slot) {
    uint32_t *own = ring(slot);
    own[kHead] = own[kHead] + 1 == size ? 0 : own[kHead] + 1;
    --own[kUsed];
  }
  void clear() { std::fill(words.begin(), words.end(), 0); }

private:
  /// The words of a slot: where its ring begins, how many are in it, the ring.
  enum : uint32_t { kHead, kUsed, kPlaces };

  uint32_t *ring(uint32_t slot) { return words.data() + (size_t(slot) << shift); }
  const uint32_t *ring(uint32_t slot) const { return words.data() + (size_t(slot) << shift); }

  const uint32_t size;
  const uint32_t shift; ///< of a slot's number, to its words
  std::vector<uint32_t> words;
};

/// An instruction that Emulator::stepDeferring() has not completed.
struct DeferredInsn {
  Cycle cycle;
  uint64_t pc;
  uint32_t slot;
  Emulator::MemoryEffect effect;
};
/// The deferred memory effects of a core.
struct DeferredMemory {
  std::vector<DeferredInsn> insns; ///< in the order of scheduling
  bool inOrder = false;            ///< the INORDER of stepDeferring()
};

class Frontend {
public:
  Frontend(const SimConfig &config, Core &core, Emulator &emulator, DynInstPool &insts,
           MemoryLink &link, StaticInstCache &staticInsts);

  void reset();

  /// Moves the instruction in the decode latch to its buffer. Returns the slot, or kNone.
  uint32_t decode(Cycle now) {
    decodeBlocked = false;
    return link.fetchResponses.ready(now) ? decodeFront(now) : SlotSet::kNone;
  }
  /// Returns true if schedule() has a warp to choose.
  bool maySchedule() const { return !ready.empty() && insts.size() < config.maxInFlight; }
  /// Chooses a warp, there is one, and executes its next instruction. Returns it.
  DynInstId schedule(Cycle now);

  /// The unit has taken the instruction that kept SLOT from being fetched for.
  void resume(uint32_t slot);
  /// Lets all slots be scheduled that are ready: others may have released them.
  void refresh();

  /// Others have executed warps: looks which may be scheduled now.
  void resync() {
    ready.clear();
    refresh();
  }
  /// Returns how many instructions each slot has had scheduled since the reset.
  const std::vector<uint64_t> &scheduledOf() const { return counts; }

  /// See TimingCore::deferMemory().
  void deferMemory(DeferredMemory *where) { deferred = where; }

  /// Returns true if it has nothing to do in cycle NOW: no warp to schedule, no instruction to
  /// decode.
  bool isQuiet(Cycle now) const { return ready.empty() && !link.fetchResponses.ready(now); }
  /// Returns the first cycle after NOW in which a stage here has something to do, apart from
  /// answers of the I$.
  Cycle nextEvent(Cycle now) const { return ready.empty() ? kNever : now + 1; }

  bool isDecodeBlocked() const { return decodeBlocked; }
  /// Returns true if an instruction is on its way from schedule to its buffer.
  bool isFetching() const { return fetching != 0; }
  InsnBuffers buffers;

private:
  uint32_t decodeFront(Cycle now);
  void execute(Warp &warp, Cycle now);
  void describe(DynInst &inst, const Warp &warp);
  void describe(DynInst &inst, InsnTrace &trace);
  void describe(InsnLife &life, Cycle now);

  const SimConfig &config;
  Core &core;
  Emulator &emulator;
  DynInstPool &insts;
  MemoryLink &link;
  StaticInstCache &staticInsts;
  std::unique_ptr<WarpScheduler> scheduler;

  SlotSet ready;              ///< may be scheduled
  SlotSet stalled;            ///< an instruction keeps them from being fetched for
  bool decodeBlocked = false; ///< the instruction in the latch finds its buffer full
  Cycle lastFetched = 0;      ///< when the decode latch has taken the last one
  uint32_t fetching = 0;      ///< instructions between fetch latch and buffer
  uint64_t scheduledCount = 0;
  std::vector<uint64_t> counts; ///< of them, by slot
  DeferredMemory *deferred = nullptr;
  InsnTrace trace;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_FRONTEND_H
