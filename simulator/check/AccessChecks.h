// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkers of a run, and two of them, memcheck and initcheck: every access of every lane
// against what the memory is, byte by byte. racecheck and synccheck (RaceChecks.h, SyncChecks.h)
// are asked where they are wanted.
//
// The machine itself knows to the byte what is mapped. What it refuses is reported and left out, so
// that the kernel continues and its other errors are found, too. A shadow (Shadow.h) has what it
// does not know: the blocks of the device's heap, the shared memory of blocks, bytes without a
// value.

#ifndef VX_SIMULATOR_CHECK_ACCESSCHECKS_H
#define VX_SIMULATOR_CHECK_ACCESSCHECKS_H

#include "simulator/check/Allocations.h"
#include "simulator/check/BlockMemory.h"
#include "simulator/check/RaceChecks.h"
#include "simulator/check/RunReports.h"
#include "simulator/check/Shadow.h"
#include "simulator/check/SyncChecks.h"
#include "simulator/func/MemoryChecks.h"
#include <set>

namespace vx::sim {

class AccessChecks final : public MemoryChecks {
public:
  /// The checkers that the configuration of DEVICE asks for; null: none. The Failure names what is
  /// wrong with the request.
  static Result<std::unique_ptr<MemoryChecks>> create(Device &device);

  void allocated(CheckedAllocation allocation) override;
  void freed(uint64_t address, HostStack stack) override;
  void shared(uint64_t address, uint64_t size) override { wroteFromHost(address, size); }
  void freedWrongly(uint64_t address, const std::string &call, HostStack stack) override;
  void callFailed(FailedCall call, HostStack stack) override;

  void describeRun(const RunInfo &info) override;
  void mapped(uint64_t address, uint64_t size) override {
    global.set(address, size, ByteState::Usable);
  }
  void wroteFromHost(uint64_t address, uint64_t size) override;
  Result<void> finish() override;

  uint8_t *accessed(Exec &e, unsigned lane, uint64_t address, unsigned size, uint8_t permission,
                    uint8_t *bytes) override;
  bool refused(Exec &e, unsigned lane) override;
  uint8_t *nowhere() override;
  void hinted(Exec &e, Insn &insn) override;
  void setTrial(bool trial) override { isTrial = trial; }
  void runStarted() override;
  void runEnded(TrapReport &trap) override;

private:
  explicit AccessChecks(Device &device);

  struct Access {
    uint64_t address;
    unsigned size;
    bool isWrite, isAtomic;
  };

  bool isLocal(uint64_t address) const { return address - device.stackBase < localBytes; }
  Shadow &shadowOf(uint32_t core, uint64_t address) {
    return isLocal(address) ? local[core] : global;
  }
  /// The state of memory that becomes the program's, and of what is between.
  ByteState fresh() const { return checksValues ? ByteState::Undefined : ByteState::Usable; }
  ByteState beyond() const { return checksMemory ? ByteState::Unallocated : ByteState::Usable; }

  void addVariables();
  void setUpShared();
  void setUpHeap();
  void startPlace(uint64_t place);
  uint8_t *checkAccess(Exec &e, unsigned lane, uint64_t address, unsigned size, uint8_t permission,
                       uint8_t *bytes);
  /// Returns true if ADDRESS is in the shared memory of a block that LANE's may not access.
  bool isOfOtherBlock(Exec &e, unsigned lane, uint64_t address);
  /// Returns where an access goes that is only tried (setTrial).
  uint8_t *tryAccess(Exec &e, unsigned lane, uint64_t address, unsigned size, uint8_t *bytes);
  void noteKernel();
  void reportEnd(const TrapReport &trap);
  void reportStopped(const TrapReport &trap);
  /// Returns the checker that reports what does not belong to any one of them.
  const char *anyTool() const;
  void addOfHost(const std::string &key, Finding finding);
  void noteActed(Exec &e, unsigned lane, uint64_t address);
  uint8_t *checkBytes(Exec &e, unsigned lane, const Access &access, uint8_t *bytes,
                      uint64_t states);
  static const char *kindOf(const Access &access);
  uint8_t *refuse(Exec &e, unsigned lane, const Access &access, const char *kind, const char *note);
  void checkVector(Exec &e, unsigned lane, const Access &access);
  uint64_t localLimit() const { return uint64_t(1) << 20; } ///< more is not an array of a thread
  void localBegan(uint64_t address, uint64_t record);
  void localEnded(uint64_t address);
  std::string nameAt(uint64_t address) const;
  /// Returns where ADDRESS is, in words, if that is in or next to a local array.
  std::optional<std::string> describeLocal(uint64_t address) const;
  void heapAllocated(Exec &e, unsigned lane, uint64_t address, uint64_t size);
  void heapFreed(Exec &e, unsigned lane, uint64_t &address);
  const char *spaceOf(uint64_t address) const;
  std::vector<std::string> describe(Exec &e, const Access &access) const;
  Device &device;
  bool checksMemory = false, checksValues = false;
  RunReports run;
  Allocations allocations;
  Shadow global;
  std::vector<Shadow> local; ///< of the cores' local memories
  uint64_t localBytes;

  bool isFinished = false;
  bool isTrial = false;

  // The run.
  BlockMemory blockMemory;
  uint64_t heapBase = 0, heapBytes = 0;
  uint64_t leftOut = 0;
  uint64_t foundBefore = 0; ///< by all checkers, before the run
  TrapReport firstRefused;
  uint32_t sharedTail = 0;
  struct LocalArray {
    uint64_t size;
    uint64_t name; ///< its address
  };
  std::map<uint64_t, LocalArray> locals; ///< by address
  // Null: not wanted.
  std::unique_ptr<CudaThreads> threads;
  std::unique_ptr<RaceChecks> races;
  std::unique_ptr<SyncChecks> syncs;
  alignas(8) uint8_t sink[24] = {};
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_ACCESSCHECKS_H
