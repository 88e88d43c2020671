// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The knowledge that CUDA threads have of each other (Clock.h):
//
//   __syncthreads, groups, grid.sync    all that the threads that meet have done
//   __syncwarp, tiles                   the same, for the lanes named; votes and shuffles: nothing
//   fence, then a volatile or atomic    what the thread knew at the fence; it goes to those that
//   write                               read there, by volatile or atomic accesses
//
// A read needs no fence after it: programs leave it out where a barrier or a dependence follows, as
// NVIDIA's own do. A fence before a synchronization counts for the threads that meet there.

#ifndef VX_SIMULATOR_CHECK_RACECLOCKS_H
#define VX_SIMULATOR_CHECK_RACECLOCKS_H

#include "simulator/check/CudaThreads.h"
#include <algorithm>

namespace vx::sim {

class RaceClocks {
public:
  void runStarted();

  void arrive(CudaThread &thread, BarrierWait &wait);
  /// OTHER, of the warp of THREAD, has ended: what THREAD, which is or comes to a barrier, knows of
  /// it goes to all who meet there.
  static void publish(const CudaThread &thread, CudaThread &other) {
    uint32_t known = thread.warpKnown[threadOfId(other.id) % abi::kWarpSize];
    other.published = std::max(other.published, known);
  }
  void leave(CudaThread &thread, BarrierWait &wait);
  /// Clusters meet in two steps. What any cluster does before its n-th barrier counts for all at
  /// theirs.
  void arriveAtCluster(CudaThread &thread);
  void waitForCluster(CudaThread &thread);

  void fence(CudaThread &thread, bool isForDevice);
  /// A volatile or atomic write, or read, of THREAD at PLACE, a number for the word; ISSHARED: of
  /// shared memory, for which a fence of the block will do; ISOFBLOCK: only threads of the block
  /// learn by it.
  void release(CudaThread &thread, uint64_t place, bool isShared, bool isOfBlock);
  void acquire(CudaThread &thread, uint64_t place);

  /// Returns true if THREAD knows what thread ID has done in EPOCH.
  /// OTHER: that thread, if it is of the same block, where barriers that others come to when it has
  /// ended do not order all that it has done; else null.
  static bool isOrdered(const CudaThread &thread, const CudaThread *other, uint64_t id,
                        uint32_t epoch) {
    if (id == thread.id)
      return true;
    if (blockOfId(id) == blockOfId(thread.id)) {
      bool isLeftOut = other && other->hasEnded && epoch >= other->published;
      if (epoch < thread.blockKnown && !isLeftOut)
        return true;
      uint64_t number = threadOfId(id), self = threadOfId(thread.id);
      if (number / abi::kWarpSize == self / abi::kWarpSize &&
          epoch < thread.warpKnown[number % abi::kWarpSize])
        return true;
    }
    return thread.others && thread.others->knows(id, epoch);
  }

private:
  struct Place {
    ClockRef forDevice, forBlock;
    uint64_t block = 0; ///< of forBlock
  };

  static ClockRef snapshot(const CudaThread &thread);

  std::unordered_map<uint64_t, Place> places;
  /// The n-th barrier of all clusters: a thread that continues late must not know what those do
  /// that have continued before it.
  struct ClusterPhase {
    uint32_t epoch = 0;
    ClockRef others;
  };
  std::vector<ClusterPhase> clusterPhases;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_RACECLOCKS_H
