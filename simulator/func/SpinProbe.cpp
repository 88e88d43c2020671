// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/SpinProbe.h"
#include "intrinsics/isa/Csrs.h"
#include "intrinsics/text/Hex.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace vx::sim {

using isa::Op;

namespace {

/// Instructions of a warp that an answer may take, and of lanes that wait.
constexpr uint64_t kBudget = 1 << 14, kStoreBudget = 1 << 12;

/// Returns true if an instruction does something beyond its warp's registers and memory, or with a
/// register that the probe does not look at (vx_texture).
bool concernsOthers(const isa::InsnInfo &row) {
  return row.scope == isa::Scope::Warps || row.form().memory == isa::Memory::Texture;
}

/// Returns true if the row reads a counter, whose value changes by itself.
bool readsCounter(const isa::InsnInfo &row, uint32_t word) {
  return row.form().immediate == isa::Field::Csr && isa::isCounterCsr(isa::Fields{word}.csr());
}

bool isAccess(const isa::InsnInfo &row) {
  return isa::hasAddress(row.form().memory);
}

/// Returns a copy of CORE whose warps have paths of their own.
Core copyOf(const Core &core) {
  Core copy = core;
  for (Warp &warp : copy.warps)
    if (warp.paths)
      warp.paths = &copy.paths[warp.slot];
  return copy;
}

} // namespace

/// The state of a warp: what it does from here on follows from this and from memory.
struct SpinProbe::State {
  uint64_t pc, mask;
  uint8_t fflags, frm;
  std::vector<IpdomEntry> ipdom;
  std::vector<Path> others;
  std::vector<uint64_t> x, f;

  State(const Core &core, const Warp &warp, uint32_t stride)
      : pc(warp.pc), mask(warp.mask), fflags(warp.fflags), frm(warp.frm), ipdom(warp.ipdom) {
    if (warp.paths)
      others = warp.paths->others;
    for (unsigned r = 0; r < 32; ++r)
      for (unsigned lane = 0; lane < warp.size; ++lane) {
        x.push_back(core.x[r * stride + warp.base + lane]);
        f.push_back(core.f[r * stride + warp.base + lane]);
      }
  }

  bool isAlike(const Warp &warp) const {
    auto samePath = [](const Path &a, const Path &b) {
      return a.pc == b.pc && a.mask == b.mask && a.depth == b.depth && a.waiting == b.waiting;
    };
    auto sameSplit = [](const IpdomEntry &a, const IpdomEntry &b) {
      return a.pc == b.pc && a.fullMask == b.fullMask && a.otherMask == b.otherMask &&
             a.otherStarted == b.otherStarted;
    };
    return pc == warp.pc && mask == warp.mask && fflags == warp.fflags && frm == warp.frm &&
           std::equal(ipdom.begin(), ipdom.end(), warp.ipdom.begin(), warp.ipdom.end(),
                      sameSplit) &&
           (!warp.paths ||
            std::is_permutation(others.begin(), others.end(), warp.paths->others.begin(),
                                warp.paths->others.end(), samePath));
  }
};

SpinProbe::SpinProbe(Device &device) : device(device), emulator(device) {
  emulator.reportTo(trap, exitCode);
}

std::optional<SpinFinding> SpinProbe::find() {
  if (device.checker)
    device.checker->setTrial(true);
  std::optional<SpinFinding> finding = tryWarps();
  if (device.checker)
    device.checker->setTrial(false);
  return finding;
}

