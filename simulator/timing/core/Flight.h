// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp instruction between scheduling and commit, and the pool that all of a core live in. Stages
// hand on indices; a reference lasts until the next allocate().

#ifndef VX_SIMULATOR_TIMING_CORE_FLIGHT_H
#define VX_SIMULATOR_TIMING_CORE_FLIGHT_H

#include "simulator/func/InsnTrace.h"
#include "simulator/timing/Observer.h"
#include "simulator/timing/core/InsnShape.h"
#include "simulator/timing/mem/MemoryLink.h"
#include <vector>

namespace vx::sim {

/// What most stages look at comes first, up to the pc: it is in one line of the host's cache.
struct alignas(64) Flight {
  InsnShape shape;
  uint32_t packetsLeft = 0; ///< parts that have not been committed
  uint16_t beats = 1;       ///< hardware warps of the group: cycles that it needs to issue
  uint8_t accessBytes = 0;  ///< per lane; 0: no memory access
  InsnLife life; ///< behind the pc, and `op`, only if someone watches (FlightPool::isWatched())
  uint32_t pathDelay = 0; ///< cycles until its warp knows the path that executes next
  std::array<uint64_t, LsuRequest::kSlots> addresses; ///< by lane of the group
  std::vector<TextureRead> textureReads;              ///< of a vx_tex
};

using FlightId = uint32_t;
inline constexpr FlightId kNoFlight = ~FlightId(0);

class FlightPool {
public:
  FlightId allocate() {
    if (free.empty())
      grow();
    FlightId id = free.back();
    free.pop_back();
    ++used;
    return id;
  }
  void release(FlightId id) {
    free.push_back(id);
    --used;
  }
  Flight &operator[](FlightId id) { return flights[id]; }
  bool empty() const { return used == 0; }
  /// Instructions on their way.
  size_t size() const { return used; }
  /// Returns true if an observer wants to know when an instruction was where.
  bool isWatched() const { return watched; }
  void reset(bool isWatched) {
    watched = isWatched;
    used = 0;
    free.clear();
    for (size_t i = flights.size(); i > 0; --i)
      free.push_back(FlightId(i - 1));
  }

private:
  void grow() {
    size_t old = flights.size();
    flights.resize(old ? old * 2 : 64);
    free.reserve(flights.size());
    for (size_t i = flights.size(); i > old; --i)
      free.push_back(FlightId(i - 1));
  }

  std::vector<Flight> flights;
  std::vector<FlightId> free;
  size_t used = 0;
  bool watched = true;
};

/// The part of an instruction that passes a unit with fewer lanes in one cycle.
struct Packet {
  FlightId flight = kNoFlight;
  uint32_t lanes = 0; ///< active lanes of the group that it is about
  bool last = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_FLIGHT_H
