// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context of an instruction handler: the running warp's registers and lanes, memory, and the
// way to report a fault. One Exec is bound to a warp for as long as the scheduler lets it run.

#ifndef VX_SIMULATOR_FUNC_EXEC_H
#define VX_SIMULATOR_FUNC_EXEC_H

#include "simulator/func/Device.h"
#include "simulator/func/HostAtomics.h"
#include "simulator/func/Insn.h"
#include "simulator/func/InsnTrace.h"
#include <bit>
#include <cstring>

namespace vx::sim {

class Decoder;

class Exec {
public:
  Exec(Device &device, Decoder &decoder)
      : device(device), decoder(decoder), lanes(device.lanes), trapReport(&device.trap),
        exitReport(&device.exitCode) {}

  /// Sets where traps and exit codes are reported from now on; at first that is the device.
  void reportTo(TrapReport &trap, std::optional<int> &exitCode) {
    trapReport = &trap;
    exitReport = &exitCode;
  }

  /// Makes WARP of CORE the one that instructions run on; release() writes its state back.
  void bind(Core &core, Warp &warp);
  void release();

  // --- lanes -------------------------------------------------------------------------------------

  uint64_t mask() const { return activeMask; }
  unsigned activeLanes() const { return activeCount; }
  /// The number of lanes that handlers compute at a time, and the most that a warp can have.
  static constexpr unsigned kBlock = 8, kMostLanes = 64;
  /// Returns how many blocks of kBlock lanes the warp is, when all of its lanes are active and
  /// there are no others; else 0.
  unsigned fullBlocks() const { return blocks; }
  void setMask(uint64_t mask);
  unsigned lastLane() const { return 63 - std::countl_zero(activeMask); }
  unsigned firstLane() const { return std::countr_zero(activeMask); }

  /// Calls visit(lane) for each active lane, in lane order.
  template <typename F> void forLanes(F visit) {
    if (allLanes) {
      for (unsigned lane = 0; lane < lanes; ++lane)
        visit(lane);
      return;
    }
    for (uint64_t rest = activeMask; rest; rest &= rest - 1)
      visit(unsigned(std::countr_zero(rest)));
  }
  /// Calls visit(lane) for each active lane, in lane order, until it returns false.
  template <typename F> bool whileLanes(F visit) {
    for (uint64_t rest = activeMask; rest; rest &= rest - 1)
      if (!visit(unsigned(std::countr_zero(rest))))
        return false;
    return true;
  }

  // --- registers: offset as in Insn, plus lane ---------------------------------------------------

  uint64_t *x(uint32_t offset) { return xBase + offset; }
  uint64_t *f(uint32_t offset) { return fBase + offset; }
  /// The value that an instruction with one operand for all lanes reads.
  uint64_t scalar(uint32_t offset) { return xBase[offset + lastLane()]; }

  // --- memory ------------------------------------------------------------------------------------

  /// Reads or writes a T for LANE; false: a trap has been reported.
  template <typename T> bool load(unsigned lane, uint64_t address, T &value) {
    if (address & (sizeof(T) - 1)) [[unlikely]]
      return loadMisaligned(lane, address, &value, sizeof(T));
    uint8_t *bytes = locate(lane, address, sizeof(T), kRead);
    if (!bytes) [[unlikely]]
      return false;
    value = atomicLoad<T>(bytes);
    return true;
  }
  template <typename T> bool store(unsigned lane, uint64_t address, T value) {
    if (address & (sizeof(T) - 1)) [[unlikely]]
      return storeMisaligned(lane, address, &value, sizeof(T));
    uint8_t *bytes = locate(lane, address, sizeof(T), kWrite);
    if (!bytes) [[unlikely]]
      return storeElsewhere(lane, address, &value, sizeof(T));
    atomicStore(bytes, value);
    if (device.reservations.any()) [[unlikely]]
      device.reservations.clear(reservedPlace(address), sizeof(T));
    return true;
  }
  /// Returns where BYTES bytes at ADDRESS are, if every lane may access them with PERMISSION and no
  /// checker has to see each access. Null: perhaps a lane may not, or they are in two pages.
  uint8_t *sharedPlace(uint64_t address, unsigned bytes, uint8_t permission) {
    if (isPublic(address) && isPublic(address + bytes - 1)) [[likely]]
      return pointer(address, bytes, permission);
    uint64_t offset = address - device.stackBase;
    return offset < localBytes && bytes <= localBytes - offset ? localMemory + offset : nullptr;
  }
  /// Returns true if ADDRESS is in the stack of lane 0, and no checker has to see each access.
  bool isOwnStack(uint64_t address) const {
    return !device.checker && (device.stackBase - 1 - address) >> device.stackLog2Size == hartId(0);
  }
  /// From the stack of a lane to that of the next one.
  int64_t stackStride() const { return -(int64_t(1) << device.stackLog2Size); }
  /// Returns true if ADDRESS is one place for all lanes: in no stack, nor in local memory.
  /// With a checker, no address is.
  bool isPublic(uint64_t address) const {
    return address - device.guardedLow >= device.guardedBytes;
  }
  /// Returns true if only this core can reach ADDRESS: every access to it by another one is
  /// refused.
  bool isOwn(uint64_t address) const {
    return address - device.stackBase < currentCore->localMemory.size() ||
           (device.config.stackGuard &&
            address - device.stackLow < device.stackBase - device.stackLow);
  }
  /// ADDRESS as reservations know it: local memories of cores are different places.
  uint64_t reservedPlace(uint64_t address) const {
    constexpr unsigned coreShift = 48;
    bool isLocal = address - device.stackBase < currentCore->localMemory.size();
    return isLocal ? address + (uint64_t(currentCore->id) << coreShift) : address;
  }
  /// The bytes of an atomic access, or null after a trap.
  uint8_t *atomic(unsigned lane, uint64_t address, unsigned size);