std::optional<SpinFinding> SpinProbe::tryWarps() {
  device.memory.follow(recentPages);
  Reservations reservations = device.reservations;
  std::vector<Spin> spins;
  bool stuck = true;
  // A warp that has made progress before is likely to do so now.
  size_t cores = device.cores.size();
  for (size_t c = 0; c < cores && stuck; ++c) {
    const Core &core = device.cores[(firstCore + c) % cores];
    Core copy = copyOf(core);
    for (size_t s = 0; s < core.warps.size() && stuck; ++s) {
      size_t slot = (firstSlot + s) % core.warps.size();
      Warp &warp = copy.warps[slot];
      if (warp.state == WarpState::InPipeline)
        stuck = false;
      if (warp.state != WarpState::Ready)
        continue;
      Spin spin{core.id, uint32_t(slot), 0, 0, {}, {}, {}};
      if (repeats(copy, warp, spin)) {
        spins.push_back(std::move(spin));
      } else {
        firstCore = core.id;
        firstSlot = uint32_t(slot);
        stuck = false;
      }
    }
  }
  std::optional<SpinFinding> finding;
  if (stuck && !spins.empty())
    explain(spins, finding.emplace());
  device.reservations = reservations;
  return finding;
}

/// Returns true if WARP comes back to a state without having changed memory.
bool SpinProbe::repeats(Core &core, Warp &warp, Spin &spin) {
  timeLanes.fill(0);
  uint64_t budget = kBudget;
  if (warp.paths)
    budget += 4 * uint64_t(device.config.pathPatience);
  std::optional<State> before;
  uint64_t ran = 0; // lanes, since `before`
  uint64_t age = 0, limit = 16;
  for (uint64_t i = 0; i < budget; ++i) {
    uint64_t pc = warp.pc, mask = warp.mask;
    if (step(core, warp) != Step::Goes)
      return false;
    ran |= mask;
    ++age;
    noteInsn(warp, pc, mask, spin);
    if (warp.pc > pc && !(warp.paths && !(warp.mask & mask)))
      continue; // states are compared after jumps back, and where another path continues
    if (before && before->isAlike(warp) && sameRegisters(core, warp, *before) &&
        isWholeRepetition(warp, ran)) {
      std::set<std::pair<uint64_t, uint32_t>> seen;
      std::erase_if(spin.reads, [&](const Access &read) {
        return !seen.emplace(read.address, read.bytes).second;
      });
      return true;
    }
    if (!before || age >= limit) {
      before.emplace(core, warp, device.stride);
      limit *= 2;
      age = 0;
      ran = 0;
      spin.pc = 0;
      spin.reads.clear();
      spin.preds.clear();
      spin.exits.clear();
      timeBranches.clear();
    }
  }
  return false;
}

