// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rtl/harness/Lockstep.h"
#include "intrinsics/isa/Csrs.h"
#include "intrinsics/isa/Disassembler.h"
#include "intrinsics/text/Hex.h"
#include "simulator/func/FloatBox.h"
#include "simulator/func/TileGroups.h"
#include <algorithm>

namespace vx::rtl {

using namespace vx::sim;

namespace {

/// Returns true if the result of an instruction depends on time.
bool dependsOnTime(const InsnTrace &trace) {
  const isa::InsnInfo &row = isa::info(trace.op);
  if (row.form().immediate != isa::Field::Csr)
    return false;
  unsigned number = isa::Fields{trace.word}.csr();
  return isa::isCounterCsr(number) || number == VX_CSR_ACTIVE_WARPS;
}

} // namespace

Lockstep::Lockstep(const SimConfig &config)
    : DeviceSimulator(config), beats(kWarps * kLanes / kCellThreads) {
  // Registers begin as they do in the core.
  Core &core = device.cores[0];
  std::fill(core.x.begin(), core.x.end(), 0);
  std::fill(core.f.begin(), core.f.end(), kBox);
  setConsole([](std::string_view) {});
}

Result<std::unique_ptr<Lockstep>> Lockstep::create(const SimConfig &config) {
  SimConfig plain = config;
  plain.checkTools = plain.konataTrace = plain.perfettoTrace = plain.commitTrace =
      plain.profile = {};
  std::unique_ptr<Lockstep> lockstep(new Lockstep(plain));
  if (Result<void> r = lockstep->initialize(); !r)
    return r.error();
  return lockstep;
}

std::string Lockstep::commit(const Commit &commit) {
  std::vector<Beat> &mine = beats[commit.slot];
  mine.push_back({commit.warp,
                  commit.mask,
                  commit.writes,
                  commit.rd,
                  {commit.data.begin(), commit.data.end()}});
  if (!commit.isLast)
    return {};
  Core &core = device.cores[0];
  uint32_t slot = groupSlot(core, commit.slot * kCellThreads);
  if (slot >= core.warps.size() || core.warps[slot].state != WarpState::Ready)
    return "the group at thread " + std::to_string(commit.slot * kCellThreads) +
           " does not run in the simulator:" + control.describeWaits();
  Warp &group = core.warps[slot];
  if (group.pc != commit.pc)
    return "the simulator is at " + hexText(group.pc);
  uint64_t before = group.mask;
  InsnTrace trace;
  emulator.step(core, group, trace);
  ++instructions;
  ++byOp[size_t(trace.op)];
  std::string difference = compare(group, before, trace);
  bool trapped = device.trap.cause != TrapCause::None || device.exitCode;
  if (difference.empty() && trapped != (commit.fault != Fault::None))
    difference = trapped ? std::string("the simulator stops: ") + toString(device.trap.cause) +
                               " " + device.trap.detail
                         : "the simulator does not stop";
  mine.clear();
  return difference;
}

std::string Lockstep::compare(Warp &group, uint64_t maskBefore, const InsnTrace &trace) {
  const isa::FormatInfo &form = isa::info(trace.op).form();
  bool trapped = device.trap.cause != TrapCause::None || device.exitCode;
  bool writes = form.writesF || (form.writesX && isa::Fields{trace.word}.rd() != 0);
  std::vector<Beat> &mine = beats[trace.base / kCellThreads];
  for (const Beat &beat : mine) {
    int64_t offset = int64_t(beat.warp * kLanes) - int64_t(trace.base);
    uint64_t lanes = offset >= 0 ? maskBefore >> offset : maskBefore << -offset;
    lanes &= (uint64_t(1) << kLanes) - 1;
    if (lanes != beat.mask)
      return "active lanes of warp " + std::to_string(beat.warp) + " are " + hexText(beat.mask) +
             ", in the simulator " + hexText(lanes);
    if (trapped)
      continue;
    if (beat.writes != writes)
      return writes ? "the result is not written" : "a register is written that is none";
    if (!writes)
      continue;
    if (std::string difference = compareRegister(group, beat, dependsOnTime(trace));
        !difference.empty())
      return difference;
  }
  return {};
}

std::string Lockstep::compareRegister(const Warp &, const Beat &beat, bool takeOver) {
  Core &core = device.cores[0];
  bool isFloat = beat.rd >= 32;
  std::vector<uint64_t> &file = isFloat ? core.f : core.x;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!(beat.mask >> lane & 1))
      continue;
    uint64_t &value = file[size_t(beat.rd % 32) * device.stride + beat.warp * kLanes + lane];
    if (takeOver)
      value = uint64_t(int64_t(int32_t(beat.data[lane])));
    if (uint32_t(value) != beat.data[lane])
      return std::string(isFloat ? "f" : "x") + std::to_string(beat.rd % 32) + " of warp " +
             std::to_string(beat.warp) + " lane " + std::to_string(lane) + " is " +
             hexText(beat.data[lane]) + ", in the simulator " + hexText(uint32_t(value));
  }
  return {};
}

std::string Lockstep::describeWaits() const {
  const std::vector<Warp> &groups = device.cores[0].warps;
  bool anyRuns = std::any_of(groups.begin(), groups.end(),
                             [](const Warp &w) { return w.state == WarpState::Ready; });
  return (anyRuns ? "lockstep: " : "") + control.describeWaits();
}

std::string Lockstep::finish() const {
  for (const Warp &warp : device.cores[0].warps)
    if (warp.state != WarpState::Idle && warp.state != WarpState::Merged)
      return describeGroup(device.cores[0], warp) + " has not ended in the simulator, it is at " +
             hexText(warp.pc);
  return {};
}

} // namespace vx::rtl
