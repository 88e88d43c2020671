// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cores on several threads of the host, with the results of one.
//
// Time advances in intervals. In each, the cores run independently of each other:
//
//   1  shared memory, cycle T                                         one thread
//   2  each core and its own part of memory, cycles T … E-1           all threads
//   3  what cores have left of their accesses to guest memory,        one thread
//      in the order of cycles and cores
//   4  shared memory, cycles T+1 … E-1                                one thread
//
// That changes nothing, because:
//
// - Requests reach shared memory, and its answers the cores, some cycles after they were sent
//   (MemorySystem::independence()): what happens in step 2 does not depend on step 4 of the same
//   interval, no matter which is first. That, and nothing else, says how long an interval may be.
// - An instruction is executed functionally when it is scheduled. Its warp is not scheduled again
//   before the I$ has answered, hence not in the same interval; until then nothing sees the values
//   that it loads. So stores and atomics wait for step 3, where they are executed in the order that
//   they have on one thread. A load is executed at once, and repeated in step 3 if a store or an
//   atomic comes before it. What only one core can reach (its local memory, stacks) is accessed at
//   once, too.
// - A guest that is stopped (a trap, an exit) has not seen what other cores did after that cycle.
//   Memory has not been changed; what the cores have counted is restored (Checkpoint).
//
// There is no such interval while a global barrier is in use, which joins cores within a cycle, and
// when so many stores are under way that they hold up each other.

#ifndef VX_SIMULATOR_TIMING_SYS_PARALLELCORES_H
#define VX_SIMULATOR_TIMING_SYS_PARALLELCORES_H

#include "simulator/timing/mem/MemorySystem.h"
#include "simulator/timing/sys/CoreClock.h"
#include "simulator/timing/sys/WorkerPool.h"

namespace vx::sim {

class ParallelCores {
public:
  ParallelCores(Device &device, MemorySystem &memory, TimingControl &control,
                std::vector<CoreClock> &clocks, unsigned threads);

  /// A run begins.
  void reset();
  /// Returns true if the next cycle may begin an interval.
  bool mayRun() const { return !control.anyGlobal() && !memory.mayFillUp(length); }

  /// Runs an interval that begins in cycle NOW, in which something happens, and ends before LIMIT.
  /// Afterwards NOW is the next cycle with something to do, or if false is returned, how many
  /// cycles the run has taken: no core is running, something has stopped the guest, or, if neither,
  /// no core can continue.
  bool run(Cycle &now, Cycle limit);

private:
  struct MemoryCheckpoint {
    Cycle cycle;
    MemoryStats stats;
  };
  struct CoreCheckpoint {
    Cycle cycle;
    bool running;
    Cycle ended;
    TimingCore::Checkpoint counted;
  };
  /// One core in an interval.
  struct alignas(64) Member {
    CoreClock *clock = nullptr;
    DeferredMemory deferred;
    size_t finished = 0; ///< of deferred.insns: those that step 3 is done with
    std::vector<CoreCheckpoint> checkpoints;
    std::vector<MemoryCheckpoint> memoryCheckpoints;
    size_t checkpointCount = 0, memoryCheckpointCount = 0;
    Cycle stopped = kNever; ///< it has stopped the guest
    Cycle ticked = 0;       ///< the first cycle that is left for its own memory
    Cycle lastTick = 0;     ///< of the core or its own memory
    TrapReport trap;
    std::optional<int> exitCode;
  };
  /// Something has stopped the guest: core CORE in cycle CYCLE.
  struct Stop {
    Cycle cycle = kNever;
    size_t core = 0;

    /// Returns true if core OTHERCORE still executes cycle OTHERCYCLE before the guest is stopped.
    bool covers(Cycle otherCycle, size_t otherCore) const {
      return otherCycle < cycle || (otherCycle == cycle && otherCore <= core);
    }
  };

  void runMember(size_t index);
  bool tickCore(Member &member, Cycle now);
  void tickOwn(Member &member, size_t index, Cycle now);
  Stop firstStop() const;
  void finishAccesses(Stop &stop);
  bool finishAccess(Member &member, Cycle now, bool &changed);
  void finishMemory(Cycle end);
  void squash(const Stop &stop);
  Cycle nextCycle() const;

  Device &device;
  MemorySystem &memory;
  TimingControl &control;
  std::vector<Member> members;
  WorkerPool threads;
  const Cycle length; ///< of an interval
  Cycle begin = 0, end = 0;
  Cycle lastEvent = 0; ///< a cycle in which something happened
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_PARALLELCORES_H
