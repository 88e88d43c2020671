// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base SIMT instructions: thread masks, split and join, barriers, warp spawn.

#include "simulator/func/insns/Alu.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Bit 0 of a register of each active lane, as a mask.
uint64_t predicate(Exec &e, uint32_t offset) {
  const uint64_t *value = e.x(offset);
  return lanesWhere(e, [=](unsigned lane) { return value[lane] & 1; });
}

/// Continues with the lanes of MASK; with none, the warp ends.
void continueWith(Exec &e, uint64_t mask) {
  uint64_t all = (uint64_t(1) << e.lanes) - 1;
  if (mask & all) {
    e.setMask(mask);
    return;
  }
  if (!e.warp().ipdom.empty()) {
    e.trap(TrapCause::IpdomUnderflow, e.firstLane(),
           "the warp ends inside " + std::to_string(e.warp().ipdom.size()) + " open split(s)");
    return;
  }
  e.setMask(0);
  e.warp().state = WarpState::Idle;
  e.yield();
}

/// If the lanes disagree, remembers the smaller side and continues with the larger one. The side
/// whose condition (TAKEN) holds comes first on a tie.
void split(Exec &e, const Insn &d, uint64_t taken) {
  Warp &warp = e.warp();
  uint64_t full = e.mask(), other = full & ~taken;
  uint64_t depth = warp.ipdom.size();
  ++e.core().stats.splits;
  if (taken != 0 && other != 0) {
    if (depth + 1 >= e.lanes) {
      e.trap(TrapCause::IpdomOverflow, e.firstLane(),
             std::to_string(depth) + " splits are open, a warp of " + std::to_string(e.lanes) +
                 " lanes has room for " + std::to_string(e.lanes - 1));
      return;
    }
    ++e.core().stats.divergentSplits;
    uint64_t first = std::popcount(taken) >= std::popcount(other) ? taken : other;
    setAll(e, d.rd, depth);
    warp.ipdom.push_back({full, full & ~first, e.pc + 4, false});
    e.setMask(first);
    return;
  }
  setAll(e, d.rd, depth);
}

void pred(Exec &e, const Insn &d, uint64_t stay) {
  continueWith(e, stay ? stay : e.scalar(d.rs2));
}

/// Returns how many groups like the running one a core can have, but at least how many warps.
uint32_t maxGroups(Exec &e) {
  uint32_t warps = e.device.config.numWarps;
  return std::max(warps, warps * e.device.lanes / e.lanes);
}

} // namespace

namespace handlers {

VX_EXEC(VX_TMC) {
  uint64_t mask = e.scalar(d.rs1);
  if (e.warp().paths && setPathLanes(e, mask))
    return;
  continueWith(e, mask);
}

VX_EXEC(VX_WSPAWN) {
  uint64_t count = UInt<XLEN>(e.scalar(d.rs1)), pc = UInt<XLEN>(e.scalar(d.rs2));
  const char *error = nullptr;
  if (e.warp().slot != 0)
    error = "only warp 0 may spawn warps";
  else if (e.lanes != e.device.lanes)
    error = "a warp that vx_tile has regrouped may not spawn warps";
  else if (count > e.device.config.numWarps)
    error = "more warps than the core has";
  else if (pc & 3)
    error = "the start address is not a multiple of 4";
  else
    error = e.device.control->spawn(e.core(), e.warp(), uint32_t(count), pc);
  if (error)
    e.trap(TrapCause::BadWarpSpawn, e.lastLane(), error);
  else if (e.warp().state != WarpState::Ready)
    e.yield();
}

VX_EXEC(VX_SPLIT) {
  split(e, d, predicate(e, d.rs1));
}
VX_EXEC(VX_SPLIT_N) {
  split(e, d, e.mask() & ~predicate(e, d.rs1));
}

VX_EXEC(VX_JOIN) {
  std::vector<IpdomEntry> &stack = e.warp().ipdom;
  uint64_t depth = e.scalar(d.rs1);
  if (depth == stack.size())
    return; // the split did not diverge
  if (stack.empty() || depth != stack.size() - 1) {
    e.trap(TrapCause::IpdomUnderflow, e.lastLane(),
           "join of depth " + std::to_string(depth) + " with " + std::to_string(stack.size()) +
               " open split(s)");
    return;
  }
  IpdomEntry &top = stack.back();
  if (!top.otherStarted) {
    top.otherStarted = true;
    e.setMask(top.otherMask);
    e.nextPc = top.pc;
    return;
  }
  e.setMask(top.fullMask);
  stack.pop_back();
}

VX_EXEC(VX_BAR) {
  uint64_t id = e.scalar(d.rs1), count = UInt<XLEN>(e.scalar(d.rs2));
  bool global = id >> 31 & 1;
  uint32_t number = uint32_t(id & 0x7fffffff);
  ++e.core().stats.barriers;
  const char *error = nullptr;
  if (count > (global ? e.device.config.numCores : maxGroups(e)))
    error = global ? "more cores than the device has" : "more warps than the core has";
  else if (!global && count < 2)
    return; // no other to wait for
  else if (number >= e.device.config.barriersPerCore())
    error = "the barrier number is out of range (core.num_barriers)";
  else
    error = e.device.control->barrier(e.core(), e.warp(), number, global, uint32_t(count));
  if (error)
    e.trap(TrapCause::BadBarrier, e.lastLane(),
           std::string(error) + "; barrier " + std::to_string(number) + ", count " +
               std::to_string(count));
  else
    e.yield(); // also the last one to arrive, so that none continues before the others may
}

VX_EXEC(VX_PRED) {
  pred(e, d, predicate(e, d.rs1));
}
VX_EXEC(VX_PRED_N) {
  pred(e, d, e.mask() & ~predicate(e, d.rs1));
}

VX_EXEC(VX_CLONE) {
  uint64_t lane = UInt<XLEN>(e.scalar(d.rs1));
  if (lane >= e.lanes) {
    e.trap(TrapCause::IllegalInstruction, e.lastLane(),
           "vx_clone to lane " + std::to_string(lane) + " of " + std::to_string(e.lanes));
    return;
  }
  for (unsigned r = 0; r < 32; ++r) {
    e.x(r * e.device.stride)[lane] = e.x(r * e.device.stride)[0];
    e.f(r * e.device.stride)[lane] = e.f(r * e.device.stride)[0];
  }
}

} // namespace handlers
} // namespace vx::sim
