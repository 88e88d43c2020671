// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device memory of a context: what the program and the runtime have allocated, what other
// contexts and processes may access, and the host memory that the device knows of.

#ifndef VX_RUNTIME_MEMORY_DEVICEMEMORY_H
#define VX_RUNTIME_MEMORY_DEVICEMEMORY_H

#include "runtime/core/Allocator.h"
#include "runtime/core/ContextState.h"
#include "runtime/memory/HostMemory.h"
#include "runtime/memory/PeerMemory.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace vx::rt {

class DeviceMemory {
public:
  explicit DeviceMemory(ContextState &state) : state(state), peers(state.identity().number) {}
  /// Others can no longer access it, and it ends.
  void endSharing();

  cudaError_t allocate(uint64_t size, uint64_t &address);
  cudaError_t release(uint64_t address);
  /// The two steps of release: the address is not memory of the program's any more, and, in an
  /// operation or Scheduler::withDevice, the memory is given back. False if it was none.
  bool forget(uint64_t address);
  void remember(uint64_t address); ///< undoes forget
  cudaError_t giveBack(uint64_t address);
  /// The program has asked CALL to free ADDRESS, which is not there to be freed.
  void noteWrongFree(uint64_t address, const char *call);
  /// Returns true if ADDRESS is what allocate() returned.
  bool isAllocation(uint64_t address);
  /// SIZE bytes at ADDRESS, which are accessible, are (no longer) memory that copies may touch.
  void noteRange(uint64_t address, uint64_t size);
  void forgetRange(uint64_t address);
  /// The allocation or noted range that holds ADDRESS.
  std::optional<AddressRange> findRange(uint64_t address);
  MemInfo info();

  /// Device addresses for memory that is accessible later, a multiple of pages from a page on.
  cudaError_t reserveAddresses(uint64_t size, uint64_t &address);
  cudaError_t releaseAddresses(uint64_t address);
  /// Changes who may access part of them: bits of MemAccess.
  cudaError_t setAccess(uint64_t address, uint64_t size, uint8_t access);
  /// Puts PAGES, or fresh memory, in the place of part of them; not accessible.
  cudaError_t replace(uint64_t address, uint64_t size, SharedPages *pages);

  /// The pages of the allocation at ADDRESS, which are the device's memory from here on; null (and
  /// a message) if there is no such allocation or the system has no memory.
  std::shared_ptr<SharedPages> sharePages(uint64_t address);
  /// Makes pages of another process memory of the device, at ADDRESS.
  cudaError_t importPages(std::shared_ptr<SharedPages> pages, uint64_t size, uint64_t &address);
  /// Ends what importPages() began.
  cudaError_t closeImport(uint64_t address);
  /// Enters the allocation at ADDRESS, if there still is one, in LIST until it is given back.
  cudaError_t exportTo(uint64_t address, std::shared_ptr<ExportList> list);
  /// Lets kernels access the memory of PEER, from the next launch on, and no longer. The device has
  /// to share memory.
  cudaError_t enablePeer(DeviceMemory &peer);
  cudaError_t disablePeer(DeviceMemory &peer);
  bool isPeerEnabled(const DeviceMemory &peer) const { return peers.isEnabled(peer.state.id()); }

  /// The device no longer uses REGION. Waits for a kernel that runs.
  void forgetHostRegion(const HostRegion &region);
  /// In an operation, before and after a kernel: host memory and that of peers is the device's, and
  /// host memory is the host's again.
  Result<void> giveToKernel();
  Result<void> takeFromKernel();

  /// Reads, writes and fills memory in an operation or Scheduler::withDevice.
  cudaError_t read(uint64_t address, std::span<uint8_t> bytes);
  cudaError_t write(uint64_t address, std::span<const uint8_t> bytes);
  cudaError_t fill(uint64_t address, uint8_t value, uint64_t size);
  /// Do the same anywhere: they take the device for themselves.
  cudaError_t readAlone(uint64_t address, std::span<uint8_t> bytes);
  cudaError_t writeAlone(uint64_t address, std::span<const uint8_t> bytes);
  cudaError_t fillAlone(uint64_t address, uint8_t value, uint64_t size);

private:
  struct Allocation {
    uint64_t size = 0;
    std::shared_ptr<SharedPages> pages; ///< of one that others can have; else null
    std::shared_ptr<ExportList> list;   ///< of exportTo(); else null
    bool isImported = false;            ///< from another process
    bool isKept = false;                ///< by a pool: no memory of the program's at present
    bool isOfProgram() const { return !isImported && !isKept; } ///< who may free it
  };

  Result<std::shared_ptr<SharedPages>> exportPages(uint64_t address);
  Device &device() { return state.device(); }
  template <typename F> auto withDevice(F &&f) { return state.scheduler().withDevice(f); }

  ContextState &state;
  std::mutex mutex; // allocations, notedRanges; never held while the device is waited for
  std::map<uint64_t, Allocation> allocations; // by their bases
  std::map<uint64_t, uint64_t> notedRanges;   // of noteRange(): base -> size
  PeerMappings peers;
  std::shared_ptr<ExportList> exports; // null until a peer may access the memory
  HostMappings hostRegions;            // only used by operations on the device
};

} // namespace vx::rt

#endif // VX_RUNTIME_MEMORY_DEVICEMEMORY_H
