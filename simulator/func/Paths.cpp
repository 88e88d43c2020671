// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Paths.h"
#include "intrinsics/isa/Csrs.h"
#include "simulator/func/Decoder.h"
#include <algorithm>

namespace vx::sim {

namespace {

using isa::Op;

bool isLink(unsigned number) {
  return number == 1 || number == 5;
}

/// Returns true if INSN reads what time it is.
bool readsClock(const Insn &insn) {
  if (isa::info(insn.op).form().immediate != isa::Field::Csr)
    return false;
  const isa::CsrInfo *row = isa::findCsr(unsigned(insn.imm) & 0xfff);
  return row && (row->id == isa::CsrId::Mcycle || row->id == isa::CsrId::Cycle);
}

uint64_t mix(uint64_t value) {
  value = (value ^ value >> 31) * 0xbf58476d1ce4e5b9;
  return value ^ value >> 29;
}

/// One look at the paths of the warp that E executes.
class PathChooser {
public:
  explicit PathChooser(Exec &e)
      : e(e), paths(*e.warp().paths), stats(e.core().stats),
        active{e.pc, e.mask(), paths.depth, paths.executed, false, false} {}

  void run(const Insn &insn, uint64_t pc) {
    stats.pathsLive += paths.others.size() + (active.mask != 0);
    note(insn);
    bool hadThree = paths.others.size() + (active.mask != 0) > 2;
    uint64_t before = active.mask;
    size_t second = secondHot();
    uint64_t secondMask = second < paths.others.size() ? paths.others[second].mask : 0;
    if (insn.op == Op::VX_TMC) // fewer lanes to wait for
      for (Path &path : paths.others)
        path.waiting = false;
    if (active.mask && comesRound(insn, pc) && anyReady())
      yield();
    if (paths.executed - paths.yieldedAt > e.device.config.pathTurn)
      for (Path &path : paths.others)
        path.yielded = false;
    proceed();
    if (before && !(active.mask & before))
      ++stats.pathSwitches;
    if (hadThree && !(active.mask & (before | secondMask)))
      pop();
  }

  /// Does what run() does, while there is one path: it divides at a vote to which its lanes come
  /// with different masks.
  void runAlone() {
    ++stats.pathsLive;
    if (active.mask && waitAt(active.pc).named)
      proceed();
  }

private:
  void proceed() {
    choose();
    e.pc = active.pc;
    e.setMask(active.mask);
    paths.depth = active.depth;
  }

  /// Adds what INSN has left in its result register, whatever that is, to the sum.
  void note(const Insn &insn) {
    size_t offset = size_t(isa::Fields{insn.word}.rd()) * e.device.stride;
    const uint64_t *x = e.x(offset), *f = e.f(offset);
    uint64_t sum = e.pc;
    e.forLanes([&](unsigned lane) { sum = sum * 31 + x[lane] + (f[lane] << 7 | f[lane] >> 57); });
    paths.results += mix(sum);
    paths.readClock |= readsClock(insn);
  }

  /// Returns true if INSN at PC has jumped back with the same results as the last two times.
  bool comesRound(const Insn &insn, uint64_t pc) {
    bool jumps = isa::info(insn.op).form().flow == isa::Flow::Branch ||
                 (insn.op == Op::JAL && isa::Fields{insn.word}.rd() == 0);
    if (!jumps || active.pc > pc)
      return false;
    bool waitsForTime = std::exchange(paths.readClock, false);
    for (WarpPaths::Turn &turn : paths.turns)
      if (turn.target == active.pc) {
        uint64_t change = paths.results - std::exchange(turn.sum, paths.results);
        return std::exchange(turn.change, change) == change || waitsForTime;
      }
    paths.turns[paths.oldestTurn++ % paths.turns.size()] = {active.pc, paths.results, 0};
    return false;
  }

  bool anyReady() const {
    return std::any_of(paths.others.begin(), paths.others.end(),
                       [](const Path &path) { return !path.waiting; });
  }

  void yield() {
    active.yielded = true;
    paths.yieldedAt = paths.executed;
    paths.turnEnds = 0;
  }

  static bool comesBefore(const Path &a, const Path &b) {
    return a.depth != b.depth ? a.depth > b.depth : a.pc < b.pc;
  }

  /// The first of the other paths: with the one that executes, it is in the hot tables.
  size_t secondHot() const {
    size_t best = 0;
    for (size_t i = 1; i < paths.others.size(); ++i)
      if (comesBefore(paths.others[i], paths.others[best]))
        best = i;
    return best;
  }

