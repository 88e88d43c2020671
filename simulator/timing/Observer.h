// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract for those who watch the timing model: traces, profiles. A core without an observer pays
// one test per instruction. Observers see and change nothing of the machine; what they are given is
// valid during the call. All calls come from the thread that runs the simulation, in an order that
// is the same in every run.

#ifndef VX_SIMULATOR_TIMING_OBSERVER_H
#define VX_SIMULATOR_TIMING_OBSERVER_H

#include "intrinsics/isa/InsnTable.h"
#include "simulator/timing/Channel.h"
#include <cstdint>
#include <iterator>

namespace vx::sim {

/// The reason why a core issued nothing in a cycle.
enum class StallCause : uint8_t {
#define VX_STALL(id, name, color) id,
#include "simulator/timing/StallCauses.def"
};

inline constexpr const char *kStallNames[] = {
#define VX_STALL(id, name, color) name,
#include "simulator/timing/StallCauses.def"
};
inline constexpr unsigned kStallCauses = std::size(kStallNames);
inline const char *toString(StallCause cause) {
  return kStallNames[size_t(cause)];
}

/// The life of one warp instruction. Cycles count from the start of the run.
struct InsnLife {
  uint16_t slot = 0; ///< of the warp or group in Core::warps
  uint16_t warp = 0; ///< hardware warp of its first thread
  uint16_t size = 0; ///< threads of the group
  isa::Op op = isa::Op(0);
  uint64_t mask = 0; ///< active lanes of the group
  uint64_t pc = 0;
  uint64_t id = 0; ///< counts the instructions of a core from 0, in the order of scheduling
  uint32_t core = 0;
  isa::Unit unit = isa::Unit::Alu;
  uint32_t word = 0;
  Cycle scheduled = 0;  ///< the warp was chosen; functional execution happened
  Cycle fetched = 0;    ///< the I$ answered
  Cycle decoded = 0;    ///< it entered the instruction buffer
  Cycle issued = 0;     ///< it passed the scoreboard
  Cycle dispatched = 0; ///< its operands were collected
  Cycle executed = 0;   ///< its unit took it (the last part of it)
  Cycle completed = 0;  ///< its unit was done
  Cycle committed = 0;
};

class Observer {
public:
  virtual ~Observer() = default;

  /// A run starts: all cycles count from 0 again.
  virtual void runStarted() {}
  /// An instruction has been executed functionally; the cycles after `scheduled` are not set yet.
  virtual void scheduled(const InsnLife &) {}
  /// An instruction has left the machine.
  virtual void committed(const InsnLife &) {}
  /// CORE issued nothing for CYCLES cycles from FIRST on. PC is the instruction that could not be
  /// issued or, when there was none, the next one of the first warp that waits; 0: not known.
  virtual void stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first, Cycle cycles) {}
  /// The run is over after CYCLES cycles.
  virtual void runEnded(Cycle cycles) {}
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_OBSERVER_H
