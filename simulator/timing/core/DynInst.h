// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp instruction between scheduling and commit, and the pool that all of a core live in. Stages
// hand on indices; a reference lasts until the next allocate().

#ifndef VX_SIMULATOR_TIMING_CORE_DYNINST_H
#define VX_SIMULATOR_TIMING_CORE_DYNINST_H

#include "simulator/func/InsnTrace.h"
#include "simulator/timing/Observer.h"
#include "simulator/timing/core/StaticInst.h"
#include "simulator/timing/mem/MemoryLink.h"
#include <vector>

namespace vx::sim {

/// The members that most stages use come first, up to the pc: they are in one line of the host's
/// cache.
struct alignas(64) DynInst {
  StaticInst staticInst;
  uint32_t packetsLeft = 0; ///< parts that have not been committed
  uint16_t beats = 1;       ///< hardware warps of the group: cycles that it needs to issue
  uint8_t accessBytes = 0;  ///< per lane; 0: no memory access
  InsnLife life;            ///< what follows the pc, and `op`, is set only if isWatched()
  uint32_t pathDelay = 0;   ///< cycles until its warp knows the path that executes next
  std::array<uint64_t, LsuRequest::kSlots> addresses; ///< by lane of the group
  std::vector<TextureRead> textureReads;              ///< of a vx_tex
};

using DynInstId = uint32_t;
inline constexpr DynInstId kNoDynInst = ~DynInstId(0);

class DynInstPool {
public:
  DynInstId allocate() {
    if (free.empty())
      grow();
    DynInstId id = free.back();
    free.pop_back();
    ++used;
    return id;
  }
  void release(DynInstId id) {
    free.push_back(id);
    --used;
  }
  DynInst &operator[](DynInstId id) { return insts[id]; }
  bool empty() const { return used == 0; }
  /// Returns the number of instructions in flight.
  size_t size() const { return used; }
  /// Returns true if an observer wants to know when an instruction was where.
  bool isWatched() const { return watched; }
  void reset(bool isWatched) {
    watched = isWatched;
    used = 0;
    free.clear();
    for (size_t i = insts.size(); i > 0; --i)
      free.push_back(DynInstId(i - 1));
  }

private:
  void grow() {
    size_t old = insts.size();
    insts.resize(old ? old * 2 : 64);
    free.reserve(insts.size());
    for (size_t i = insts.size(); i > old; --i)
      free.push_back(DynInstId(i - 1));
  }

  std::vector<DynInst> insts;
  std::vector<DynInstId> free;
  size_t used = 0;
  bool watched = true;
};

/// The part of an instruction that passes a unit with fewer lanes in one cycle.
struct Packet {
  DynInstId inst = kNoDynInst;
  uint32_t lanes = 0; ///< active lanes of the group that it is about
  bool last = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_DYNINST_H
