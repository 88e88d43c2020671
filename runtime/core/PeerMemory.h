// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peer access: kernels of one context work on the memory of another one. The memory of a context
// that a peer may access is moved to pages of the process's own (SharedPages), which then both
// devices use at the same address. The two contexts only meet in an ExportList: the owner writes
// what there is, the other side looks before each kernel. Pages live as long as either needs them.

#ifndef VX_RUNTIME_CORE_PEERMEMORY_H
#define VX_RUNTIME_CORE_PEERMEMORY_H

#include "runtime/core/Driver.h"
#include "runtime/core/SharedPages.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace vx::rt {

struct Export {
  uint64_t size = 0;
  std::shared_ptr<SharedPages> pages;
};

/// What a context lets others access.
class ExportList {
public:
  void add(uint64_t address, Export entry);
  void remove(uint64_t address);
  void clear();
  /// Another number whenever the list has changed.
  uint64_t version() const { return changes; }
  std::map<uint64_t, Export> all() const;

private:
  mutable std::mutex mutex;
  std::map<uint64_t, Export> exports; // by their addresses
  std::atomic<uint64_t> changes = 1;
};

/// Whose memory the kernels of one context may access. enable() and disable() may be called at any
/// time; update() while the device is held.
class PeerMappings {
public:
  /// False if the context CONTEXT is accessible already.
  bool enable(uint64_t context, std::shared_ptr<ExportList> list);
  /// False if it is not accessible.
  bool disable(uint64_t context);
  bool isEnabled(uint64_t context) const;
  /// Before a kernel: the device knows what there is now.
  Result<void> update(Device &device);

private:
  struct Peer {
    std::shared_ptr<ExportList> list; ///< null: disabled since the last update()
    uint64_t seenVersion = 0;
    std::map<uint64_t, std::shared_ptr<SharedPages>> imports; // by their addresses
  };
  static Result<void> update(Peer &peer, Device &device);
  mutable std::mutex mutex;       // the map; imports are the device holder's
  std::map<uint64_t, Peer> peers; // by their contexts
  std::atomic<bool> any = false;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_PEERMEMORY_H
