// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: instructions decide what a warp asks for; an implementation of this interface decides
// when it happens. Functional mode releases warps at once, a timing model after some cycles. Only
// instruction handlers and the emulator call it. An implementation sets Warp::state and, for a
// spawned warp, its pc and mask; it must not touch pc and mask of the warp that calls. It returns
// an error text (then the guest is stopped with a trap) or null. Warps in state Merged run in the
// group of another slot: they neither arrive nor end by themselves.

#ifndef VX_SIMULATOR_FUNC_WARPCONTROL_H
#define VX_SIMULATOR_FUNC_WARPCONTROL_H

#include "simulator/func/TileGroups.h"

namespace vx::sim {

class WarpControl {
public:
  virtual ~WarpControl() = default;

  /// WARP arrives at a barrier of its core, or at a global one that waits for COUNT cores.
  virtual const char *barrier(Core &core, Warp &warp, uint32_t id, bool global, uint32_t count) = 0;
  /// WARP starts warps 1…COUNT-1 at PC, once it is the only live one.
  virtual const char *spawn(Core &core, Warp &warp, uint32_t count, uint64_t pc) = 0;
  /// WARP has no lanes left and is idle; it may be spawned again at once.
  virtual void end(Core &core, Warp &warp) = 0;
  /// WARP has stopped after a vx_tile, whose operands have been checked (state AtTile). What runs
  /// afterwards may be other groups, in other slots of the core; a timing model adds its delay to
  /// those that regroup() returns.
  virtual void tile(Core &core, Warp &warp) { regroup(core, warp); }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_WARPCONTROL_H
