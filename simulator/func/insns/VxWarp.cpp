// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp-level instructions: votes, shuffles, regrouping.

#include "simulator/func/TileGroups.h"
#include "simulator/func/insns/Alu.h"

namespace vx::sim {

namespace {

/// rd := f(lanes that vote true, lanes that vote) over the active lanes that are in the member mask
/// of the lane that asks; register x0 as member mask means all.
template <unsigned XLEN, typename F> void vote(Exec &e, const Insn &d, F f) {
  const uint64_t *value = e.x(d.rs1), *members = e.x(d.rs2);
  uint64_t *result = e.x(d.rd);
  uint64_t yes = lanesWhere(e, [=](unsigned lane) { return value[lane] & 1; });
  bool allVote = d.rs2 == 0;
  uint64_t active = e.mask();
  // rd may be one of the operands: read all masks before writing.
  uint64_t results[64];
  e.forLanes([&](unsigned lane) {
    uint64_t voters = allVote ? active : active & members[lane];
    results[lane] = extend<XLEN>(f(yes & voters, voters));
  });
  e.forLanes([&](unsigned lane) { result[lane] = results[lane]; });
}

enum class Shuffle { Up, Down, Bfly, Idx };

/// Returns the lane that LANE reads from; itself when that would leave its segment. This is the
/// rule of PTX shfl: a mask splits the warp into segments, the clamp bounds the lanes inside one.
unsigned shuffleSource(Shuffle mode, unsigned lane, unsigned offset, unsigned clamp, unsigned mask,
                       unsigned lanes) {
  int low = int(lane & mask), high = int((lane & mask) | (clamp & ~mask));
  int source = 0;
  switch (mode) {
  case Shuffle::Up:
    source = int(lane) - int(offset);
    break;
  case Shuffle::Down:
    source = int(lane) + int(offset);
    break;
  case Shuffle::Bfly:
    source = int(lane ^ offset);
    break;
  case Shuffle::Idx:
    source = low | int(offset & ~mask);
    break;
  }
  bool inRange = mode == Shuffle::Up ? source >= low : source <= high;
  return inRange && source < int(lanes) ? unsigned(source) : lane;
}

/// rd := rs1 of the source lane; an inactive source reads as 0. operands(lane) gives each lane's
/// offset (bits 0…5), clamp (6…11) and segment mask (12…17).
template <typename F> void shuffle(Exec &e, const Insn &d, Shuffle mode, F operands) {
  const uint64_t *value = e.x(d.rs1);
  uint64_t *result = e.x(d.rd);
  uint64_t results[64];
  e.forLanes([&](unsigned lane) {
    uint64_t word = operands(lane);
    unsigned source =
        shuffleSource(mode, lane, word & 63, word >> 6 & 63, word >> 12 & 63, e.lanes);
    results[lane] = e.mask() >> source & 1 ? value[source] : 0;
  });
  e.forLanes([&](unsigned lane) { result[lane] = results[lane]; });
}

void shuffleByRegister(Exec &e, const Insn &d, Shuffle mode) {
  const uint64_t *control = e.x(d.rs2);
  shuffle(e, d, mode, [=](unsigned lane) { return control[lane]; });
}

void shuffleByConstant(Exec &e, const Insn &d, Shuffle mode) {
  const uint64_t *clampWord = e.x(d.rs2);
  uint64_t offset = uint64_t(d.imm);
  shuffle(e, d, mode, [=](unsigned lane) { return clampWord[lane] << 6 | offset; });
}

} // namespace

namespace handlers {

VX_EXEC(VX_VOTE_ALL) {
  vote<XLEN>(e, d, [](uint64_t yes, uint64_t all) { return uint64_t(yes == all); });
}
VX_EXEC(VX_VOTE_ANY) {
  vote<XLEN>(e, d, [](uint64_t yes, uint64_t) { return uint64_t(yes != 0); });
}
VX_EXEC(VX_VOTE_UNI) {
  vote<XLEN>(e, d, [](uint64_t yes, uint64_t all) { return uint64_t(yes == 0 || yes == all); });
}
VX_EXEC(VX_VOTE_BALLOT) {
  vote<XLEN>(e, d, [](uint64_t yes, uint64_t) { return yes; });
}

VX_EXEC(VX_SHFL_UP) {
  shuffleByRegister(e, d, Shuffle::Up);
}
VX_EXEC(VX_SHFL_DOWN) {
  shuffleByRegister(e, d, Shuffle::Down);
}
VX_EXEC(VX_SHFL_BFLY) {
  shuffleByRegister(e, d, Shuffle::Bfly);
}
VX_EXEC(VX_SHFL_IDX) {
  shuffleByRegister(e, d, Shuffle::Idx);
}
VX_EXEC(VX_SHFL_UP_I) {
  shuffleByConstant(e, d, Shuffle::Up);
}
VX_EXEC(VX_SHFL_DOWN_I) {
  shuffleByConstant(e, d, Shuffle::Down);
}
VX_EXEC(VX_SHFL_BFLY_I) {
  shuffleByConstant(e, d, Shuffle::Bfly);
}
VX_EXEC(VX_SHFL_IDX_I) {
  shuffleByConstant(e, d, Shuffle::Idx);
}

VX_EXEC(VX_TILE) {
  uint64_t mask = UInt<XLEN>(e.scalar(d.rs1)), size = UInt<XLEN>(e.scalar(d.rs2));
  Warp &warp = e.warp();
  ++e.core().stats.tiles;
  std::string error = checkTile(e.core(), warp, mask, size, e.pc);
  if (!error.empty()) {
    e.trap(TrapCause::TileMisuse, e.lastLane(), std::move(error));
    return;
  }
  if (keepsGroups(e.core(), warp, uint32_t(mask), uint32_t(size)))
    return;
  warp.state = WarpState::AtTile;
  warp.tileMask = uint32_t(mask);
  warp.tileSize = uint32_t(size);
  e.yield();
}

} // namespace handlers
} // namespace vx::sim
