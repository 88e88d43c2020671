// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA threads of a run whose code is compiled to be checked, as its hints tell of them
// (intrinsics/abi/CheckHints.h): which thread each lane works for, and which threads meet at which
// synchronization. Nothing here depends on how a kernel is lowered: all threads that a
// synchronization is for arrive at it before the first one continues, whether they are lanes or
// rounds of loops.

#ifndef VX_SIMULATOR_CHECK_CUDATHREADS_H
#define VX_SIMULATOR_CHECK_CUDATHREADS_H

#include "intrinsics/abi/WarpSize.h"
#include "simulator/check/Clock.h"
#include "simulator/check/JoinPoints.h"
#include "simulator/check/RunReports.h"
#include <array>
#include <bitset>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace vx::sim {

constexpr unsigned kMostThreads = 1 << kThreadBits; ///< of a block

enum class SyncKind : uint8_t { Block, Group, Named, Grid, Warp, Exchange };

/// Threads that synchronize, once.
struct BarrierWait {
  SyncKind kind = SyncKind::Block;
  uint64_t site = 0;    ///< the call in the source; 0: does not matter
  uint64_t operand = 0; ///< member mask, size of the group, or number of the barrier
  std::bitset<kMostThreads> members, arrived;
  std::bitset<kMostThreads> excused; ///< members of whom it is known that they do not come
  uint64_t count = 0;                ///< that have arrived, of the grid
  uint64_t gone = 0;                 ///< that have continued
  uint64_t wanted = 0; ///< threads of a phase of a named barrier; 0: all that have not ended
  bool isOver = false; ///< that phase
  uint64_t pc = 0, firstThread = 0;
  std::vector<JoinPoints::Count> joinsAhead; ///< of the first thread

  // The knowledge of those that have arrived (RaceClocks).
  uint32_t epoch = 0, blockKnown = 0;
  std::array<uint32_t, abi::kWarpSize> warpKnown{};
  ClockRef others, result, fence;
  bool isFenced = false;

  bool awaits(uint64_t number) const {
    return members[number] && !arrived[number] && !excused[number];
  }
  bool isWarpLevel() const { return kind == SyncKind::Warp || kind == SyncKind::Exchange; }
};

struct CudaThread {
  uint64_t id = 0; ///< threadId()
  bool hasStarted = false, hasEnded = false;
  BarrierWait *wait = nullptr; ///< that it has arrived at
  uint64_t waitPc = 0;
  uint64_t grids = 0; ///< synchronizations of the grid that it has arrived at
  JoinPoints joins;

  // The knowledge of the thread (RaceClocks).
  uint64_t clusterArrivals = 0;       ///< at barriers of the cluster
  uint32_t epoch = 1, blockKnown = 0; ///< of its block: all before that epoch
  uint32_t published = 0; ///< what it did before that epoch is known to a barrier, also if it ends
  std::array<uint32_t, abi::kWarpSize> warpKnown{};
  ClockRef others;
  ClockRef fencedForDevice, fencedForBlock, acquired;
  bool isFenced = false;
  uint64_t strongAddress = 0;
  bool isStrongInBlock = false; ///< only there
  bool isVolatile = false;      ///< not atomic
};

/// Two threads that have met at different barriers of their block.
struct BarrierMismatch {
  uint64_t thread, firstThread;
  uint64_t pc, firstPc;
};

struct CudaBlock {
  uint64_t number = 0;
  unsigned ended = 0;
  uint64_t grids = 0; ///< the most synchronizations of the grid that a thread has arrived at
  std::vector<CudaThread> threads;
  std::vector<BarrierMismatch> mismatches;
  std::vector<std::unique_ptr<BarrierWait>> waits;              ///< of block and groups
  std::vector<std::vector<std::unique_ptr<BarrierWait>>> warps; ///< by warp
};

class RaceClocks;
class SyncChecks;

class CudaThreads {
public:
  explicit CudaThreads(RunReports &run) : run(run) {}

  /// These are told of what threads do; they may be null.
  RaceClocks *clocks = nullptr;
  SyncChecks *checks = nullptr;

  void runStarted();
  /// True if some thread has said where it starts: the code is compiled to be checked.
  bool isChecked() const { return hasHints; }

  /// LANE begins to work for a block, or a thread, as the hint registers say.
  void enterBlock(Exec &e, unsigned lane) { lanes(e)[place(e, lane)] = {}; }
  void enterThread(Exec &e, unsigned lane);
  /// The thread that LANE works for, or null.
  CudaThread *threadOf(Exec &e, unsigned lane) { return lanes(e)[place(e, lane)].thread; }
  /// LANE executes the hint WHAT with the operand VALUE; SITE is of VX_HINT_SITE.
  void hinted(Exec &e, unsigned lane, unsigned what, uint64_t value, uint64_t site);

  /// The block of THREAD, which runs.
  CudaBlock &blockOf(const CudaThread &thread) { return *blocks.at(blockOfId(thread.id)); }
  template <typename F> void forEachBlock(F visit) {
    for (auto &[number, block] : blocks)
      visit(*block);
  }
  std::deque<BarrierWait> &gridWaits() { return grids; }

  RunReports &run;

private:
  struct Lane {
    CudaBlock *block = nullptr;
    CudaThread *thread = nullptr;
  };

  std::vector<Lane> &lanes(Exec &e) { return cores[e.core().id]; }
  unsigned place(Exec &e, unsigned lane) { return e.warp().base + lane; }
  void start(Exec &e, unsigned lane);
  void end(Exec &e, unsigned lane, CudaThread &thread);
  void arrive(Exec &e, unsigned lane, CudaThread &thread, SyncKind kind, uint64_t site,
              uint64_t operand);
  /// THREAD arrives at a named barrier (VX_HINT_SYNC_NAMED) and WAITS there, or not.
  void arriveNamed(Exec &e, unsigned lane, CudaThread &thread, uint64_t site, uint64_t what,
                   bool waits);
  static void publish(CudaBlock &block, CudaThread &thread);
  void endPhases(CudaBlock &block);
  void leave(CudaThread &thread);
  void close(CudaBlock &block, BarrierWait &wait);

  std::vector<std::vector<Lane>> cores;
  std::unordered_map<uint64_t, std::unique_ptr<CudaBlock>> blocks;
  std::deque<BarrierWait> grids; ///< all of the run, in their order
  bool hasHints = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_CUDATHREADS_H
