// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// synccheck: synchronization that CUDA does not define. What is a mistake is judged by what threads
// do, not by when: a lane that a member mask names may come late, or have ended, but may not go to
// another synchronization instead, nor go past this one and on with the program (JoinPoints.h).

#ifndef VX_SIMULATOR_CHECK_SYNCCHECKS_H
#define VX_SIMULATOR_CHECK_SYNCCHECKS_H

#include "simulator/check/CudaThreads.h"

namespace vx::sim {

class SyncChecks {
public:
  explicit SyncChecks(CudaThreads &threads) : threads(threads), run(threads.run) {
    threads.checks = this;
  }

  /// THREAD, which LANE works for, has arrived at WAIT by the call SITE.
  void arrived(Exec &e, unsigned lane, CudaThread &thread, BarrierWait &wait, uint64_t site);
  /// The first thread of BLOCK has arrived at WAIT.
  void began(CudaBlock &block, BarrierWait &wait);
  /// THREAD has ended.
  void ended(CudaThread &thread);
  /// The run was stopped for CAUSE: if nothing could continue, reports what threads wait for.
  void stopped(TrapCause cause);

private:
  void checkOperands(CudaThread &thread, const BarrierWait &wait);
  void checkMissed(CudaThread &thread, BarrierWait &wait);
  void checkPassedBy(const CudaThread &thread, BarrierWait &wait);
  void reportMissing(const CudaThread &waiting, const BarrierWait &wait, uint64_t pc,
                     const CudaThread &missing, const BarrierWait &other);
  /// OTHERPC: of another call that the finding is about; 0: there is none.
  void report(const CudaThread &thread, uint64_t pc, const char *kind, std::string title,
              std::vector<std::string> notes, uint64_t otherPc = 0);
  void reportWaiting(CudaBlock &block, const BarrierWait &wait);
  void reportMismatch(const BarrierMismatch &mismatch);
  void checkMismatches(CudaBlock &block, const BarrierWait &wait);
  std::string threadText(uint64_t id) const {
    return run.threadText(blockOfId(id), threadOfId(id));
  }
  /// TEXT, and what is at PC.
  std::vector<std::string> notes(std::string text, uint64_t pc) const;

  CudaThreads &threads;
  RunReports &run;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_SYNCCHECKS_H
