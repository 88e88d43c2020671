// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peer access: kernels of one context work on the memory of another one. The memory of a context
// that a peer may access is moved to pages of the process's own (SharedPages), which then both
// devices use at the same address. The two contexts share only an ExportList: the owner writes
// what there is, the other side looks before each kernel. Pages live as long as either needs them.
//
// A program gives access to a context (cudaDeviceEnablePeerAccess), or to all contexts of a device
// (cudaMemPoolSetAccess): the first is kept by who has the access, the second in DeviceGrants.

#ifndef VX_RUNTIME_MEMORY_PEERMEMORY_H
#define VX_RUNTIME_MEMORY_PEERMEMORY_H

#include "runtime/core/Device.h"
#include "runtime/core/SharedPages.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace vx::rt {

struct Export {
  uint64_t size = 0;
  std::shared_ptr<SharedPages> pages;
};

/// The memory of a context that others may access.
class ExportList {
public:
  void add(uint64_t address, Export entry);
  void remove(uint64_t address);
  void clear();
  /// Nothing is added any more: when all is removed, the list is over.
  void close() { isClosed = true; }
  bool isOver() const;
  /// Another number whenever the list has changed.
  uint64_t version() const { return changes; }
  std::map<uint64_t, Export> all() const;

private:
  mutable std::mutex mutex;
  std::map<uint64_t, Export> exports; // by their addresses
  std::atomic<uint64_t> changes = 1;
  std::atomic<bool> isClosed = false;
};

using ExportLists = std::vector<std::shared_ptr<ExportList>>;

/// Which lists all contexts of a device may access, whatever context has them.
class DeviceGrants {
public:
  static DeviceGrants &get();
  void grant(unsigned device, std::shared_ptr<ExportList> list);
  void revoke(unsigned device, const ExportList &list);
  bool isGranted(unsigned device, const ExportList &list) const;
  /// Returns the lists that DEVICE may access now; forgets those that are over.
  ExportLists listsOf(unsigned device);
  /// Another number whenever a grant has changed.
  uint64_t version() const { return changes; }

private:
  mutable std::mutex mutex;
  std::map<unsigned, ExportLists> granted; // by devices
  std::atomic<uint64_t> changes = 1;
};

/// Whose memory the kernels of one context, on device DEVICE, may access. enable() and disable()
/// may be called at any time; update() while the device is held.
class PeerMappings {
public:
  explicit PeerMappings(unsigned device) : device(device) {}
  /// Returns false if the context CONTEXT is accessible already.
  bool enable(uint64_t context, std::shared_ptr<ExportList> list);
  /// Returns false if it is not accessible.
  bool disable(uint64_t context);
  bool isEnabled(uint64_t context) const;
  /// Before a kernel: the device knows what there is now.
  Result<void> update(Device &target);

private:
  using Seen = std::vector<std::pair<std::shared_ptr<ExportList>, uint64_t>>;
  Result<void> import(std::map<uint64_t, Export> wanted, Device &target);
  const unsigned device;
  mutable std::mutex mutex;                              // the peers
  std::map<uint64_t, std::shared_ptr<ExportList>> peers; // by their contexts
  std::atomic<bool> hasPeers = false;
  // The device holder's: what the device knows, and of which versions of lists that is.
  std::map<uint64_t, std::shared_ptr<SharedPages>> imports; // by their addresses
  Seen seen;
  uint64_t seenGrants = 0;
};

} // namespace vx::rt

#endif // VX_RUNTIME_MEMORY_PEERMEMORY_H