  /// Takes the path that executes next out of the list, merged and able to execute.
  void choose() {
    for (;;) {
      if (active.mask) {
        mergeIntoActive();
        if (allArrived() && !wantsOther())
          return;
        putBack(active);
        active.mask = 0;
      }
      size_t next = pick();
      if (next == paths.others.size())
        return continueWithout();
      take(next);
    }
  }

  /// Makes another path the active one.
  void take(size_t i) {
    active = paths.others[i];
    active.waiting = active.yielded = false;
    active.ranAt = paths.executed;
    paths.others.erase(paths.others.begin() + std::ptrdiff_t(i));
  }

  void mergeIntoActive() {
    auto isHere = [&](const Path &path) {
      return path.pc == active.pc && path.depth == active.depth;
    };
    for (const Path &path : paths.others)
      if (isHere(path)) {
        active.mask |= path.mask;
        active.yielded &= path.yielded;
        ++stats.pathMerges;
      }
    std::erase_if(paths.others, isHere);
  }

  /// Returns true if all lanes are there with which the next instruction is to be executed. Lanes
  /// for which they are continue without those for which they are not.
  bool allArrived() {
    uint64_t here = active.mask, live = paths.live(here), ready = readyLanes(live);
    if (ready == here)
      return true;
    Path rest = active;
    rest.mask = here & ~ready;
    rest.waiting = true;
    active.mask = ready;
    if (!ready) {
      active = rest;
      return false;
    }
    putBack(rest);
    return true;
  }

  /// The lanes that wait for each other at an instruction.
  struct BarrierWait {
    bool everyone = false;           ///< all lanes of the warp
    bool betweenThreads = false;     ///< all lanes of the warp, which run for no thread
    const uint64_t *named = nullptr; ///< the member mask of each lane
  };

  BarrierWait waitAt(uint64_t pc) const {
    uint32_t word;
    const uint8_t *bytes = e.pointer(pc, sizeof word, kExecute);
    if (!bytes)
      return {}; // to be reported when it is executed
    std::memcpy(&word, bytes, sizeof word);
    if ((word & 0x7f) != kCustom0 && (word & 0x7f) != kCustom2)
      return {};
    const isa::InsnInfo *row = isa::decode(word, e.device.config.xlen);
    if (!row)
      return {};
    if (row->op == Op::VX_BAR || row->op == Op::VX_TILE || row->op == Op::VX_WSPAWN)
      return {true, false, nullptr};
    isa::Fields fields{word};
    unsigned members = fields.rs2();
    if (row->format != isa::Format::VxVote || members == 0)
      return {};
    return {false, fields.rd() == 0, e.x(members * e.device.stride)};
  }

  /// The live lanes that LANE of a path with the lanes HERE waits for: those it names that are
  /// elsewhere, or that come to the same vote with another mask, at another time.
  static uint64_t missingLanes(const uint64_t *named, unsigned lane, uint64_t here, uint64_t live) {
    uint64_t mine = named[lane] & live, missing = mine & ~here;
    for (uint64_t rest = mine & here; rest; rest &= rest - 1) {
      unsigned other = unsigned(std::countr_zero(rest));
      if ((named[other] & live) != mine)
        missing |= uint64_t(1) << other;
    }
    return missing;
  }

  uint64_t readyLanes(uint64_t live) const {
    BarrierWait wait = waitAt(active.pc);
    if (wait.everyone)
      return active.mask == live ? active.mask : 0;
    if (!wait.named)
      return active.mask;
    uint64_t ready = 0;
    for (uint64_t rest = active.mask; rest; rest &= rest - 1) {
      unsigned lane = unsigned(std::countr_zero(rest));
      bool areHere = missingLanes(wait.named, lane, active.mask, live) == 0;
      ready |= uint64_t(areHere) << lane;
    }
    return ready;
  }

  /// If all paths wait, makes the lanes active that continue all the same. First these are lanes at
  /// a vote whose missing lanes are at a barrier or between two threads, where the whole warp has
  /// to come: their threads have ended, which a vote does not wait for. Else masks are wrong, and
  /// the first vote continues. With no lane at a vote, those between threads have threads left to
  /// run for, unlike those that wait for them at a barrier.
  void continueWithout() {
    std::vector<Path> &others = paths.others;
    std::vector<BarrierWait> waits;
    uint64_t live = paths.live(0), outside = 0;
    for (const Path &path : others) {
      waits.push_back(waitAt(path.pc));
      const BarrierWait &wait = waits.back();
      outside |= wait.everyone || wait.betweenThreads ? path.mask : 0;
    }
    auto votes = [&](size_t i) { return waits[i].named && !waits[i].betweenThreads; };
    std::vector<uint64_t> complete; // lanes of each path that miss none but those outside
    for (size_t i = 0; i < others.size(); ++i) {
      uint64_t lanes = 0;
      for (uint64_t rest = votes(i) ? others[i].mask : 0; rest; rest &= rest - 1) {
        unsigned lane = unsigned(std::countr_zero(rest));
        if (!(missingLanes(waits[i].named, lane, others[i].mask, live) & ~outside))
          lanes |= uint64_t(1) << lane;
      }
      complete.push_back(lanes);
    }
    auto rank = [&](size_t i) {
      return complete[i] ? 0 : votes(i) ? 1 : waits[i].betweenThreads ? 2 : 3;
    };
    size_t best = 0;
    for (size_t i = 1; i < others.size(); ++i)
      if (int mine = rank(i), least = rank(best);
          mine < least || (mine == least && comesBefore(others[i], others[best])))
        best = i;
    uint64_t lanes = complete[best];
    take(best);
    if (lanes && lanes != active.mask) {
      Path rest = active;
      rest.mask &= ~lanes;
      rest.waiting = true;
      active.mask = lanes;
      putBack(rest);
    }
  }

