// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction that has been issued before the cycle that it belongs to (TimingCore::issueAhead),
// and what its core had counted by then: if the run ends before that cycle, the instruction is
// squashed.

#ifndef VX_SIMULATOR_TIMING_CORE_SPECULATIVEISSUE_H
#define VX_SIMULATOR_TIMING_CORE_SPECULATIVEISSUE_H

#include "simulator/api/Stats.h"
#include "simulator/timing/core/IssueStage.h"

namespace vx::sim {

class SpeculativeIssue {
public:
  void reset() { cycle = kNever; }

  /// To be called before the instruction of cycle NEXT is issued.
  void begin(Cycle next, const IssueStage &issueStage, const CoreStats &stats) {
    cycle = next;
    conflicts = issueStage.bankConflicts();
    busy = {stats.aluBusy, stats.lsuBusy, stats.fpuBusy, stats.sfuBusy};
  }
  /// The instruction has been issued, for the warp in SLOT.
  void end(uint32_t warpSlot) { slot = warpSlot; }

  /// Returns true if the last instruction that was issued ahead belongs to cycle WHEN.
  bool isFor(Cycle when) const { return cycle == when; }

  /// Makes the counters what they were before the instruction was issued.
  void squash(IssueStage &issueStage, CoreStats &stats) const {
    --stats.issued;
    issueStage.setBankConflicts(conflicts);
    stats.aluBusy = busy[0];
    stats.lsuBusy = busy[1];
    stats.fpuBusy = busy[2];
    stats.sfuBusy = busy[3];
  }
  /// Returns why its cycle is idle without the instruction: because of the first instruction that
  /// had been decoded, which may be the one that has been issued.
  StallCause whyIdle(const IssueStage &issueStage) const {
    StallCause cause = StallCause::Operands;
    uint64_t pc = 0;
    if (issueStage.firstHead() < slot)
      issueStage.isBlocked(cause, pc);
    return cause;
  }

private:
  Cycle cycle = kNever;
  uint32_t slot = 0;
  uint64_t conflicts = 0;
  std::array<uint64_t, 4> busy{}; ///< of ALU, LSU, FPU and SFU
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_SPECULATIVEISSUE_H
