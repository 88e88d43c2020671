// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergence by paths (core.divergence = paths), after Simty (Collange, "Simty: generalized SIMT
// execution on RISC-V", 2017): a warp keeps a list of paths, each some of its lanes with a pc of
// their own, in place of a stack of masks. Its code is plain RISC-V.
//
//   diverge     a branch or an indirect jump whose lanes disagree makes two paths
//   merge       paths that have come to one pc at one call depth become one
//   choose      one path executes at a time: that in the deepest call, and of these the one with
//               the least pc. So lanes that are ahead wait for the others
//   wait        a barrier, a vx_tile, and a vote with a member mask are executed together: a path
//               waits there until all lanes of the group that have not ended, or all that the mask
//               names, are part of it, for a vote with the same mask. A vote without a result (rd
//               is x0) that names all lanes is where they meet between two threads of the program:
//               votes do not wait for those that are there
//
// The order alone would let a path spin for ever on what a later one is about to write. So a path
// yields when it comes round a loop with the same results as the time before, or having read the
// clock: the others execute core.path_turn instructions before it looks again. And one that has not
// executed for core.path_patience instructions of its warp gets a turn, whatever the order. When
// every path waits, one at a vote continues with the lanes that it has
// (PathChooser::continueWithout).

#ifndef VX_SIMULATOR_FUNC_PATHS_H
#define VX_SIMULATOR_FUNC_PATHS_H

#include <array>
#include <cstdint>
#include <vector>

namespace vx::sim {

class Exec;
struct Insn;

/// Lanes of a warp that have one pc.
struct Path {
  uint64_t pc = 0, mask = 0;
  int64_t depth = 0;    ///< nested calls, counted by the link registers of jumps
  uint64_t ranAt = 0;   ///< WarpPaths::executed when it was last the one that executes
  bool waiting = false; ///< for other lanes, at the instruction at its pc
  bool yielded = false; ///< spins
};

/// The paths of a warp. The pc and the lanes of the one that executes are those of the warp.
struct WarpPaths {
  std::vector<Path> others; ///< that do not execute now
  int64_t depth = 0;        ///< of the one that executes
  uint64_t executed = 0;    ///< instructions of the warp
  uint64_t turnEnds = 0;    ///< until then (in `executed`) the path that executes keeps on
  uint64_t yieldedAt = 0;   ///< when one yielded last
  uint64_t sortedAt = 0;    ///< cycle of the core in which the cold table is sorted again
  uint32_t delay = 0;       ///< cycles that choosing a path has cost after the last instruction

  /// One round of a warp in a loop: all results of its instructions, summed up.
  struct Turn {
    uint64_t target = 0; ///< of the jump back
    uint64_t sum = 0;    ///< `results` at the last turn
    uint64_t change = 0; ///< of it in the turn before
  };
  std::array<Turn, 4> turns;
  unsigned oldestTurn = 0;
  uint64_t results = 0;
  bool readClock = false; ///< since the last turn of a loop

  void clear() { *this = {}; }
  /// Returns all lanes that have not ended; ACTIVE are those that execute.
  uint64_t live(uint64_t active) const {
    for (const Path &path : others)
      active |= path.mask;
    return active;
  }
};

/// The lanes of TAKEN jump to TARGET, those of REST continue at REST_PC: the next instruction of E
/// is the former's. For instruction handlers of a machine with paths.
void diverge(Exec &e, uint64_t taken, uint64_t target, uint64_t rest, uint64_t restPc);

/// vx_tmc on a machine with paths: lanes that execute end unless MASK has them, and lanes of it
/// that are on no path start at the next instruction. Returns false if no lane of the warp is left.
bool setPathLanes(Exec &e, uint64_t mask);

/// INSN, at PC, has been executed: merges paths and chooses the one that executes next, which can
/// do so. The warp is ready.
void choosePath(Exec &e, const Insn &insn, uint64_t pc);

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_PATHS_H
