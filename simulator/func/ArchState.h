// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectural state of a core: warps, registers, local memory. No behaviour lives here.
//
// Registers are laid out by register, then by lane of the whole core: register r of lane l of warp
// w is at r * stride + w * lanes + l. So the lanes of a warp are neighbours (loops over lanes
// vectorise) and so are the lanes of neighbouring warps.

#ifndef VX_SIMULATOR_FUNC_ARCHSTATE_H
#define VX_SIMULATOR_FUNC_ARCHSTATE_H

#include "simulator/api/Stats.h"
#include <cstdint>
#include <vector>

namespace vx::sim {

/// One divergent split that is still open.
struct IpdomEntry {
  uint64_t fullMask;  ///< lanes that were active at the split
  uint64_t otherMask; ///< lanes of the side that runs second
  uint64_t pc;        ///< where the second side starts
  bool otherStarted;  ///< the first join has been passed
};

enum class WarpState : uint8_t {
  Idle, ///< not started, or ended
  Ready,
  AtBarrier, ///< waits for a barrier
  AtSpawn,   ///< its vx_wspawn waits for the other warps to end
};

struct Warp {
  uint32_t id = 0;
  WarpState state = WarpState::Idle;
  uint64_t pc = 0;
  uint64_t mask = 0;
  uint8_t fflags = 0, frm = 0;
  std::vector<IpdomEntry> ipdom;
  /// The operands of the instruction that it waits for.
  uint32_t waitId = 0, waitCount = 0;
  bool waitGlobal = false;
  uint64_t waitPc = 0;
};

struct Core {
  /// x0…x31, one that takes writes to x0, and what each lane last hinted at (AddressMap.h).
  static constexpr unsigned kIntRegisters = 35;
  static constexpr unsigned kDiscardRegister = 32;
  static constexpr unsigned kBlockHintRegister = 33;
  static constexpr unsigned kThreadHintRegister = 34;
  static constexpr unsigned kFpRegisters = 32;

  uint32_t id = 0;
  std::vector<Warp> warps;
  std::vector<uint64_t> x, f;
  std::vector<uint8_t> localMemory;
  uint64_t mscratch = 0;
  CoreStats stats;

  uint64_t liveMask() const {
    uint64_t mask = 0;
    for (const Warp &warp : warps)
      mask |= uint64_t(warp.state != WarpState::Idle) << warp.id;
    return mask;
  }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_ARCHSTATE_H