/// Adds to SPIN what the last instruction, which the lanes of MASK of WARP have executed at PC,
/// reads and where it does not go.
void SpinProbe::noteInsn(const Warp &warp, uint64_t pc, uint64_t mask, Spin &spin) const {
  if (isAccess(*row) && !accesses.empty() &&
      accesses.front().address - device.stackLow >= device.stackBase - device.stackLow) {
    if (!spin.pc) {
      spin.pc = pc;
      spin.mask = mask;
    }
    spin.reads.insert(spin.reads.end(), accesses.begin(), accesses.end());
  }
  auto note = [](std::vector<uint64_t> &places, uint64_t place) {
    if (std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  };
  if (row->op == Op::VX_PRED || row->op == Op::VX_PRED_N)
    note(spin.preds, pc);
  if (row->form().flow == isa::Flow::Branch)
    note(spin.exits, warp.pc == pc + 4 ? pc + uint64_t(isa::Fields{word}.immB()) : pc + 4);
}

/// WARP is in a state for the second time, and the lanes of RAN have executed since the first.
/// Returns true if all lanes that can have, and if branches that depend on the clock went both
/// ways.
bool SpinProbe::isWholeRepetition(const Warp &warp, uint64_t ran) const {
  bool bothWays =
      std::all_of(timeBranches.begin(), timeBranches.end(),
                  [](const TimeBranch &branch) { return branch.taken && branch.notTaken; });
  uint64_t ready = warp.mask;
  if (warp.paths)
    for (const Path &path : warp.paths->others)
      ready |= path.waiting ? 0 : path.mask;
  return bothWays && !(ready & ~ran);
}

/// Compares the registers that do not depend on the clock.
bool SpinProbe::sameRegisters(const Core &core, const Warp &warp, const State &before) const {
  size_t i = 0;
  for (unsigned r = 0; r < 32; ++r)
    for (unsigned lane = 0; lane < warp.size; ++lane, ++i) {
      size_t place = r * device.stride + warp.base + lane;
      if (core.f[place] != before.f[i])
        return false;
      if (core.x[place] != before.x[i] && !(timeLanes[r] >> lane & 1))
        return false;
    }
  return true;
}

/// Executes the next instruction of WARP, unless that would change anything for others.
SpinProbe::Step SpinProbe::step(Core &core, Warp &warp) {
  if (!describe(core, warp) || concernsOthers(*row) || !collect(core, warp) ||
      !followTime(core, warp))
    return Step::Ends;
  std::vector<Saved> before;
  if (isWrite && !save(core, before))
    return Step::Ends;
  uint64_t pc = warp.pc;
  bool depends = branchesOnTime(warp);
  emulator.step(core, warp, trace);
  if (trap.cause != TrapCause::None || exitCode) {
    trap = {};
    exitCode.reset();
    restore(core, before);
    return Step::Ends;
  }
  if (hasChanged(core, before)) {
    restore(core, before);
    return Step::Changes;
  }
  if (depends)
    noteTimeBranch(pc, warp.pc != pc + 4);
  if (readsCounter(*row, word)) // waiting for a time ends soon, after different numbers of looks
    core.stats.cycles += uint64_t(1) << (clockReads++ % 24);
  return Step::Goes;
}

/// Finds out which instruction comes next.
bool SpinProbe::describe(Core &core, const Warp &warp) {
  const uint8_t *bytes = device.memory.pointer(recentPages, warp.pc, sizeof word, kExecute);
  if (!bytes)
    return false;
  std::memcpy(&word, bytes, sizeof word);
  row = isa::decode(word, device.config.xlen);
  return row != nullptr;
}

/// Finds the memory that the instruction accesses. Returns false if it cannot, or if the host may
/// write there.
bool SpinProbe::collect(Core &core, const Warp &warp) {
  accesses.clear();
  isWrite = false;
  if (!isAccess(*row))
    return true;
  isa::Fields fields{word};
  isa::Memory memory = row->form().memory;
  isWrite = memory == isa::Memory::Store || memory == isa::Memory::Atomic;
  int64_t offset = fields[row->form().immediate];
  uint32_t bytes = 1u << (word >> 12 & 3);
  uint64_t addressMask = device.config.xlen == 32 ? 0xffffffff : ~uint64_t(0);
  const uint64_t *base = core.x.data() + fields.rs1() * device.stride + warp.base;
  for (uint64_t rest = warp.mask; rest; rest &= rest - 1) {
    Access access{(base[std::countr_zero(rest)] + uint64_t(offset)) & addressMask, bytes};
    if (access.address % bytes || !bytesAt(core, access) || device.memory.isShared(access.address))
      return false;
    accesses.push_back(access);
  }
  return true;
}

uint8_t *SpinProbe::bytesAt(Core &core, const Access &place) {
  uint64_t local = place.address - device.stackBase;
  if (local < core.localMemory.size())
    return local + place.bytes <= core.localMemory.size() ? core.localMemory.data() + local
                                                          : nullptr;
  return device.memory.pointer(recentPages, place.address, place.bytes, kRead);
}

bool SpinProbe::save(Core &core, std::vector<Saved> &into) {
  for (const Access &access : accesses) {
    Saved saved{access, 0};
    const uint8_t *bytes = bytesAt(core, access);
    if (!bytes)
      return false;
    std::memcpy(&saved.bytes, bytes, access.bytes);
    into.push_back(saved);
  }
  return true;
}

bool SpinProbe::hasChanged(Core &core, const std::vector<Saved> &before) {
  return std::any_of(before.begin(), before.end(), [&](const Saved &saved) {
    return std::memcmp(bytesAt(core, saved.place), &saved.bytes, saved.place.bytes) != 0;
  });
}

void SpinProbe::restore(Core &core, const std::vector<Saved> &before) {
  for (auto saved = before.rbegin(); saved != before.rend(); ++saved)
    std::memcpy(bytesAt(core, saved->place), &saved->bytes, saved->place.bytes);
}

/// Keeps track of which lanes of which registers depend on the clock. Returns false if that is no
/// longer possible.
bool SpinProbe::followTime(const Core &, const Warp &warp) {
  const isa::FormatInfo &form = row->form();
  isa::Fields fields{word};
  uint64_t lanes = readsCounter(*row, word) ? warp.mask : 0;
  if (form.readsX(isa::Field::Rs1))
    lanes |= timeLanes[fields.rs1()] & warp.mask;
  if (form.readsX(isa::Field::Rs2))
    lanes |= timeLanes[fields.rs2()] & warp.mask;
  if (row->scope == isa::Scope::Lanes)
    lanes = lanes ? warp.mask : 0;
  if (lanes && (form.writesF || isWrite || row->op == Op::JALR))
    return false;
  if (form.writesX && fields.rd() != 0)
    timeLanes[fields.rd()] = (timeLanes[fields.rd()] & ~warp.mask) | lanes;
  return true;
}

bool SpinProbe::branchesOnTime(const Warp &warp) const {
  isa::Fields fields{word};
  return row->form().flow == isa::Flow::Branch &&
         ((timeLanes[fields.rs1()] | timeLanes[fields.rs2()]) & warp.mask) != 0;
}

void SpinProbe::noteTimeBranch(uint64_t pc, bool taken) {
  auto at = std::find_if(timeBranches.begin(), timeBranches.end(),
                         [&](const TimeBranch &branch) { return branch.pc == pc; });
  if (at == timeBranches.end())
    at = timeBranches.insert(at, {pc, false, false});
  (taken ? at->taken : at->notTaken) = true;
}

/// Executes lanes ahead that cannot run, until one changes what another one reads again and again.
/// SPINNING: lanes of WARP that are among those; what they write counts for other warps only.
/// Returns the place of the store, 0 if there is none.
uint64_t SpinProbe::findStore(const std::vector<Spin> &spins, Core &core, Warp &warp,
                              uint64_t spinning) {
  std::vector<Saved> undo;
  uint64_t found = 0;
  timeLanes.fill(0);
  for (uint64_t i = 0; i < kStoreBudget && !found; ++i) {
    if (!warp.mask || !describe(core, warp))
      break;
    if (row->op == Op::VX_BAR) {
      warp.pc += 4;
      continue;
    }
    if (concernsOthers(*row) || !collect(core, warp))
      break;
    std::vector<Saved> before;
    if (isWrite && !save(core, before))
      break;
    uint64_t pc = warp.pc, mask = warp.mask;
    emulator.step(core, warp, trace);
    undo.insert(undo.end(), before.begin(), before.end());
    if (trap.cause != TrapCause::None || exitCode)
      break;
    for (size_t k = 0; k < before.size() && !found; ++k, mask &= mask - 1) {
      bool spins0 = spinning >> std::countr_zero(mask) & 1;
      if (!hasChanged(core, {before[k]}))
        continue;
      for (const Spin &spin : spins) {
        bool own = spin.core == core.id && spin.slot == warp.slot;
        if (own && spins0)
          continue;
        for (const Access &read : spin.reads)
          if (read.address < before[k].place.address + before[k].place.bytes &&
              before[k].place.address < read.address + read.bytes)
            found = pc;
      }
    }
  }
  restore(core, undo);
  trap = {};
  exitCode.reset();
  return found;
}

/// A store by lanes of the warp of SPIN that have left its loop, or have not come to it, as if
/// those in it (SPINNING) left it now.
uint64_t SpinProbe::storeAfterLoop(const std::vector<Spin> &spins, const Spin &spin,
                                   uint64_t &spinning) {
  for (uint64_t pred : spin.preds) {
    Core copy = copyOf(device.cores[spin.core]);
    Warp &warp = copy.warps[spin.slot];
    for (uint64_t i = 0; i < kBudget && warp.pc != pred; ++i)
      if (step(copy, warp) != Step::Goes)
        break;
    if (warp.pc != pred || !describe(copy, warp))
      continue;
    spinning = warp.mask;
    uint64_t *stay = copy.x.data() + isa::Fields{word}.rs1() * device.stride + warp.base;
    for (unsigned lane = 0; lane < warp.size; ++lane)
      stay[lane] = row->op == Op::VX_PRED_N;
    if (uint64_t store = findStore(spins, copy, warp, spinning))
      return store;
  }
  return 0;
}

/// Returns a store by lanes that wait at barriers, for other lanes of their warp, or after a split
/// whose other side has not come to its end. WHY says which.
uint64_t SpinProbe::storeOfWaiting(const std::vector<Spin> &spins, std::string &why) {
  for (const Core &core : device.cores)
    for (const Warp &warp : core.warps) {
      auto storeFrom = [&](uint64_t pc, uint64_t mask) {
        Core copy = copyOf(core);
        Warp &lanes = copy.warps[warp.slot];
        lanes.pc = pc;
        lanes.mask = mask;
        if (lanes.paths)
          lanes.paths->clear();
        return findStore(spins, copy, lanes, 0);
      };
      why = "the threads that are to write there wait at a barrier";
      if (warp.state == WarpState::AtBarrier)
        if (uint64_t store = storeFrom(warp.pc, warp.mask))
          return store;
      why = "lanes of a warp that are to write there wait for others of it";
      if (warp.state != WarpState::Ready)
        continue;
      if (!warp.ipdom.empty() && !warp.ipdom.back().otherStarted)
        if (uint64_t store = storeFrom(warp.ipdom.back().pc, warp.ipdom.back().otherMask))
          return store;
      if (warp.paths)
        for (const Path &path : warp.paths->others)
          if (path.waiting)
            if (uint64_t store = storeFrom(path.pc, path.mask))
              return store;
    }
  return 0;
}

/// A store by the lanes of SPIN, for which another warp waits, as if they left their loop.
uint64_t SpinProbe::storeOfSpinning(const std::vector<Spin> &spins, const Spin &spin) {
  for (uint64_t exit : spin.exits) {
    Core copy = copyOf(device.cores[spin.core]);
    Warp &warp = copy.warps[spin.slot];
    warp.pc = exit;
    if (uint64_t store = findStore(spins, copy, warp, warp.mask))
      return store;
  }
  return 0;
}

/// Fills in FINDING: one of SPINS, with the store that it waits for if there is one.
void SpinProbe::explain(const std::vector<Spin> &spins, SpinFinding &finding) {
  auto reads = std::find_if(spins.begin(), spins.end(), [](const Spin &spin) { return spin.pc; });
  const Spin *who = reads == spins.end() ? &spins.front() : &*reads;
  std::string why = "lanes of the warp that are to write there wait until these leave the loop";
  uint64_t mask = 0;
  for (size_t i = 0; i < spins.size() && !finding.storePc; ++i)
    if (uint64_t store = storeAfterLoop(spins, spins[i], mask)) {
      who = &spins[i];
      finding.storePc = store;
    }
  if (!finding.storePc) {
    mask = 0;
    finding.storePc = storeOfWaiting(spins, why);
  }
  for (size_t i = 0; i < spins.size() && !finding.storePc; ++i) {
    why = "the threads that are to write there spin as well";
    finding.storePc = storeOfSpinning(spins, spins[i]);
  }
  if (!finding.storePc)
    why = "no thread that can run writes there";
  finding.core = who->core;
  finding.slot = who->slot;
  finding.pc = who->pc;
  finding.mask = mask ? mask : who->mask;
  finding.detail = "lanes " + hexText(finding.mask) + " repeat a loop";
  if (!who->reads.empty())
    finding.detail += " that reads " + hexText(who->reads.front().address);
  finding.detail += "; " + why;
  if (spins.size() > 1)
    finding.detail += " (" + std::to_string(spins.size()) + " warps spin)";
}

} // namespace vx::sim