  // --- outcome -----------------------------------------------------------------------------------

  /// Stops the guest. The report's place (core, warp, pc, …) is filled in here. Returns the report.
  TrapReport &trap(TrapCause cause, unsigned lane, std::string detail = {});
  /// Ends the run with an exit code.
  void exit(int code);
  /// Makes this warp stop running after the current instruction (it waits, ended or trapped).
  void yield() { stopFlag = true; }
  bool stopped() const { return stopFlag; }
  /// Returns true if a trap has been reported.
  bool trapped() const { return trapReport->cause != TrapCause::None; }

  unsigned hartId(unsigned lane) const {
    return currentCore->id * device.config.numWarps * device.lanes + currentWarp->base + lane;
  }

  /// The guest's bytes, as Memory::pointer().
  uint8_t *pointer(uint64_t address, unsigned size, uint8_t permission) {
    return device.memory.pointer(recentPages, address, size, permission);
  }

  Core &core() { return *currentCore; }
  Warp &warp() { return *currentWarp; }

  Device &device;
  Decoder &decoder;
  unsigned lanes; ///< of the warp, which may be a group of another size than device.lanes
  uint64_t pc = 0, nextPc = 0;
  Insn *current = nullptr;    ///< the instruction that runs
  InsnTrace *trace = nullptr; ///< filled in when a timing model asks for it

  void traceAccess(unsigned lane, uint64_t address, unsigned size) {
    if (trace) [[unlikely]] {
      trace->addresses[lane] = address;
      trace->accessBytes = uint8_t(size);
    }
  }

  /// Notes accesses of all lanes, each STRIDE bytes after that of the lane before.
  void traceAccesses(uint64_t address, int64_t stride, unsigned size) {
    if (!trace) [[likely]]
      return;
    for (unsigned lane = 0; lane < lanes; ++lane)
      trace->addresses[lane] = address + uint64_t(stride) * lane;
    trace->accessBytes = uint8_t(size);
  }

private:
  /// Returns where SIZE aligned bytes are for LANE. Null without a trap: not in memory (perhaps a
  /// device register) when writing; after a trap when reading.
  uint8_t *locate(unsigned lane, uint64_t address, unsigned size, uint8_t permission) {
    traceAccess(lane, address, size);
    if (!isPublic(address)) {
      uint64_t offset = address - device.stackBase;
      if (offset < localBytes && size <= localBytes - offset)
        return localMemory + offset;
      return locateGuarded(lane, address, size, permission);
    }
    uint8_t *bytes = pointer(address, size, permission);
    if (!bytes) [[unlikely]] {
      if (device.checker) // the last of all addresses is in no range
        return locateGuarded(lane, address, size, permission);
      if (permission == kRead)
        accessTrap(lane, address, size, false);
    }
    return bytes;
  }
  uint8_t *locateGuarded(unsigned lane, uint64_t address, unsigned size, uint8_t permission);
  uint8_t *locatePrivate(unsigned lane, uint64_t address, unsigned size, uint8_t permission);
  uint8_t *lastWord(uint64_t address);
  bool leavesOut(unsigned lane);
  bool mayTouchStack(unsigned lane, uint64_t address, uint8_t permission) const;
  bool loadMisaligned(unsigned lane, uint64_t address, void *value, unsigned size);
  bool storeMisaligned(unsigned lane, uint64_t address, const void *value, unsigned size);
  bool storeElsewhere(unsigned lane, uint64_t address, const void *value, unsigned size);
  void accessTrap(unsigned lane, uint64_t address, unsigned size, bool isWrite,
                  TrapCause cause = TrapCause::MemoryAccess, std::string detail = {});

  TrapReport *trapReport;
  std::optional<int> *exitReport;
  Core *currentCore = nullptr;
  Warp *currentWarp = nullptr;
  uint64_t *xBase = nullptr, *fBase = nullptr;
  uint8_t *localMemory = nullptr; ///< of the core
  uint64_t localBytes = 0;        ///< its size; 0: a checker wants to see each access
  uint64_t activeMask = 0;
  unsigned activeCount = 0;
  unsigned maskedLanes = 0; ///< `lanes` at the last setMask()
  bool allLanes = false;
  unsigned blocks = 0; ///< see fullBlocks()
  bool stopFlag = false;
  Memory::RecentPages recentPages;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_EXEC_H
