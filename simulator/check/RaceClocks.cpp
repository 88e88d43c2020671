// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/RaceClocks.h"
#include <algorithm>

namespace vx::sim {

void RaceClocks::runStarted() {
  places.clear();
  clusterPhases.clear();
}

/// All that THREAD knows, itself included.
ClockRef RaceClocks::snapshot(const CudaThread &thread) {
  auto clock = std::make_shared<Clock>();
  uint64_t block = blockOfId(thread.id), number = threadOfId(thread.id);
  if (thread.blockKnown)
    clock->knowBlock(block, thread.blockKnown);
  uint64_t first = thread.id - number % abi::kWarpSize;
  for (unsigned i = 0; i < abi::kWarpSize; ++i)
    if (uint32_t epoch = thread.warpKnown[i]; epoch > thread.blockKnown)
      clock->knowThread(first + i, epoch);
  clock->knowThread(thread.id, thread.epoch + 1);
  return Clock::join(clock, thread.others);
}

void RaceClocks::arrive(CudaThread &thread, BarrierWait &wait) {
  if (wait.kind == SyncKind::Exchange)
    return;
  if (wait.kind == SyncKind::Named) {
    wait.others = Clock::join(wait.others, snapshot(thread));
    wait.isFenced |= thread.isFenced;
    thread.published = ++thread.epoch;
    return;
  }
  wait.others = Clock::join(wait.others, thread.others);
  wait.blockKnown = std::max(wait.blockKnown, thread.blockKnown);
  wait.isFenced |= thread.isFenced;
  wait.epoch = std::max(wait.epoch, thread.epoch + 1);
  if (wait.kind != SyncKind::Warp)
    return;
  for (unsigned i = 0; i < abi::kWarpSize; ++i)
    wait.warpKnown[i] = std::max(wait.warpKnown[i], thread.warpKnown[i]);
  uint32_t &own = wait.warpKnown[threadOfId(thread.id) % abi::kWarpSize];
  own = std::max(own, thread.epoch + 1);
}

void RaceClocks::leave(CudaThread &thread, BarrierWait &wait) {
  uint64_t block = blockOfId(thread.id);
  switch (wait.kind) {
  case SyncKind::Exchange:
    return;
  case SyncKind::Warp:
    ++thread.epoch;
    for (unsigned i = 0; i < abi::kWarpSize; ++i)
      thread.warpKnown[i] = std::max(thread.warpKnown[i], wait.warpKnown[i]);
    thread.blockKnown = std::max(thread.blockKnown, wait.blockKnown);
    thread.others = wait.others;
    if (std::exchange(thread.isFenced, false) || wait.isFenced)
      fence(thread, true);
    thread.isFenced = false;
    return;
  case SyncKind::Named:
    thread.others = Clock::join(thread.others, wait.others);
    if (wait.isFenced)
      fence(thread, true);
    thread.isFenced = false;
    return;
  case SyncKind::Block:
    thread.blockKnown = wait.epoch;
    wait.result = wait.others;
    break;
  case SyncKind::Group:
  case SyncKind::Grid:
    thread.blockKnown = std::max(thread.blockKnown, wait.blockKnown);
    if (!wait.result) {
      auto clock = std::make_shared<Clock>();
      if (wait.kind == SyncKind::Grid)
        clock->knowGrid(wait.epoch);
      else
        clock->knowGroup(block, threadOfId(thread.id), wait.operand, wait.epoch);
      wait.result = Clock::join(clock, wait.others);
    }
    break;
  }
  thread.epoch = thread.published = wait.epoch;
  thread.others = wait.result;
  thread.isFenced = false;
  if (!wait.isFenced)
    return;
  if (!wait.fence) {
    auto clock = std::make_shared<Clock>();
    if (thread.blockKnown)
      clock->knowBlock(block, thread.blockKnown);
    wait.fence = Clock::join(clock, thread.others);
  }
  // After a synchronization of the grid, others of the block know as much.
  thread.fencedForDevice = thread.fencedForBlock = wait.fence;
}

void RaceClocks::arriveAtCluster(CudaThread &thread) {
  if (clusterPhases.size() <= ++thread.clusterArrivals)
    clusterPhases.resize(thread.clusterArrivals + 1);
  ClusterPhase &phase = clusterPhases[thread.clusterArrivals];
  phase.epoch = std::max(phase.epoch, ++thread.epoch);
  thread.published = thread.epoch;
  phase.others = Clock::join(phase.others, thread.others);
}

void RaceClocks::waitForCluster(CudaThread &thread) {
  if (thread.clusterArrivals >= clusterPhases.size())
    return; // no thread has arrived
  const ClusterPhase &phase = clusterPhases[thread.clusterArrivals];
  auto clock = std::make_shared<Clock>();
  clock->knowGrid(phase.epoch);
  thread.others = Clock::join(Clock::join(clock, phase.others), thread.others);
  thread.epoch = std::max(thread.epoch, phase.epoch);
}

void RaceClocks::fence(CudaThread &thread, bool isForDevice) {
  thread.fencedForBlock = snapshot(thread);
  ++thread.epoch;
  if (!isForDevice)
    return;
  thread.fencedForDevice = thread.fencedForBlock;
  thread.isFenced = true;
}

void RaceClocks::release(CudaThread &thread, uint64_t at, bool isShared, bool isOfBlock) {
  if (!thread.fencedForBlock)
    return;
  Place &place = places[at];
  if (isShared || !isOfBlock) {
    place.forDevice =
        Clock::join(place.forDevice, isShared ? thread.fencedForBlock : thread.fencedForDevice);
    if (isShared || thread.fencedForBlock == thread.fencedForDevice)
      return;
  }
  uint64_t block = blockOfId(thread.id);
  place.forBlock =
      Clock::join(place.block == block ? place.forBlock : ClockRef(), thread.fencedForBlock);
  place.block = block;
}

void RaceClocks::acquire(CudaThread &thread, uint64_t at) {
  if (places.empty())
    return;
  auto found = places.find(at);
  if (found == places.end())
    return;
  const Place &place = found->second;
  if (place.forDevice && place.forDevice != thread.acquired) {
    thread.others = Clock::join(thread.others, place.forDevice);
    thread.acquired = place.forDevice;
  }
  if (place.forBlock && place.block == blockOfId(thread.id))
    thread.others = Clock::join(thread.others, place.forBlock);
}

} // namespace vx::sim
