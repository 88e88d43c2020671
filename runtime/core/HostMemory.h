// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host memory that the runtime knows: page-locked (cudaMallocHost, cudaHostAlloc,
// cudaHostRegister) and managed.
//
// A region that host and device may both access has the same addresses on both sides. Where the
// device can work on the program's own memory (Cap::SharesMemory), the region is *shared*: both see
// each other's accesses as they happen. Else device and host memory are different memories and the
// region is *mirrored*: its bytes go to the device before a kernel and come back after it. That is
// what CUDA promises for a device whose concurrentManagedAccess is 0: the host does not touch
// managed memory while a kernel runs.

#ifndef VX_RUNTIME_CORE_HOSTMEMORY_H
#define VX_RUNTIME_CORE_HOSTMEMORY_H

#include "simulator/api/Result.h"
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace vx::rt {

class Device;

enum class HostRegionKind { Pinned, Registered, Managed };

struct HostRegion {
  HostRegionKind kind = HostRegionKind::Pinned;
  uintptr_t base = 0;
  size_t size = 0;
  unsigned flags = 0;
  bool mapped = false;   ///< the device may access it
  bool onDevice = false; ///< the device knows of it
  bool shared = false;   ///< the device works on these bytes
};

class HostMemory {
public:
  HostMemory() = default;
  ~HostMemory();
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;

  /// Zero-filled pages; null when there are none left.
  void *allocate(size_t size, HostRegionKind kind, unsigned flags);
  /// Makes memory of the program's own known; false when it overlaps a known region.
  bool add(void *base, size_t size, unsigned flags);
  /// Forgets the region at BASE, of one of the KINDS given by their bits (1 << kind), and releases
  /// what allocate() made; false when there is none. The device no longer uses it.
  bool remove(void *base, unsigned kinds, Device &device);
  std::optional<HostRegion> find(const void *address) const;
  /// Lets the device access the region that holds ADDRESS; false when there is none.
  bool mapToDevice(const void *address);
  bool empty() const;

  /// Before and after a kernel: mapped regions are the device's, then the host's again.
  Result<void> giveToDevice(Device &device);
  Result<void> takeFromDevice(Device &device);

private:
  mutable std::mutex mutex;
  std::map<uintptr_t, HostRegion> regions;
  HostRegion *locate(const void *address);
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_HOSTMEMORY_H