  /// Returns true if another path goes before the one that could execute.
  bool wantsOther() {
    if (active.yielded && anyReady())
      return true;
    if (paths.executed < paths.turnEnds)
      return false;
    size_t next = pick();
    if (next == paths.others.size())
      return false;
    const Path &path = paths.others[next];
    return isStarved(path) || comesBefore(path, active);
  }

  bool isStarved(const Path &path) const {
    return paths.executed - path.ranAt > e.device.config.pathPatience;
  }

  /// The other path that is to execute; their number if all of them wait.
  size_t pick() {
    std::vector<Path> &others = paths.others;
    size_t best = others.size(), oldest = others.size();
    for (bool again = false;; again = true) {
      for (size_t i = 0; i < others.size(); ++i) {
        if (others[i].waiting)
          continue;
        if (isStarved(others[i]) &&
            (oldest == others.size() || others[i].ranAt < others[oldest].ranAt))
          oldest = i;
        if (!others[i].yielded && (best == others.size() || comesBefore(others[i], others[best])))
          best = i;
      }
      if (oldest != others.size()) {
        paths.turnEnds = paths.executed + e.device.config.pathTurn;
        return oldest;
      }
      if (best != others.size() || again || (active.mask && !active.yielded))
        return best;
      for (Path &path : others) // all of them spin, perhaps on what another warp writes
        path.yielded = false;
    }
  }

  /// Off-line sorting moves an entry of the cold table by one place in a cycle.
  void putBack(const Path &path) {
    if (!paths.others.empty()) {
      auto steps = std::count_if(paths.others.begin(), paths.others.end(),
                                 [&](const Path &other) { return comesBefore(other, path); });
      paths.sortedAt = std::max(paths.sortedAt, stats.cycles) + uint64_t(steps);
    }
    paths.others.push_back(path);
  }

  /// The path comes from the cold table, once that is sorted.
  void pop() {
    uint64_t sorting = paths.sortedAt > stats.cycles ? paths.sortedAt - stats.cycles : 0;
    paths.delay = uint32_t(sorting) + e.device.config.pathPopLatency;
  }

  static constexpr uint32_t kCustom0 = 0x0b, kCustom2 = 0x5b; ///< opcodes

  Exec &e;
  WarpPaths &paths;
  CoreStats &stats;
  Path active; ///< mask 0: none
};

} // namespace

void diverge(Exec &e, uint64_t taken, uint64_t target, uint64_t rest, uint64_t restPc) {
  WarpPaths &paths = *e.warp().paths;
  ++e.core().stats.pathSplits;
  paths.others.push_back({restPc, rest, paths.depth, paths.executed, false, false});
  e.setMask(taken);
  e.nextPc = target;
}

bool setPathLanes(Exec &e, uint64_t mask) {
  uint64_t all = (uint64_t(1) << e.lanes) - 1;
  uint64_t live = e.warp().paths->live(e.mask());
  uint64_t next = (e.mask() & mask) | (mask & all & ~live);
  e.setMask(next);
  return next || !e.warp().paths->others.empty();
}

void choosePath(Exec &e, const Insn &insn, uint64_t pc) {
  WarpPaths &paths = *e.warp().paths;
  ++paths.executed;
  paths.delay = 0;
  isa::Fields fields{insn.word};
  bool jumps = insn.op == Op::JAL || insn.op == Op::JALR;
  if (jumps && isLink(fields.rd()))
    ++paths.depth;
  else if (insn.op == Op::JALR && fields.rd() == 0 && isLink(fields.rs1()))
    --paths.depth;
  PathChooser chooser(e);
  if (paths.others.empty())
    chooser.runAlone();
  else
    chooser.run(insn, pc);
}

} // namespace vx::sim
