// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/RaceChecks.h"
#include "simulator/check/Text.h"
#include <algorithm>

namespace vx::sim {

void RaceShadow::renew(uint64_t address, uint64_t size) {
  for (uint64_t at = address; at < address + size;) {
    uint64_t end = std::min(address + size, (at / kPageBytes + 1) * kPageBytes);
    if (auto found = pages.find(at >> kPageBits); found != pages.end())
      for (Page &page = *found->second; at < end; ++at) {
        page.isOfProgram.set(at % kPageBytes >> kWordBits);
        page.cell(at) = {};
      }
    at = end;
  }
}

RaceChecks::RaceChecks(CudaThreads &threads, const Allocations &allocations,
                       const BlockMemory &blockMemory)
    : threads(threads), run(threads.run), allocations(allocations), blockMemory(blockMemory),
      local(run.device.config.numCores) {
  threads.clocks = &clocks;
}

/// What a run finds in memory precedes the run.
void RaceChecks::runStarted() {
  clocks.runStarted();
  global.clear();
  for (RaceShadow &one : local)
    one.clear();
  known.clear();
  undecided.clear();
}

void RaceChecks::runEnded() {
  for (const auto &[key, race] : undecided)
    report(race.access, race.now, race.before, race.wasWrite);
  undecided.clear();
}

/// The value that a store of SIZE bytes is about to write; none: it is not a simple store.
static bool findStored(Exec &e, unsigned lane, unsigned size, uint64_t &value) {
  const Insn &insn = *e.current;
  switch (insn.op) {
  case isa::Op::SB:
  case isa::Op::SH:
  case isa::Op::SW:
  case isa::Op::SD:
    value = e.x(insn.rs2)[lane];
    break;
  case isa::Op::FSW:
  case isa::Op::FSD:
    value = e.f(insn.rs2)[lane];
    break;
  default:
    return false;
  }
  unsigned bytes = insn.op == isa::Op::SB                              ? 1
                   : insn.op == isa::Op::SH                            ? 2
                   : insn.op == isa::Op::SW || insn.op == isa::Op::FSW ? 4
                                                                       : 8;
  return bytes == size; // else the parts of a misaligned one
}

void RaceChecks::accessed(Exec &e, unsigned lane, uint64_t address, unsigned size,
                          uint8_t permission, const uint8_t *bytes) {
  CudaThread *thread = threads.threadOf(e, lane);
  if (!thread || run.isPaused(e, lane))
    return;
  Device &device = run.device;
  uint64_t localBytes = device.privateBytes - (device.stackBase - device.stackLow);
  bool isLocal = address - device.stackBase < localBytes;
  if (!isLocal && address - device.stackLow < device.stackBase - device.stackLow)
    return; // a stack
  uint32_t core = e.core().id;
  bool isShared = (isLocal || blockMemory.isGlobal()) && blockMemory.isOfProgram(core, address);
  if (isLocal && !isShared)
    return;
  RaceShadow &shadow = isLocal ? local[core] : global;
  RaceShadow::Page &page = shadow.at(address, [&](RaceShadow::Page &fresh) {
    uint64_t start = address / RaceShadow::kPageBytes * RaceShadow::kPageBytes;
    allocations.forEachWithin(start, RaceShadow::kPageBytes, [&](uint64_t from, uint64_t to) {
      for (uint64_t at = from; at < to; at += 4)
        fresh.isOfProgram.set(at % RaceShadow::kPageBytes >> RaceShadow::kWordBits);
    });
  });
  if (!isShared && !page.isProgram(address))
    return;
  if (size < 4 && page.shift)
    page.split();
  bool isAtomic = permission == (kRead | kWrite);
  bool isReserving = isAtomic && (e.current->op == isa::Op::LR_W || e.current->op == isa::Op::LR_D);
  uint64_t place = address / 8 << 12 | (isLocal ? core + 1 : 0);
  Access access{.address = address,
                .size = size,
                .isWrite = (permission & kWrite) && !isReserving,
                .isStrong = isAtomic,
                .isShared = isShared,
                .place = place};
  if (uint64_t strong = thread->strongAddress; strong && address - strong < 16)
    access.isStrong = true;
  access.isOfBlock = access.isStrong && thread->strongAddress && thread->isStrongInBlock;
  if (access.isStrong) {
    if (!access.isWrite || isAtomic)
      clocks.acquire(*thread, place);
    if (access.isWrite)
      clocks.release(*thread, place, isShared, access.isOfBlock);
    if (access.isWrite && !undecided.empty())
      undecided.erase({thread->id, place});
  } else if (uint64_t value; access.isWrite && findStored(e, lane, size, value)) {
    access.changesNothing = std::memcmp(bytes, &value, size) == 0;
  }
  bool isUnfenced = access.isStrong && !isAtomic && thread->strongAddress && thread->isVolatile &&
                    !thread->fencedForBlock;
  RaceAccess now{thread->id, access.isStrong, access.isOfBlock,
                 isUnfenced, thread->epoch,   uint32_t(e.pc - run.slide)};
  bool isReported = false;
  for (uint64_t at = address, end = address + size; at < end; at += uint64_t(1) << page.shift)
    check(*thread, page.cell(at), access, now, isReported);
}

/// Lanes of a warp that exchange values through volatile variables of shared memory, with neither
/// synchronization nor fences, rely on a lockstep that CUDA does not promise.
static bool reliesOnLockstep(const RaceAccess &a, const RaceAccess &b, bool isShared) {
  return isShared && a.isUnfenced && b.isUnfenced && a.id / abi::kWarpSize == b.id / abi::kWarpSize;
}

/// Barriers wait for threads until they end, but an end orders nothing.
bool RaceChecks::isOrdered(const CudaThread &thread, const RaceAccess &before) {
  const CudaThread *other = nullptr;
  if (blockOfId(before.id) == blockOfId(thread.id) && before.epoch < thread.blockKnown)
    other = &threads.blockOf(thread).threads[threadOfId(before.id)];
  return RaceClocks::isOrdered(thread, other, before.id, before.epoch);
}

void RaceChecks::check(CudaThread &thread, RaceCell &cell, const Access &access,
                       const RaceAccess &now, bool &isReported) {
  auto races = [&](const RaceAccess &before) {
    if (!before.epoch || isOrdered(thread, before))
      return false;
    bool isOfThisBlock = blockOfId(before.id) == blockOfId(thread.id);
    if (before.isStrong && now.isStrong &&
        (isOfThisBlock || !(before.isOfBlock || now.isOfBlock)) &&
        !reliesOnLockstep(before, now, access.isShared))
      return false;
    // What blocks that had the place before have left there is not seen any more.
    return !access.isShared || blockMemory.reaches(blockOfId(thread.id), blockOfId(before.id));
  };
  auto look = [&](const RaceAccess &before, bool wasWrite) {
    if (isReported || !races(before))
      return;
    isReported = true;
    bool isReadWithAtomic = access.isWrite ? !wasWrite && !before.isStrong && now.isStrong
                                           : !now.isStrong && before.isStrong;
    if (isReadWithAtomic && undecided.size() < kMostUndecided)
      undecided.try_emplace({access.isWrite ? before.id : now.id, access.place},
                            Undecided{access, now, before, wasWrite});
    else
      report(access, now, before, wasWrite);
  };
  if (!access.isWrite) {
    look(cell.write, true);
    noteRead(thread, cell, now);
    return;
  }
  if (!access.changesNothing)
    look(cell.write, true);
  for (RaceAccess &read : cell.reads) {
    look(read, false);
    read = {};
  }
  // A plain write stays one though the thread continues with atomic ones.
  const RaceAccess &last = cell.write;
  if (!(now.isStrong && !last.isStrong && last.id == now.id && last.epoch == now.epoch))
    cell.write = now;
}

/// NOW takes the place of a read that happened before it. Else the two that stay are as distant
/// from each other as possible.
void RaceChecks::noteRead(CudaThread &thread, RaceCell &cell, const RaceAccess &now) {
  for (RaceAccess &read : cell.reads)
    if (read.epoch && read.id == now.id) {
      bool isPlain = read.epoch == now.epoch && !read.isStrong;
      if (!(isPlain && now.isStrong))
        read = now;
      return;
    }
  for (RaceAccess &read : cell.reads)
    if (!read.epoch || isOrdered(thread, read)) {
      read = now;
      return;
    }
  auto differ = [](uint64_t a, uint64_t b, unsigned bits) { return a >> bits != b >> bits; };
  constexpr unsigned kWarpBits = 5;
  for (unsigned bits : {kThreadBits, kWarpBits})
    if (!differ(cell.reads[0].id, cell.reads[1].id, bits) &&
        differ(cell.reads[0].id, now.id, bits)) {
      cell.reads[1] = now;
      return;
    }
}

void RaceChecks::report(const Access &access, const RaceAccess &now, const RaceAccess &before,
                        bool wasWrite) {
  uint64_t thisPc = run.slide + now.pc, otherPc = run.slide + before.pc;
  std::pair<uint64_t, uint64_t> pcs{thisPc << 1 | access.isWrite, otherPc << 1 | wasWrite};
  if (auto found = known.find(pcs); found != known.end())
    return run.findings.count(found->second);
  ThreadPlace thisPlace{blockOfId(now.id), threadOfId(now.id), thisPc};
  std::string line = run.lineOf(thisPc), other = run.lineOf(otherPc);
  Finding finding;
  finding.tool = "racecheck";
  finding.kind = access.isWrite && wasWrite ? "race-write-write" : "race-read-write";
  finding.title = std::string(access.isWrite ? "write" : "read") + " of " + bytesText(access.size) +
                  " of " + (access.isShared ? "shared" : "global") + " memory at " +
                  hexText(access.address) + " races with a " + (wasWrite ? "write" : "read");
  finding.address = access.address;
  finding.bytes = access.size;
  finding.notes.push_back("the " + std::string(wasWrite ? "write" : "read") + " was by " +
                          run.threadText(blockOfId(before.id), threadOfId(before.id)));
  run.notePlace(finding.notes, otherPc);
  if (before.isStrong && now.isStrong)
    finding.notes.push_back(
        reliesOnLockstep(before, now, access.isShared)
            ? "volatile does not order lanes of a warp, which need not run in lockstep"
            : "atomic operations of the block's scope order nothing of other blocks");
  if (access.isShared)
    finding.notes.push_back(blockMemory.describe(access.address));
  else
    for (std::string &note : allocations.describe(access.address, access.size))
      finding.notes.push_back(std::move(note));
  run.nameOther(finding, otherPc);
  std::string key =
      std::string(finding.kind) + "|" + std::min(line, other) + "|" + std::max(line, other);
  known[pcs] = run.report(thisPlace, key, std::move(finding));
}

} // namespace vx::sim
