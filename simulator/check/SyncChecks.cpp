// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/SyncChecks.h"
#include "simulator/check/Text.h"
#include <algorithm>

namespace vx::sim {

namespace {

const char *nameOf(const BarrierWait &wait) {
  switch (wait.kind) {
  case SyncKind::Block:
    return "a barrier of the block";
  case SyncKind::Group:
    return "a barrier of a tile";
  case SyncKind::Named:
    return "a named barrier";
  case SyncKind::Grid:
    return "a synchronization of the grid";
  case SyncKind::Warp:
    return "a synchronization of the warp";
  case SyncKind::Exchange:
    return "a warp function";
  }
  return "";
}

} // namespace

std::vector<std::string> SyncChecks::notes(std::string text, uint64_t pc) const {
  std::vector<std::string> all{std::move(text)};
  run.notePlace(all, pc);
  return all;
}

void SyncChecks::report(const CudaThread &thread, uint64_t pc, const char *kind, std::string title,
                        std::vector<std::string> notes, uint64_t otherPc) {
  Finding finding;
  std::string line = run.lineOf(pc), other = otherPc ? run.lineOf(otherPc) : line;
  if (otherPc)
    run.nameOther(finding, otherPc);
  finding.tool = "synccheck";
  finding.kind = kind;
  finding.title = std::move(title);
  finding.notes = std::move(notes);
  run.report({blockOfId(thread.id), threadOfId(thread.id), pc},
             std::string(kind) + "|" + std::min(line, other) + "|" + std::max(line, other),
             std::move(finding));
}

void SyncChecks::arrived(Exec &e, unsigned, CudaThread &thread, BarrierWait &wait, uint64_t site) {
  checkOperands(thread, wait);
  checkMissed(thread, wait);
  checkMismatches(threads.blockOf(thread), wait);
  if (wait.site == site || !wait.site || !site || wait.kind == SyncKind::Named ||
      wait.isWarpLevel())
    return;
  BarrierMismatch mismatch{thread.id, wait.firstThread, e.pc, wait.pc};
  constexpr uint64_t kReduction = 3; // bits of the site (CheckHints.h)
  if (wait.kind != SyncKind::Block || (wait.site & kReduction) != (site & kReduction))
    return reportMismatch(mismatch);
  std::vector<BarrierMismatch> &all = threads.blockOf(thread).mismatches;
  constexpr size_t kMost = 64;
  if (all.size() < kMost && std::none_of(all.begin(), all.end(), [&](const BarrierMismatch &one) {
        return one.pc == mismatch.pc && one.firstPc == mismatch.firstPc;
      }))
    all.push_back(mismatch);
}

void SyncChecks::reportMismatch(const BarrierMismatch &mismatch) {
  CudaThread thread;
  thread.id = mismatch.thread;
  report(thread, mismatch.pc, "different-barriers",
         "threads that wait for each other are at different barriers",
         notes(threadText(mismatch.firstThread) + " waits", mismatch.firstPc), mismatch.firstPc);
}

/// Threads may meet at different barriers of the block. But if one of those that did has ended,
/// and another one waits at WAIT, they have come to more barriers than it has: they were not
/// meant to meet.
void SyncChecks::checkMismatches(CudaBlock &block, const BarrierWait &wait) {
  if (wait.kind != SyncKind::Block)
    return;
  std::erase_if(block.mismatches, [&](const BarrierMismatch &mismatch) {
    auto isLeft = [&](uint64_t ended, uint64_t waiting) {
      return block.threads[ended].hasEnded && !wait.arrived[ended] &&
             block.threads[waiting].wait == &wait;
    };
    uint64_t one = threadOfId(mismatch.thread), other = threadOfId(mismatch.firstThread);
    bool isMismatch = isLeft(one, other) || isLeft(other, one);
    if (isMismatch)
      reportMismatch(mismatch);
    return isMismatch;
  });
}

/// Checks what one call says by itself.
void SyncChecks::checkOperands(CudaThread &thread, const BarrierWait &wait) {
  uint64_t number = threadOfId(thread.id), pc = thread.waitPc;
  if (wait.isWarpLevel() && !(wait.operand >> number % abi::kWarpSize & 1))
    report(thread, pc, "lane-not-named",
           "the member mask " + hexText(wait.operand) + " does not name the lane that calls, " +
               std::to_string(number % abi::kWarpSize),
           {});
  if (wait.kind == SyncKind::Group && wait.members.count() < wait.operand)
    report(thread, pc, "incomplete-tile",
           "a tile of " + std::to_string(wait.operand) + " threads has " +
               std::to_string(wait.members.count()),
           {"the block has " + std::to_string(run.launch.blockThreads) + " threads"});
  if (wait.kind == SyncKind::Grid && !(run.launch.flags & abi::kLaunchCooperative))
    report(thread, pc, "not-cooperative",
           "synchronization of the grid in a launch that is not cooperative", {});
}

/// Returns true if OTHER is a synchronization of the warp that cannot be over before some of those
/// come who have arrived at WAIT.
static bool isForSomeOf(const BarrierWait &other, const BarrierWait &wait) {
  return other.isWarpLevel() && (other.members & wait.arrived).any();
}

/// WAITING is at WAIT, by the call at PC, for MISSING, which is at another one.
void SyncChecks::reportMissing(const CudaThread &waiting, const BarrierWait &wait, uint64_t pc,
                               const CudaThread &missing, const BarrierWait &other) {
  bool isMutual = isForSomeOf(other, wait);
  report(waiting, pc, isMutual ? "different-warp-functions" : "missing-lanes",
         isMutual ? "lanes that wait for each other are at different warp functions"
                  : "a lane that the member mask " + hexText(wait.operand) + " names does not come",
         notes(threadText(missing.id) + " is at " + nameOf(other), missing.waitPc),
         isMutual ? missing.waitPc : 0);
}

/// Reports lanes of its warp that wait for THREAD, or have waited, where it does not come.
void SyncChecks::checkMissed(CudaThread &thread, BarrierWait &wait) {
  uint64_t number = threadOfId(thread.id);
  CudaBlock &block = threads.blockOf(thread);
  for (auto &open : block.warps[number / abi::kWarpSize]) {
    // Parts of a warp may exchange values in turn: at what began later THREAD may still arrive.
    if (open.get() == &wait)
      break;
    if (!open->awaits(number))
      continue;
    // At a warp function that needs none of those who wait, THREAD is on its way to them, or it
    // ends.
    if (wait.isWarpLevel() && !isForSomeOf(wait, *open))
      continue;
    reportMissing(block.threads[threadOfId(open->firstThread)], *open, open->pc, thread, wait);
    // Said once, about both.
    open->excused.set(number);
    if (wait.isWarpLevel())
      wait.excused |= open->arrived;
  }
  if (!wait.isWarpLevel())
    return;
  // Lanes that wait elsewhere for THREAD have come there before it came here.
  uint64_t warp = number / abi::kWarpSize * abi::kWarpSize;
  for (uint64_t i = warp; i < warp + abi::kWarpSize && i < block.threads.size(); ++i) {
    const CudaThread &other = block.threads[i];
    if (!wait.awaits(i) || other.hasEnded || !other.wait || !other.wait->awaits(number))
      continue;
    reportMissing(thread, wait, thread.waitPc, other, *other.wait);
    wait.excused.set(i);
    other.wait->excused.set(number);
  }
}

void SyncChecks::began(CudaBlock &block, BarrierWait &wait) {
  if (!block.ended || wait.joinsAhead.empty())
    return;
  for (const CudaThread &thread : block.threads)
    if (thread.hasEnded)
      checkPassedBy(thread, wait);
}

void SyncChecks::ended(CudaThread &thread) {
  CudaBlock &block = threads.blockOf(thread);
  for (auto &wait : block.waits) {
    checkPassedBy(thread, *wait);
    checkMismatches(block, *wait);
  }
  for (auto &wait : block.warps[threadOfId(thread.id) / abi::kWarpSize])
    checkPassedBy(thread, *wait);
  if (block.grids > thread.grids)
    checkPassedBy(thread, threads.gridWaits()[thread.grids]);
}

/// Reports if THREAD, which has ended, has gone past WAIT, which is for it.
void SyncChecks::checkPassedBy(const CudaThread &thread, BarrierWait &wait) {
  uint64_t number = threadOfId(thread.id);
  bool isOfGrid = wait.kind == SyncKind::Grid;
  if (!isOfGrid && !wait.awaits(number))
    return;
  bool isWarpLevel = wait.isWarpLevel();
  uint64_t beyond = thread.joins.findBeyond(wait.joinsAhead, isWarpLevel);
  if (!beyond)
    return;
  CudaThread first;
  first.id = wait.firstThread;
  report(first, wait.pc, isWarpLevel ? "missing-lanes" : "missing-threads",
         isWarpLevel
             ? "a lane that the member mask " + hexText(wait.operand) + " names does not come"
             : "a thread does not come to " + std::string(nameOf(wait)),
         notes(threadText(thread.id) + " has gone past it", beyond));
  wait.excused.set(number); // said once
}

void SyncChecks::reportWaiting(CudaBlock &block, const BarrierWait &wait) {
  if (wait.isOver)
    return;
  const CudaThread &first = block.threads[threadOfId(wait.firstThread)];
  if (wait.kind == SyncKind::Named && wait.members.none())
    return report(first, wait.pc, "deadlock",
                  std::to_string(wait.count) + " threads have arrived at barrier " +
                      std::to_string(wait.operand) + " of the block, which is for " +
                      std::to_string(wait.wanted),
                  {});
  std::vector<std::string> notes;
  constexpr size_t kMostNotes = 6;
  uint64_t missing = 0;
  for (const CudaThread &thread : block.threads) {
    uint64_t number = threadOfId(thread.id);
    if (!wait.awaits(number) || thread.hasEnded)
      continue;
    ++missing;
    if (notes.size() >= kMostNotes)
      continue;
    notes.push_back(threadText(thread.id) + (thread.wait ? " waits" : " has not come"));
    if (thread.wait)
      run.notePlace(notes, thread.waitPc);
  }
  if (missing)
    report(first, wait.pc, "deadlock",
           std::to_string(wait.count - wait.gone) + " threads wait at " + nameOf(wait) + " for " +
               std::to_string(missing) + " that do not come",
           std::move(notes));
}

void SyncChecks::stopped(TrapCause cause) {
  if (cause != TrapCause::BarrierDeadlock && cause != TrapCause::CycleLimit &&
      cause != TrapCause::NoProgress && cause != TrapCause::Interrupted)
    return;
  threads.forEachBlock([&](CudaBlock &block) {
    for (auto &wait : block.waits)
      if (wait->gone < wait->count)
        reportWaiting(block, *wait);
    for (auto &warp : block.warps)
      for (auto &wait : warp)
        if (wait->gone < wait->count)
          reportWaiting(block, *wait);
  });
  for (const BarrierWait &wait : threads.gridWaits()) {
    uint64_t all = run.launch.numBlocks * run.launch.blockThreads;
    if (wait.gone || wait.count >= all)
      continue;
    Finding finding;
    finding.tool = "synccheck";
    finding.kind = "deadlock";
    finding.title = std::to_string(wait.count) + " threads wait at " + nameOf(wait) + " for " +
                    std::to_string(all - wait.count) + " that do not come";
    run.report({blockOfId(wait.firstThread), threadOfId(wait.firstThread), wait.pc},
               "deadlock|" + run.lineOf(wait.pc), std::move(finding));
  }
}

} // namespace vx::sim
