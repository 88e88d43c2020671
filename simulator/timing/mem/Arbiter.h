// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides who goes first when several want the same.

#ifndef VX_SIMULATOR_TIMING_MEM_ARBITER_H
#define VX_SIMULATOR_TIMING_MEM_ARBITER_H

#include "simulator/timing/NextBit.h"
#include <cstdint>

namespace vx::sim {

/// Round robin over at most 64 requesters. Index 0 counts as granted at reset, so index 1 is the
/// first to have priority.
class PortArbiter {
public:
  void reset() { last = 0; }

  /// The requester of the bit mask REQUESTS (not 0) whose turn it is.
  uint32_t grant(uint64_t requests) {
    last = nextBit(requests, last);
    return last;
  }

private:
  uint32_t last = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_ARBITER_H
