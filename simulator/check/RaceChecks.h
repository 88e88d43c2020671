// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// racecheck: accesses of two CUDA threads to one place in global or shared memory, at least one of
// them a write, and neither ordered before the other (RaceClocks.h). Two volatile or atomic
// accesses do not race, nor do two writes of one value, nor a plain read with atomics if the thread
// that reads continues with an atomic operation there: a loop that begins with a plain read and
// ends with a compare-and-swap.

#ifndef VX_SIMULATOR_CHECK_RACECHECKS_H
#define VX_SIMULATOR_CHECK_RACECHECKS_H

#include "simulator/check/Allocations.h"
#include "simulator/check/BlockMemory.h"
#include "simulator/check/RaceClocks.h"
#include "simulator/check/RaceShadow.h"

namespace vx::sim {

class RaceChecks {
public:
  RaceChecks(CudaThreads &threads, const Allocations &allocations, const BlockMemory &blockMemory);

  void runStarted();
  /// LANE accesses SIZE bytes at ADDRESS, which are at BYTES, as PERMISSION says.
  void accessed(Exec &e, unsigned lane, uint64_t address, unsigned size, uint8_t permission,
                const uint8_t *bytes);
  /// Reports what could not be decided before.
  void runEnded();
  /// The device's heap gives SIZE bytes at ADDRESS to a thread.
  void allocated(uint64_t address, uint64_t size) { global.renew(address, size); }

  RaceClocks clocks;

private:
  struct Access {
    uint64_t address;
    unsigned size;
    bool isWrite, isStrong;
    bool isOfBlock = false;      ///< strong for threads of the block only
    bool changesNothing = false; ///< writes what is there
    bool isShared;
    uint64_t place; ///< a number for the 8 bytes around it
  };

  void check(CudaThread &thread, RaceCell &cell, const Access &access, const RaceAccess &now,
             bool &isReported);
  bool isOrdered(const CudaThread &thread, const RaceAccess &before);
  void noteRead(CudaThread &thread, RaceCell &cell, const RaceAccess &now);
  void report(const Access &access, const RaceAccess &now, const RaceAccess &before, bool wasWrite);

  /// A plain read that races with an atomic, until the thread that reads accesses the place so,
  /// too.
  struct Undecided {
    Access access;
    RaceAccess now, before;
    bool wasWrite;
  };
  static constexpr size_t kMostUndecided = 1 << 18;

  CudaThreads &threads;
  RunReports &run;
  const Allocations &allocations;
  const BlockMemory &blockMemory;
  RaceShadow global;
  std::vector<RaceShadow> local;                                ///< of the cores' local memories
  std::map<std::pair<uint64_t, uint64_t>, Undecided> undecided; ///< by who reads, and where
  /// The numbers of findings by both instructions, and whether each writes.
  std::map<std::pair<uint64_t, uint64_t>, size_t> known;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_RACECHECKS_H
