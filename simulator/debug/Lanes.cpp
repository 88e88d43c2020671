// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Lanes.h"
#include "simulator/check/Text.h"
#include "simulator/debug/Packets.h"
#include <algorithm>

namespace vx::sim {

namespace {

uint32_t coordinate(uint64_t linear, const uint32_t (&dim)[3], unsigned axis) {
  if (!dim[0] || !dim[1])
    return 0;
  uint64_t below = axis == 0 ? 1 : axis == 1 ? dim[0] : uint64_t(dim[0]) * dim[1];
  return uint32_t(axis == 2 ? linear / below : linear / below % dim[axis]);
}

/// "AtBarrier" in words; null: it runs.
const char *waitText(WarpState state) {
  switch (state) {
  case WarpState::Ready:
  case WarpState::InPipeline:
  case WarpState::Merged:
    return nullptr;
  case WarpState::Idle:
    return "ended";
  case WarpState::AtBarrier:
    return "at a barrier";
  case WarpState::AtSpawn:
    return "at vx_wspawn";
  case WarpState::AtTile:
    return "at vx_tile";
  case WarpState::Suspended:
    return "suspended by vx_tile";
  }
  return nullptr;
}

} // namespace

Lanes::Lanes(Device &device)
    : device(device), rows(registerRows(device.config.xlen)), leftAt(device.config.harts()) {}

void Lanes::setLaunch(const abi::LaunchDescriptor *launch) {
  shape = launch ? *launch : abi::LaunchDescriptor();
}

void Lanes::reset() {
  std::fill(leftAt.begin(), leftAt.end(), 0);
}

void Lanes::executed(const Core &core, const Warp &warp, const InsnTrace &trace) {
  if (warp.base != trace.base || warp.size != trace.size)
    return; // regrouped: all its lanes are after the vx_tile
  for (uint64_t gone = trace.mask & ~warp.mask; gone; gone &= gone - 1)
    leftAt[threadOf(core, warp, unsigned(std::countr_zero(gone))) - 1] = trace.pc + 4;
}

/// Calls visit(core, warp) for all that execute by themselves.
template <typename F> void Lanes::forGroups(F visit) {
  for (Core &core : device.cores)
    for (Warp &warp : core.warps)
      if (warp.size && warp.state != WarpState::Idle && warp.state != WarpState::Merged)
        visit(core, warp);
}

std::vector<uint64_t> Lanes::threads() {
  std::vector<uint64_t> all;
  forGroups([&](Core &core, Warp &warp) {
    for (unsigned lane = 0; lane < warp.size; ++lane) {
      LaneRef at{&core, &warp, lane};
      if (runsThread(at) || at.isActive())
        all.push_back(threadOf(at));
    }
  });
  if (all.empty())
    all.push_back(1);
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<LaneRef> Lanes::find(uint64_t thread) {
  uint64_t perCore = uint64_t(device.config.numWarps) * device.lanes;
  if (thread == 0 || thread > device.config.harts())
    return std::nullopt;
  Core &core = device.cores[(thread - 1) / perCore];
  uint32_t number = uint32_t((thread - 1) % perCore);
  for (Warp &warp : core.warps)
    if (warp.state != WarpState::Idle && warp.state != WarpState::Merged && number >= warp.base &&
        number - warp.base < warp.size)
      return LaneRef{&core, &warp, number - warp.base};
  Warp &warp = core.warps[number / device.lanes];
  if (warp.state == WarpState::Idle && warp.base == number / device.lanes * device.lanes)
    return LaneRef{&core, &warp, number % device.lanes};
  return std::nullopt;
}

uint64_t Lanes::threadOf(const Core &core, const Warp &warp, unsigned lane) const {
  return uint64_t(core.id) * device.config.numWarps * device.lanes + warp.base + lane + 1;
}

uint64_t Lanes::pc(const LaneRef &at) const {
  if (!at.isActive()) {
    if (at.warp->paths)
      for (const Path &path : at.warp->paths->others)
        if (path.mask & at.bit())
          return path.pc;
    uint64_t left = leftAt[threadOf(at) - 1];
    return left ? left : at.warp->pc;
  }
  const TrapReport &trap = device.trap;
  bool isGroup = trap.groupThreads != 0;
  if (trap.cause != TrapCause::None && trap.core == at.core->id && trap.warp == at.warp->id &&
      (!isGroup || trap.groupStart == at.warp->base))
    return trap.pc;
  return at.warp->pc;
}

uint64_t Lanes::hint(const LaneRef &at, unsigned index) const {
  return word(at.core->x, at, index);
}

uint64_t Lanes::threadInBlock(const LaneRef &at) const {
  uint64_t thread = hint(at, Core::kThreadHintRegister);
  return thread == TrapReport::kNoHint ? 0 : uint32_t(thread);
}

uint32_t Lanes::place(const LaneRef &at, PlaceRegister which) const {
  unsigned number = unsigned(which), axis = number % 3;
  if (which >= PlaceRegister::Core)
    return which == PlaceRegister::Core   ? at.core->id
           : which == PlaceRegister::Warp ? at.warp->id
                                          : at.lane;
  if (which >= PlaceRegister::GridDim)
    return shape.gridDim[axis];
  if (which >= PlaceRegister::BlockDim)
    return shape.blockDim[axis];
  if (!runsThread(at))
    return 0;
  return which >= PlaceRegister::BlockIdx ? coordinate(blockOf(at), shape.gridDim, axis)
                                          : coordinate(threadInBlock(at), shape.blockDim, axis);
}

uint64_t Lanes::readRegister(const LaneRef &at, unsigned number) const {
  const RegisterRow &row = rows[number];
  const Warp &warp = *at.warp;
  switch (row.kind) {
  case RegisterKind::Integer:
    return row.index == 0 ? 0 : word(at.core->x, at, row.index);
  case RegisterKind::Pc:
    return pc(at);
  case RegisterKind::Float:
    return word(at.core->f, at, row.index);
  case RegisterKind::Control:
    return row.index == kCsrFflags ? warp.fflags
           : row.index == kCsrFrm  ? warp.frm
                                   : uint64_t(warp.frm) << 5 | warp.fflags;
  case RegisterKind::Place:
    if (PlaceRegister(row.index) == PlaceRegister::ActiveMask)
      return warp.mask;
    return place(at, PlaceRegister(row.index));
  }
  return 0;
}

bool Lanes::writeRegister(const LaneRef &at, unsigned number, uint64_t value) {
  if (number >= rows.size())
    return false;
  const RegisterRow &row = rows[number];
  Warp &warp = *at.warp;
  if (device.config.xlen == 32 && row.bits == 32)
    value = uint64_t(int64_t(int32_t(value)));
  switch (row.kind) {
  case RegisterKind::Integer:
    if (row.index != 0)
      word(at.core->x, at, row.index) = value;
    return true;
  case RegisterKind::Pc:
    if (value == pc(at))
      return true;
    if (!at.isActive() || value % 4 != 0)
      return false;
    warp.pc = device.config.xlen == 32 ? uint32_t(value) : value;
    return true;
  case RegisterKind::Float:
    word(at.core->f, at, row.index) = value;
    return true;
  case RegisterKind::Control:
    if (row.index != kCsrFrm)
      warp.fflags = uint8_t(value & 31);
    if (row.index != kCsrFflags)
      warp.frm = uint8_t((row.index == kCsrFcsr ? value >> 5 : value) & 7);
    return true;
  case RegisterKind::Place:
    return readRegister(at, number) == value;
  }
  return false;
}

std::string Lanes::registerText(const LaneRef &at, unsigned number) const {
  uint64_t value = readRegister(at, number);
  uint8_t bytes[8];
  std::memcpy(bytes, &value, sizeof bytes);
  return hexOfBytes(std::span(bytes).first(rows[number].bits / 8));
}

/// The part of [ADDRESS, ADDRESS + SIZE) that is in the local memory of the lane's core, if it
/// begins there.
std::span<uint8_t> Lanes::localBytes(const LaneRef &at, uint64_t address, size_t size) const {
  std::span<uint8_t> local = at.core->localMemory;
  uint64_t offset = address - device.stackBase;
  if (offset >= local.size())
    return {};
  return local.subspan(offset, std::min<uint64_t>(size, local.size() - offset));
}

/// Addresses that conditions compute may have more bits than the device.
uint64_t Lanes::narrow(uint64_t value) const {
  return device.config.xlen == 32 ? uint32_t(value) : value;
}

size_t Lanes::readMemory(const LaneRef &at, uint64_t address, std::span<uint8_t> bytes) const {
  address = narrow(address);
  if (std::span<uint8_t> local = localBytes(at, address, bytes.size()); !local.empty()) {
    std::copy(local.begin(), local.end(), bytes.begin());
    return local.size();
  }
  if (device.memory.read(address, bytes))
    return bytes.size();
  size_t count = 0;
  while (count < bytes.size() && device.memory.read(address + count, bytes.subspan(count, 1)))
    ++count;
  return count;
}

bool Lanes::writeMemory(const LaneRef &at, uint64_t address, std::span<const uint8_t> bytes) {
  address = narrow(address);
  if (std::span<uint8_t> local = localBytes(at, address, bytes.size()); !local.empty()) {
    if (local.size() < bytes.size())
      return false;
    std::copy(bytes.begin(), bytes.end(), local.begin());
    return true;
  }
  if (!device.memory.write(address, bytes))
    return false;
  ++device.codeVersion; // it may have been code
  return true;
}

std::string Lanes::name(const LaneRef &at) const {
  if (!runsThread(at))
    return "start-up";
  return "block " + coordinatesText(blockOf(at), shape.gridDim) + " thread " +
         coordinatesText(threadInBlock(at), shape.blockDim);
}

std::string Lanes::state(const LaneRef &at) const {
  std::string text = "core " + std::to_string(at.core->id) + " warp " +
                     std::to_string(at.warp->id) + " lane " + std::to_string(at.lane);
  if (const char *wait = waitText(at.warp->state))
    return text + ", " + wait;
  return at.isActive() ? text : text + ", not active";
}

} // namespace vx::sim
