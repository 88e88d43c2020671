// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/CudaThreads.h"
#include "intrinsics/abi/CheckHints.h"
#include "simulator/check/RaceClocks.h"
#include "simulator/check/SyncChecks.h"
#include <algorithm>

namespace vx::sim {

void CudaThreads::runStarted() {
  const SimConfig &config = run.device.config;
  cores.assign(config.numCores, std::vector<Lane>(config.numWarps * run.device.lanes));
  blocks.clear();
  grids.clear();
  hasHints = false;
}

void CudaThreads::enterThread(Exec &e, unsigned lane) {
  Lane &at = lanes(e)[place(e, lane)];
  at.thread = nullptr;
  if (!hasHints)
    return;
  if (!at.block) {
    auto found = blocks.find(run.blockOf(e, lane));
    if (found == blocks.end())
      return;
    at.block = found->second.get();
  }
  if (uint64_t number = run.threadOf(e, lane); number < at.block->threads.size())
    at.thread = &at.block->threads[number];
}

void CudaThreads::start(Exec &e, unsigned lane) {
  uint64_t number = run.blockOf(e, lane), threads = run.launch.blockThreads;
  if (!run.isLaunch || number >= run.launch.numBlocks || threads > kMostThreads)
    return;
  hasHints = true;
  auto [found, isNew] = blocks.try_emplace(number);
  if (isNew) {
    found->second = std::make_unique<CudaBlock>();
    CudaBlock &block = *found->second;
    block.number = number;
    block.threads.resize(threads);
    block.warps.resize((threads + abi::kWarpSize - 1) / abi::kWarpSize);
    for (uint64_t i = 0; i < threads; ++i)
      block.threads[i].id = threadId(number, i);
  }
  lanes(e)[place(e, lane)].block = found->second.get();
  enterThread(e, lane);
  if (CudaThread *thread = threadOf(e, lane))
    thread->hasStarted = true;
}

/// Threads of the warp of THREAD wait at a barrier that those of the block pass without those that
/// have ended: what the one of them knows that the other has done is known there.
void CudaThreads::publish(CudaBlock &block, CudaThread &thread) {
  uint64_t first = threadOfId(thread.id) / abi::kWarpSize * abi::kWarpSize;
  uint64_t end = std::min<uint64_t>(first + abi::kWarpSize, block.threads.size());
  for (uint64_t i = first; i < end; ++i) {
    CudaThread &other = block.threads[i];
    if (other.wait && !other.wait->isWarpLevel())
      RaceClocks::publish(other, thread);
    if (thread.wait && !thread.wait->isWarpLevel() && other.hasEnded)
      RaceClocks::publish(thread, other);
  }
}

/// The block goes with its last thread.
void CudaThreads::end(Exec &e, unsigned lane, CudaThread &thread) {
  CudaBlock &block = blockOf(thread);
  lanes(e)[place(e, lane)].thread = nullptr;
  if (std::exchange(thread.hasEnded, true))
    return;
  if (checks)
    checks->ended(thread);
  if (clocks)
    publish(block, thread);
  if (++block.ended < block.threads.size())
    return endPhases(block);
  for (std::vector<Lane> &core : cores)
    for (Lane &one : core)
      if (one.block == &block)
        one = {};
  blocks.erase(block.number);
}

void CudaThreads::hinted(Exec &e, unsigned lane, unsigned what, uint64_t value, uint64_t site) {
  if (what == VX_HINT_THREAD_START)
    return start(e, lane);
  CudaThread *thread = threadOf(e, lane);
  if (!thread)
    return;
  switch (what) {
  case VX_HINT_THREAD_END:
    return end(e, lane, *thread);
  case VX_HINT_STRONG:
  case VX_HINT_STRONG_BLOCK:
  case VX_HINT_VOLATILE:
    thread->strongAddress = value;
    thread->isStrongInBlock = what == VX_HINT_STRONG_BLOCK;
    thread->isVolatile = what == VX_HINT_VOLATILE;
    return;
  case VX_HINT_FENCE_BLOCK:
  case VX_HINT_FENCE_DEVICE:
    if (clocks)
      clocks->fence(*thread, what == VX_HINT_FENCE_DEVICE);
    return;
  case VX_HINT_SYNC_BLOCK:
    return arrive(e, lane, *thread, SyncKind::Block, site, 0);
  case VX_HINT_SYNC_GROUP:
    return arrive(e, lane, *thread, SyncKind::Group, site, value);
  case VX_HINT_SYNC_NAMED:
  case VX_HINT_ARRIVE_NAMED:
    return arriveNamed(e, lane, *thread, site, uint32_t(value), what == VX_HINT_SYNC_NAMED);
  case VX_HINT_SYNC_GRID:
    return arrive(e, lane, *thread, SyncKind::Grid, site, 0);
  case VX_HINT_SYNC_WARP:
    return arrive(e, lane, *thread, SyncKind::Warp, site, uint32_t(value));
  case VX_HINT_EXCHANGE:
    return arrive(e, lane, *thread, SyncKind::Exchange, site, uint32_t(value));
  case VX_HINT_SYNC_LEAVE:
    return leave(*thread);
  case VX_HINT_JOIN:
    return thread->joins.passed(uint32_t(value) / 2, value & 1, e.pc);
  case VX_HINT_JOINS_LEFT:
    return thread->joins.left(uint32_t(site), uint32_t(value) / 2, value & 1);
  case VX_HINT_JOIN_AHEAD:
    return thread->joins.ahead(uint32_t(value));
  case VX_HINT_JOINS_OVER:
    return thread->joins.over(value);
  case VX_HINT_CLUSTER_ARRIVE:
    if (clocks)
      clocks->arriveAtCluster(*thread);
    return;
  case VX_HINT_CLUSTER_WAIT:
    if (clocks)
      clocks->waitForCluster(*thread);
    return;
  default:
    return;
  }
}

/// The threads of a block of THREADS that a synchronization is for which THREAD calls.
static std::bitset<kMostThreads> membersOf(SyncKind kind, uint64_t operand, uint64_t thread,
                                           uint64_t threads) {
  std::bitset<kMostThreads> members;
  uint64_t first = 0, count = threads;
  if (kind == SyncKind::Warp || kind == SyncKind::Exchange) {
    first = thread / abi::kWarpSize * abi::kWarpSize;
    for (unsigned i = 0; i < abi::kWarpSize && first + i < threads; ++i)
      members[first + i] = operand >> i & 1;
    return members;
  }
  if (kind == SyncKind::Group && operand) {
    first = thread / operand * operand;
    count = std::min(operand, threads - first);
  }
  for (uint64_t i = 0; i < count; ++i)
    members.set(first + i);
  return members;
}

/// WAIT is new, and THREAD, which has come to its place, the first.
static void beginWait(BarrierWait &wait, CudaThread &thread, SyncKind kind, uint64_t site) {
  wait.kind = kind;
  wait.site = site;
  wait.pc = thread.waitPc;
  wait.firstThread = thread.id;
  wait.joinsAhead = thread.joins.counts();
}

void CudaThreads::arrive(Exec &e, unsigned lane, CudaThread &thread, SyncKind kind, uint64_t site,
                         uint64_t operand) {
  CudaBlock &block = blockOf(thread);
  uint64_t number = threadOfId(thread.id);
  thread.wait = nullptr; // no thread arrives twice; one that has not continued is lost
  thread.waitPc = e.pc;
  BarrierWait *wait = nullptr;
  bool isFirst = false; // of its block
  if (kind == SyncKind::Grid) {
    if (thread.grids == grids.size())
      beginWait(grids.emplace_back(), thread, kind, site);
    wait = &grids[thread.grids++];
    ++wait->count;
    isFirst = thread.grids > block.grids;
    block.grids = std::max(block.grids, thread.grids);
  } else {
    bool isWarpLevel = kind == SyncKind::Warp || kind == SyncKind::Exchange;
    auto &open = isWarpLevel ? block.warps[number / abi::kWarpSize] : block.waits;
    for (auto &one : open)
      if (one->kind == kind && one->operand == operand && (!isWarpLevel || one->site == site) &&
          !one->arrived[number] && (isWarpLevel || one->members[number])) {
        wait = one.get();
        break;
      }
    if (!wait) {
      open.push_back(std::make_unique<BarrierWait>());
      wait = open.back().get();
      beginWait(*wait, thread, kind, site);
      wait->operand = operand;
      wait->members = membersOf(kind, operand, number, block.threads.size());
      isFirst = true;
    }
    wait->arrived.set(number);
    ++wait->count;
  }
  thread.wait = wait;
  if (checks) {
    checks->arrived(e, lane, thread, *wait, site);
    if (isFirst)
      checks->began(block, *wait);
  }
  if (clocks) {
    clocks->arrive(thread, *wait);
    if (block.ended)
      publish(block, thread);
  }
}

void CudaThreads::arriveNamed(Exec &e, unsigned lane, CudaThread &thread, uint64_t site,
                              uint64_t what, bool waits) {
  CudaBlock &block = blockOf(thread);
  uint64_t number = threadOfId(thread.id), barrier = what & 0xff, wanted = what >> 8;
  bool isForAll = wanted == 0 || wanted >= block.threads.size();
  if (waits && barrier == 0 && isForAll) // that of __syncthreads()
    return arrive(e, lane, thread, SyncKind::Block, 0, 0);
  thread.wait = nullptr;
  thread.waitPc = e.pc;
  auto found = std::find_if(block.waits.begin(), block.waits.end(), [&](const auto &one) {
    return one->kind == SyncKind::Named && one->operand == barrier && !one->isOver &&
           !one->arrived[number];
  });
  bool isFirst = found == block.waits.end();
  if (isFirst) {
    block.waits.push_back(std::make_unique<BarrierWait>());
    found = std::prev(block.waits.end());
    beginWait(**found, thread, SyncKind::Named, site);
    (*found)->operand = barrier;
    (*found)->wanted = wanted;
    // Else any may be those it is for.
    if (isForAll)
      (*found)->members = membersOf(SyncKind::Block, 0, number, block.threads.size());
  }
  BarrierWait &wait = **found;
  wait.arrived.set(number);
  ++wait.count;
  if (waits)
    thread.wait = &wait;
  else
    ++wait.gone;
  if (checks) {
    checks->arrived(e, lane, thread, wait, site);
    if (isFirst)
      checks->began(block, wait);
  }
  if (clocks)
    clocks->arrive(thread, wait);
  endPhases(block);
}

/// Returns true if all warps that WAIT, of a named barrier of BLOCK, is for have arrived: a warp
/// has if those of its threads have that have not ended.
static bool isComplete(const CudaBlock &block, const BarrierWait &wait) {
  uint64_t warps = 0, living = 0;
  for (uint64_t first = 0; first < block.threads.size(); first += abi::kWarpSize) {
    uint64_t end = std::min<uint64_t>(first + abi::kWarpSize, block.threads.size());
    bool hasCome = false, lacks = false, lives = false;
    for (uint64_t i = first; i < end; ++i) {
      hasCome |= wait.arrived[i];
      lacks |= !wait.arrived[i] && !block.threads[i].hasEnded;
      lives |= !block.threads[i].hasEnded;
    }
    warps += hasCome && !lacks;
    living += lives;
  }
  return warps >= (wait.wanted ? wait.wanted / abi::kWarpSize : living);
}

/// A thread of BLOCK has arrived at a named barrier, or ended.
void CudaThreads::endPhases(CudaBlock &block) {
  for (auto &wait : block.waits)
    if (wait->kind == SyncKind::Named && !wait->isOver)
      wait->isOver = isComplete(block, *wait);
  std::erase_if(block.waits, [](const auto &one) {
    return one->kind == SyncKind::Named && one->isOver && one->gone == one->count;
  });
}

void CudaThreads::leave(CudaThread &thread) {
  BarrierWait *wait = std::exchange(thread.wait, nullptr);
  if (!wait)
    return;
  if (clocks)
    clocks->leave(thread, *wait);
  ++wait->gone;
  if (wait->kind == SyncKind::Named) {
    wait->isOver = true;
    return endPhases(blockOf(thread));
  }
  if (wait->kind != SyncKind::Grid && wait->gone == wait->count)
    close(blockOf(thread), *wait);
}

/// All that have arrived have continued. If threads are missing that have not ended, WAIT stays:
/// they may come later, where lanes of a warp take turns.
void CudaThreads::close(CudaBlock &block, BarrierWait &wait) {
  if (wait.count < wait.members.count())
    for (uint64_t i = 0; i < block.threads.size(); ++i)
      if (wait.awaits(i) && !block.threads[i].hasEnded)
        return;
  auto &open =
      wait.isWarpLevel() ? block.warps[threadOfId(wait.firstThread) / abi::kWarpSize] : block.waits;
  std::erase_if(open, [&](const auto &one) { return one.get() == &wait; });
}

} // namespace vx::sim
