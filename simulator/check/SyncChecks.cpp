// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/SyncChecks.h"
#include "simulator/check/Text.h"
#include <algorithm>

namespace vx::sim {

namespace {

const char *nameOf(const Meeting &meeting) {
  switch (meeting.kind) {
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

void SyncChecks::arrived(Exec &e, unsigned, CudaThread &thread, Meeting &meeting, uint64_t site) {
  checkOperands(thread, meeting);
  checkMissed(thread, meeting);
  checkApart(threads.blockOf(thread), meeting);
  if (meeting.site == site || !meeting.site || !site || meeting.kind == SyncKind::Named ||
      meeting.isWarpLevel())
    return;
  Apart apart{thread.id, meeting.firstThread, e.pc, meeting.pc};
  constexpr uint64_t kReduction = 3; // bits of the site (CheckHints.h)
  if (meeting.kind != SyncKind::Block || (meeting.site & kReduction) != (site & kReduction))
    return reportApart(apart);
  std::vector<Apart> &all = threads.blockOf(thread).apart;
  constexpr size_t kMost = 64;
  if (all.size() < kMost && std::none_of(all.begin(), all.end(), [&](const Apart &one) {
        return one.pc == apart.pc && one.firstPc == apart.firstPc;
      }))
    all.push_back(apart);
}

void SyncChecks::reportApart(const Apart &apart) {
  CudaThread thread;
  thread.id = apart.thread;
  report(thread, apart.pc, "different-barriers",
         "threads that wait for each other are at different barriers",
         notes(threadText(apart.firstThread) + " waits", apart.firstPc), apart.firstPc);
}

/// Threads may meet at different barriers of the block. But if one of those that did has ended,
/// and another one waits at MEETING, they have come to more barriers than it has: they were not
/// meant to meet.
void SyncChecks::checkApart(CudaBlock &block, const Meeting &meeting) {
  if (meeting.kind != SyncKind::Block)
    return;
  std::erase_if(block.apart, [&](const Apart &apart) {
    auto isLeft = [&](uint64_t ended, uint64_t waiting) {
      return block.threads[ended].hasEnded && !meeting.arrived[ended] &&
             block.threads[waiting].meeting == &meeting;
    };
    uint64_t one = threadOfId(apart.thread), other = threadOfId(apart.firstThread);
    bool areApart = isLeft(one, other) || isLeft(other, one);
    if (areApart)
      reportApart(apart);
    return areApart;
  });
}

/// What one call says by itself.
void SyncChecks::checkOperands(CudaThread &thread, const Meeting &meeting) {
  uint64_t number = threadOfId(thread.id), pc = thread.meetingPc;
  if (meeting.isWarpLevel() && !(meeting.operand >> number % kLanesOfWarp & 1))
    report(thread, pc, "lane-not-named",
           "the member mask " + hexText(meeting.operand) + " does not name the lane that calls, " +
               std::to_string(number % kLanesOfWarp),
           {});
  if (meeting.kind == SyncKind::Group && meeting.members.count() < meeting.operand)
    report(thread, pc, "incomplete-tile",
           "a tile of " + std::to_string(meeting.operand) + " threads has " +
               std::to_string(meeting.members.count()),
           {"the block has " + std::to_string(run.launch.blockThreads) + " threads"});
  if (meeting.kind == SyncKind::Grid && !(run.launch.flags & abi::kLaunchCooperative))
    report(thread, pc, "not-cooperative",
           "synchronization of the grid in a launch that is not cooperative", {});
}

/// Returns true if OTHER is a synchronization of the warp that cannot be over before some of those
/// come who have arrived at MEETING.
static bool isForSomeOf(const Meeting &other, const Meeting &meeting) {
  return other.isWarpLevel() && (other.members & meeting.arrived).any();
}

/// WAITING is at MEETING, by the call at PC, for MISSING, which is at another one.
void SyncChecks::reportMissing(const CudaThread &waiting, const Meeting &meeting, uint64_t pc,
                               const CudaThread &missing, const Meeting &other) {
  bool isMutual = isForSomeOf(other, meeting);
  report(waiting, pc, isMutual ? "different-warp-functions" : "missing-lanes",
         isMutual
             ? "lanes that wait for each other are at different warp functions"
             : "a lane that the member mask " + hexText(meeting.operand) + " names does not come",
         notes(threadText(missing.id) + " is at " + nameOf(other), missing.meetingPc),
         isMutual ? missing.meetingPc : 0);
}

/// Whether lanes of its warp wait for THREAD, or have waited, where it does not come.
void SyncChecks::checkMissed(CudaThread &thread, Meeting &meeting) {
  uint64_t number = threadOfId(thread.id);
  CudaBlock &block = threads.blockOf(thread);
  for (auto &open : block.warps[number / kLanesOfWarp]) {
    // Parts of a warp may exchange values in turn: at what began later THREAD may still arrive.
    if (open.get() == &meeting)
      break;
    if (!open->awaits(number))
      continue;
    // At a warp function that needs none of those who wait, THREAD is on its way to them, or it
    // ends.
    if (meeting.isWarpLevel() && !isForSomeOf(meeting, *open))
      continue;
    reportMissing(block.threads[threadOfId(open->firstThread)], *open, open->pc, thread, meeting);
    // Said once, about both.
    open->excused.set(number);
    if (meeting.isWarpLevel())
      meeting.excused |= open->arrived;
  }
  if (!meeting.isWarpLevel())
    return;
  // Lanes that wait elsewhere for THREAD have come there before it came here.
  uint64_t warp = number / kLanesOfWarp * kLanesOfWarp;
  for (uint64_t i = warp; i < warp + kLanesOfWarp && i < block.threads.size(); ++i) {
    const CudaThread &other = block.threads[i];
    if (!meeting.awaits(i) || other.hasEnded || !other.meeting || !other.meeting->awaits(number))
      continue;
    reportMissing(thread, meeting, thread.meetingPc, other, *other.meeting);
    meeting.excused.set(i);
    other.meeting->excused.set(number);
  }
}

void SyncChecks::began(CudaBlock &block, Meeting &meeting) {
  if (!block.ended || meeting.joinsAhead.empty())
    return;
  for (const CudaThread &thread : block.threads)
    if (thread.hasEnded)
      checkPassedBy(thread, meeting);
}

void SyncChecks::ended(CudaThread &thread) {
  CudaBlock &block = threads.blockOf(thread);
  for (auto &meeting : block.meetings) {
    checkPassedBy(thread, *meeting);
    checkApart(block, *meeting);
  }
  for (auto &meeting : block.warps[threadOfId(thread.id) / kLanesOfWarp])
    checkPassedBy(thread, *meeting);
  if (block.grids > thread.grids)
    checkPassedBy(thread, threads.gridMeetings()[thread.grids]);
}

/// Whether THREAD, which has ended, has gone past MEETING, which is for it.
void SyncChecks::checkPassedBy(const CudaThread &thread, Meeting &meeting) {
  uint64_t number = threadOfId(thread.id);
  bool isOfGrid = meeting.kind == SyncKind::Grid;
  if (!isOfGrid && !meeting.awaits(number))
    return;
  uint64_t beyond = thread.joins.findBeyond(meeting.joinsAhead);
  if (!beyond)
    return;
  bool isWarpLevel = meeting.isWarpLevel();
  CudaThread first;
  first.id = meeting.firstThread;
  report(first, meeting.pc, isWarpLevel ? "missing-lanes" : "missing-threads",
         isWarpLevel
             ? "a lane that the member mask " + hexText(meeting.operand) + " names does not come"
             : "a thread does not come to " + std::string(nameOf(meeting)),
         notes(threadText(thread.id) + " has gone on without it", beyond));
  meeting.excused.set(number); // said once
}

void SyncChecks::reportWaiting(CudaBlock &block, const Meeting &meeting) {
  if (meeting.isOver)
    return;
  const CudaThread &first = block.threads[threadOfId(meeting.firstThread)];
  if (meeting.kind == SyncKind::Named && meeting.members.none())
    return report(first, meeting.pc, "deadlock",
                  std::to_string(meeting.count) + " threads have arrived at barrier " +
                      std::to_string(meeting.operand) + " of the block, which is for " +
                      std::to_string(meeting.wanted),
                  {});
  std::vector<std::string> notes;
  constexpr size_t kMostNotes = 6;
  uint64_t missing = 0;
  for (const CudaThread &thread : block.threads) {
    uint64_t number = threadOfId(thread.id);
    if (!meeting.awaits(number) || thread.hasEnded)
      continue;
    ++missing;
    if (notes.size() >= kMostNotes)
      continue;
    notes.push_back(threadText(thread.id) + (thread.meeting ? " waits" : " has not come"));
    if (thread.meeting)
      run.notePlace(notes, thread.meetingPc);
  }
  if (missing)
    report(first, meeting.pc, "deadlock",
           std::to_string(meeting.count - meeting.gone) + " threads wait at " + nameOf(meeting) +
               " for " + std::to_string(missing) + " that do not come",
           std::move(notes));
}

void SyncChecks::stopped(TrapCause cause) {
  if (cause != TrapCause::BarrierDeadlock && cause != TrapCause::CycleLimit &&
      cause != TrapCause::NoProgress && cause != TrapCause::Interrupted)
    return;
  threads.forEachBlock([&](CudaBlock &block) {
    for (auto &meeting : block.meetings)
      if (meeting->gone < meeting->count)
        reportWaiting(block, *meeting);
    for (auto &warp : block.warps)
      for (auto &meeting : warp)
        if (meeting->gone < meeting->count)
          reportWaiting(block, *meeting);
  });
  for (const Meeting &meeting : threads.gridMeetings()) {
    uint64_t all = run.launch.numBlocks * run.launch.blockThreads;
    if (meeting.gone || meeting.count >= all)
      continue;
    Finding finding;
    finding.tool = "synccheck";
    finding.kind = "deadlock";
    finding.title = std::to_string(meeting.count) + " threads wait at " + nameOf(meeting) +
                    " for " + std::to_string(all - meeting.count) + " that do not come";
    run.report({blockOfId(meeting.firstThread), threadOfId(meeting.firstThread), meeting.pc},
               "deadlock|" + run.lineOf(meeting.pc), std::move(finding));
  }
}

} // namespace vx::sim
