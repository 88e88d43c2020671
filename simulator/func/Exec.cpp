// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Exec.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/LaunchDescriptor.h"

namespace vx::sim {

void Exec::bind(Core &core, Warp &warp) {
  device.memory.follow(recentPages);
  currentCore = &core;
  currentWarp = &warp;
  lanes = warp.size;
  xBase = core.x.data() + warp.base;
  fBase = core.f.data() + warp.base;
  localMemory = core.localMemory.data();
  localBytes = device.checker ? 0 : core.localMemory.size();
  pc = warp.pc;
  stopFlag = false;
  if (warp.mask != activeMask || warp.size != maskedLanes) // counting lanes takes a while
    setMask(warp.mask);
}

void Exec::release() {
  currentWarp->pc = pc;
  currentWarp->mask = activeMask;
}

void Exec::setMask(uint64_t mask) {
  uint64_t all = (uint64_t(1) << lanes) - 1; // at most 32 lanes
  maskedLanes = lanes;
  activeMask = mask & all;
  activeCount = unsigned(std::popcount(activeMask));
  allLanes = activeMask == all;
  blocks = allLanes && lanes % kBlock == 0 ? lanes / kBlock : 0;
}

TrapReport &Exec::trap(TrapCause cause, unsigned lane, std::string detail) {
  stopFlag = true;
  TrapReport &report = *trapReport;
  if (report.cause != TrapCause::None)
    return report;
  report.cause = cause;
  report.pc = pc;
  report.instruction = current ? current->word : 0;
  report.core = currentCore->id;
  uint32_t thread = currentWarp->base + lane;
  report.warp = thread / device.lanes;
  report.lane = thread % device.lanes;
  report.groupThreads = lanes == device.lanes ? 0 : lanes;
  report.groupStart = currentWarp->base;
  report.activeMask = activeMask;
  report.block = xBase[Core::kBlockHintRegister * device.stride + lane];
  report.thread = xBase[Core::kThreadHintRegister * device.stride + lane];
  report.detail = std::move(detail);
  return report;
}

void Exec::exit(int code) {
  stopFlag = true;
  if (!*exitReport)
    *exitReport = code;
}

void Exec::accessTrap(unsigned lane, uint64_t address, unsigned size, bool isWrite, TrapCause cause,
                      std::string detail) {
  uint64_t stackBytes = uint64_t(1) << device.stackLog2Size;
  // The last hart has no neighbour below; what it overflows into is not mapped.
  if (cause == TrapCause::MemoryAccess && device.stackLow - 1 - address < stackBytes)
    cause = TrapCause::StackOverflow;
  TrapReport &report = trap(cause, lane, std::move(detail));
  report.address = address;
  report.accessBytes = size;
  report.isWrite = isWrite;
}

/// A lane has its own stack. Elsewhere it may access the control block at the top of the stack of
/// lane 0 of its warp or group, which broadcasts values there, and read the variables of a thread
/// of its core that waits for it: those of functions that have not returned. A lane whose stack
/// pointer has left its own stack has none of that: its stack has overflowed.
bool Exec::mayTouchStack(unsigned lane, uint64_t address, uint8_t permission) const {
  auto ownerOf = [&](uint64_t place) {
    return (device.stackBase - 1 - place) >> device.stackLog2Size;
  };
  uint64_t owner = ownerOf(address);
  if (owner == hartId(lane))
    return true;
  uint64_t fromTop = device.stackBase - 1 - address;
  uint64_t place = fromTop & ((uint64_t(1) << device.stackLog2Size) - 1);
  if (owner == hartId(0) && place < sizeof(abi::ThreadControlBlock))
    return true;
  uint64_t harts = uint64_t(device.config.numWarps) * device.lanes;
  if (permission != kRead || owner / harts != currentCore->id)
    return false;
  const uint64_t *sp = currentCore->x.data() + Core::kStackPointer * device.stride;
  return address >= sp[owner % harts] && ownerOf(sp[currentWarp->base + lane]) == hartId(lane);
}

/// An access that locate() does not decide by itself.
uint8_t *Exec::locateGuarded(unsigned lane, uint64_t address, unsigned size, uint8_t permission) {
  if (!device.checker)
    return locatePrivate(lane, address, size, permission);
  bool isWrite = permission & kWrite;
  uint8_t *bytes;
  if (address - device.stackLow < device.privateBytes) {
    bytes = locatePrivate(lane, address, size, permission);
  } else {
    bytes = pointer(address, size, permission);
    if (!bytes && isWrite && Console::contains(address))
      return nullptr; // a device register
    if (!bytes)
      accessTrap(lane, address, size, isWrite);
  }
  if (!bytes)
    return leavesOut(lane) ? device.checker->nowhere() : nullptr;
  return device.checker->accessed(*this, lane, address, size, permission, bytes);
}

/// To be called after a trap for LANE's access. Returns true if the checker has taken the trap
/// back.
bool Exec::leavesOut(unsigned lane) {
  if (!device.checker || !device.checker->refused(*this, lane))
    return false;
  // For the timing model it is an access as any other. The last address of all stands for none
  // there.
  traceAccess(lane, std::min(trapReport->address, ~uint64_t(1)), trapReport->accessBytes);
  *trapReport = {};
  stopFlag = false;
  return true;
}

uint8_t *Exec::locatePrivate(unsigned lane, uint64_t address, unsigned size, uint8_t permission) {
  bool isWrite = permission & kWrite;
  if (address >= device.stackBase) {
    uint64_t offset = address - device.stackBase;
    if (size <= currentCore->localMemory.size() - offset)
      return currentCore->localMemory.data() + offset;
    accessTrap(lane, address, size, isWrite);
    return nullptr;
  }
  if (device.config.stackGuard && !mayTouchStack(lane, address, permission)) {
    uint64_t owner = (device.stackBase - 1 - address) >> device.stackLog2Size;
    accessTrap(lane, address, size, isWrite, TrapCause::StackOverflow,
               "the address is in the stack of hart " + std::to_string(owner) +
                   ", the access by hart " + std::to_string(hartId(lane)));
    return nullptr;
  }
  uint8_t *bytes = pointer(address, size, permission);
  if (!bytes)
    accessTrap(lane, address, size, isWrite);
  return bytes;
}

bool Exec::storeElsewhere(unsigned lane, uint64_t address, const void *value, unsigned size) {
  if (stopFlag)
    return false;
  if (size == 1 && Console::contains(address)) {
    device.console.put(address, *static_cast<const char *>(value));
    return true;
  }
  accessTrap(lane, address, size, true);
  return false;
}

bool Exec::loadMisaligned(unsigned lane, uint64_t address, void *value, unsigned size) {
  if (device.config.misaligned == MisalignedPolicy::Trap) {
    accessTrap(lane, address, size, false, TrapCause::Misaligned);
    std::memset(value, 0, size);
    return leavesOut(lane);
  }
  for (unsigned i = 0; i < size; ++i)
    if (!load(lane, address + i, static_cast<uint8_t *>(value)[i]))
      return false;
  traceAccess(lane, address, size);
  return true;
}

bool Exec::storeMisaligned(unsigned lane, uint64_t address, const void *value, unsigned size) {
  if (device.config.misaligned == MisalignedPolicy::Trap) {
    accessTrap(lane, address, size, true, TrapCause::Misaligned);
    return leavesOut(lane);
  }
  for (unsigned i = 0; i < size; ++i)
    if (!store(lane, address + i, static_cast<const uint8_t *>(value)[i]))
      return false;
  traceAccess(lane, address, size);
  return true;
}

/// The word at ADDRESS if memory that may be written ends in it, and what is beyond can be read.
uint8_t *Exec::lastWord(uint64_t address) {
  uint8_t *bytes = pointer(address, sizeof(uint32_t), kRead);
  return pointer(address, 1, kRead | kWrite) ? bytes : nullptr;
}

uint8_t *Exec::atomic(unsigned lane, uint64_t address, unsigned size) {
  if (address & (size - 1)) {
    accessTrap(lane, address, size, true, TrapCause::Misaligned);
    return leavesOut(lane) ? device.checker->nowhere() : nullptr;
  }
  uint8_t *bytes = locate(lane, address, size, kRead | kWrite);
  // Programs make atomics on 8 and 16 bits of those on the word around them, as libcu++ does: they
  // leave the other bytes as they are.
  if (!bytes && !stopFlag && size == sizeof(uint32_t))
    bytes = lastWord(address);
  if (!bytes && !stopFlag)
    accessTrap(lane, address, size, true);
  return bytes;
}

} // namespace vx::sim
