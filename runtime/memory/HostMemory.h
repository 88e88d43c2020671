// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host memory that the runtime knows: page-locked (cudaMallocHost, cudaHostAlloc,
// cudaHostRegister) and managed. It is the process's: all devices may access all of it, wherever a
// kernel has a pointer from. What a device
// knows of it is in the HostMappings of its context.
//
// A region that host and device may both access has the same addresses on both sides. Where the
// device can work on the program's own memory (Cap::SharesMemory), the region is *shared*: both see
// each other's accesses as they happen. Else device and host memory are different memories and the
// region is *mirrored*: its bytes go to the device before a kernel and come back after it. That is
// what CUDA promises for a device whose concurrentManagedAccess is 0: the host does not touch
// managed memory while a kernel runs.

#ifndef VX_RUNTIME_MEMORY_HOSTMEMORY_H
#define VX_RUNTIME_MEMORY_HOSTMEMORY_H

#include "simulator/api/Result.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace vx::rt {

class Device;

enum class HostRegionKind { Pinned, Registered, Managed };

/// Return addresses of calls on the host (HostFrames.h); null: not known.
using HostCalls = std::shared_ptr<const std::vector<void *>>;

struct HostRegion {
  HostRegionKind kind = HostRegionKind::Pinned;
  uintptr_t base = 0;
  size_t size = 0;
  unsigned flags = 0;
  uint64_t owner = 0;      ///< the context in which it was allocated, by its number
  unsigned device = 0;     ///< that context's device
  bool isVariable = false; ///< a __managed__ one: the program does not free it
  uint64_t serial = 0;     ///< tells it from earlier regions at its address
  HostCalls made = {};     ///< where it was allocated, if a checker may ask
};

class HostMemory {
public:
  static HostMemory &get();

  /// Zero-filled pages for REGION, which says all but where; null when there are none left. BITS:
  /// of the addresses that devices can hold, 32 or 64.
  void *allocate(HostRegion region, unsigned bits = 64);
  /// Makes memory of the program's own known; false when it overlaps a known region.
  bool add(HostRegion region);
  /// Takes the region at BASE, of one of the KINDS given by their bits (1 << kind), out of what is
  /// known; none when there is none. No device may use it any more when it is released.
  std::optional<HostRegion> take(void *base, unsigned kinds);
  std::vector<HostRegion> takeOwnedBy(uint64_t owner);
  /// Gives back the pages that allocate() made.
  void release(const HostRegion &region);

  std::optional<HostRegion> find(const void *address) const;
  /// Returns true if a device whose pointers have BITS can have the addresses of REGION.
  static bool canReach(const HostRegion &region, unsigned bits) {
    return bits == 64 || (region.base + region.size) >> 32 == 0;
  }
  /// Another number whenever the regions have changed.
  uint64_t version() const { return changes; }
  void forEach(const std::function<void(const HostRegion &)> &visit) const;
  void forEachOwnedBy(uint64_t owner, const std::function<void(const HostRegion &)> &visit) const;

private:
  HostMemory() = default;
  HostRegion *locate(const void *address);
  void insert(HostRegion region);

  mutable std::mutex mutex;
  std::map<uintptr_t, HostRegion> regions;
  uint64_t nextSerial = 1;
  std::atomic<uint64_t> changes = 1;
};

/// The host memory that one device knows of. For use while the device is held.
class HostMappings {
public:
  /// Before and after a kernel: mapped regions are the device's, then the host's again.
  Result<void> giveToDevice(Device &device);
  Result<void> takeFromDevice(Device &device);
  /// The device no longer uses REGION.
  void forget(const HostRegion &region, Device &device);

private:
  struct Mapping {
    size_t size = 0;
    uint64_t serial = 0;
    bool shared = false;           ///< the device works on these bytes
    std::vector<uint8_t> onDevice; ///< else what the device has
  };
  Result<void> update(Device &device);
  std::map<uintptr_t, Mapping> mappings; // by their bases
  uint64_t seenVersion = 0;
  bool anyMirrored = false;
};

} // namespace vx::rt

#endif // VX_RUNTIME_MEMORY_HOSTMEMORY_H
