// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectural state of a core: warps, registers, local memory. No behaviour lives here.
//
// Registers are laid out by register, then by lane of the whole core: register r of lane l of warp
// w is at r * stride + w * lanes + l. So the lanes of a warp are neighbours (loops over lanes
// vectorise) and so are the lanes of neighbouring warps.
//
// The unit of execution is a group: a hardware warp, or after a vx_tile some merged warps or a part
// of one (TileGroups.h). A group is a Warp. Because neighbouring warps are neighbours, its lanes
// are neighbours too, whatever its size.

#ifndef VX_SIMULATOR_FUNC_ARCHSTATE_H
#define VX_SIMULATOR_FUNC_ARCHSTATE_H

#include "simulator/api/Stats.h"
#include "simulator/func/Paths.h"
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
  AtBarrier,  ///< waits for a barrier
  AtSpawn,    ///< its vx_wspawn waits for the other warps to end
  AtTile,     ///< its vx_tile waits for the others of the new group
  Suspended,  ///< a vx_tile left it out; a later one resumes it
  Merged,     ///< a hardware warp whose lanes run in the group of another slot
  InPipeline, ///< timing: its barrier or vx_wspawn has not reached the unit yet
};

/// A group of threads with one pc: a hardware warp unless vx_tile has regrouped it.
struct Warp {
  uint32_t slot = 0; ///< position in Core::warps
  uint32_t id = 0;   ///< hardware warp of its first thread
  uint32_t base = 0; ///< its first thread, counted over the core: warp * lanes + lane
  uint32_t size = 0; ///< threads; 0: the slot is not in use
  /// Idle because none of its lanes was active when it was formed: it counts as having reached
  /// every vx_tile.
  bool empty = false;
  WarpState state = WarpState::Idle;
  uint64_t pc = 0;
  uint64_t mask = 0;
  uint8_t fflags = 0, frm = 0;
  std::vector<IpdomEntry> ipdom;
  WarpPaths *paths = nullptr; ///< core.divergence = paths: the slot's, instead of `ipdom`
  /// The operands of the instruction that it waits for.
  uint32_t waitId = 0, waitCount = 0;
  bool waitGlobal = false;
  uint64_t waitPc = 0;
  /// Functional mode: instructions after a barrier in which its turns end at stores.
  uint64_t afterBarrier = 0;
  uint32_t tileMask = 0, tileSize = 0;
  /// AtTile, but the timing model's pipeline has not executed the vx_tile yet: no warp may be
  /// merged with it before.
  bool tileInPipeline = false;
};

struct Core {
  /// x0…x31, one that takes writes to x0, what each lane last hinted at (AddressMap.h), and its
  /// CSR vx_texture.
  static constexpr unsigned kIntRegisters = 40;
  static constexpr unsigned kStackPointer = 2;
  static constexpr unsigned kDiscardRegister = 32;
  static constexpr unsigned kBlockHintRegister = 33;
  static constexpr unsigned kThreadHintRegister = 34;
  static constexpr unsigned kAtomicByteRegister = 35;
  static constexpr unsigned kAtomicHalfRegister = 36;
  static constexpr unsigned kPauseRegister = 37;
  static constexpr unsigned kSizeHintRegister = 38;
  static constexpr unsigned kTextureRegister = 39;
  static constexpr unsigned kFpRegisters = 32;

  uint32_t id = 0;
  uint32_t hardwareWarps = 0;
  uint32_t lanes = 0; ///< of a hardware warp
  /// The hardware warps come first, by number. After them, once a vx_tile has needed them, come the
  /// groups that start inside a hardware warp (groupSlot() in TileGroups.h). References stay valid.
  std::vector<Warp> warps;
  std::vector<WarpPaths> paths; ///< of each slot; empty without core.divergence = paths
  bool regrouped = false;       ///< some vx_tile of this run has changed a group
  std::vector<uint64_t> x, f;
  std::vector<uint8_t> localMemory;
  uint64_t mscratch = 0;
  CoreStats stats;

  /// Slots that `warps` can ever have: groups have at least four threads.
  uint32_t maxSlots() const { return hardwareWarps * (lanes > 4 ? lanes / 4 : 1); }

  /// Ends what is left of an earlier warp in the slot of WARP: no open splits, one path.
  void clearDivergence(Warp &warp) {
    warp.ipdom.clear();
    warp.paths = paths.empty() ? nullptr : &paths[warp.slot];
    if (warp.paths)
      warp.paths->clear();
  }

  /// The hardware warps that have not ended.
  uint64_t liveMask() const {
    uint64_t mask = 0;
    for (const Warp &warp : warps)
      mask |= uint64_t(warp.state != WarpState::Idle) << warp.id;
    return mask;
  }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_ARCHSTATE_H
