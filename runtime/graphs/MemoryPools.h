// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools: stream-ordered allocation. A pool keeps the memory that was freed, up to its
// release threshold, for later allocations: those that come after the free in the same stream,
// those that come when the free has happened, and, with a dependency that the pool adds, those in
// other streams. What is kept beyond the threshold goes back to the device when the program waits.
//
// Each allocation is memory of the device of its own, so that kernels are stopped at its end; one
// that takes over kept memory has that memory's size.

#ifndef VX_RUNTIME_GRAPHS_MEMORYPOOLS_H
#define VX_RUNTIME_GRAPHS_MEMORYPOOLS_H

#include "runtime/context/Context.h"
#include "runtime/memory/PeerMemory.h"
#include <atomic>
#include <list>

namespace vx::rt {

class MemoryPool {
public:
  /// ORIGIN: of a pool of another process, its name there; else 0.
  MemoryPool(Context &context, const cudaMemPoolProps &props, uint64_t origin = 0)
      : context(context), props(props), origin(origin) {}
  /// Gives kept memory back.
  ~MemoryPool();
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;

  cudaError_t allocate(uint64_t size, const std::shared_ptr<Stream> &stream, uint64_t &address);
  /// Frees what ADDRESS, an allocation of this pool, is in the order of STREAM, one of STREAMS;
  /// null: now.
  void free(uint64_t address, const std::shared_ptr<Stream> &stream, Scheduler &streams);
  /// Gives back kept memory that nothing uses any more, until at most KEEP bytes are held.
  cudaError_t trim(uint64_t keep);
  cudaError_t setAttribute(cudaMemPoolAttr id, const void *value);
  cudaError_t getAttribute(cudaMemPoolAttr id, void *value);
  /// By what other processes know the pool; not 0.
  uint64_t name();
  bool isImported() const { return origin != 0; }
  /// ADDRESS is memory of this pool, or of the one that it was imported from, unless it cannot be
  /// shared with the devices that may access the pool.
  cudaError_t adopt(uint64_t address, uint64_t size);
  /// Lets all contexts of DEVICE, which is not the pool's, work on its memory, or no longer.
  cudaError_t setAccess(unsigned device, bool isAllowed);
  bool isAccessible(unsigned device);
  /// The program gives the pool up: kept memory goes back as soon as it is free.
  void close();

  Context &context;
  const cudaMemPoolProps props;
  const uint64_t origin;
  std::atomic<bool> isDestroyed = false; ///< by the program; allocations may be left

private:
  friend class MemoryPools;
  struct Kept {
    uint64_t address, size;
    std::weak_ptr<Stream> stream;       ///< in which it was freed
    std::shared_ptr<EventTicket> freed; ///< null: at once
  };
  struct Usage {
    uint64_t current = 0, high = 0;
    void add(uint64_t bytes) {
      current += bytes;
      high = std::max(high, current);
    }
  };

  static bool isFree(const Kept &kept) { return !kept.freed || kept.freed->isDone(); }
  /// Returns true if memory that is freed goes back at once: a checker is to know that it was
  /// freed.
  bool keepsNothing() const { return isDestroyed || isImported() || context.isChecked(); }
  std::list<Kept>::iterator findKept(uint64_t size, const std::shared_ptr<Stream> &stream);

  std::mutex mutex;                  // all that follows; never held while the device is waited for
  std::map<uint64_t, uint64_t> live; // base -> size of the memory
  std::list<Kept> kept;
  Usage used, reserved;
  std::shared_ptr<ExportList> exported; // null until another device has had access
  uint64_t threshold = 0;
  uint64_t ownName = 0; ///< 0: not asked for yet
  int followsEvents = 1, isOpportunistic = 1, addsDependencies = 1;
};

/// The pools of a context, and which pool an address belongs to.
class MemoryPools : public ContextExtension {
public:
  explicit MemoryPools(Context &context);

  /// Null if HANDLE is none.
  std::shared_ptr<MemoryPool> find(cudaMemPool_t handle);
  cudaMemPool_t add(const cudaMemPoolProps &props, uint64_t origin = 0);
  bool remove(cudaMemPool_t handle);
  cudaMemPool_t defaultPool() const { return defaultHandle; }
  cudaMemPool_t currentPool();
  bool setCurrent(cudaMemPool_t handle);
  /// The pool that ADDRESS was allocated from; null if none.
  std::shared_ptr<MemoryPool> ownerOf(uint64_t address);
  void noteOwner(uint64_t address, const std::shared_ptr<MemoryPool> &pool);
  /// Frees ADDRESS in the order of STREAM, one of STREAMS (of another device, it may be), or at
  /// once; false if no pool has it.
  bool free(uint64_t address, const std::shared_ptr<Stream> &stream, Scheduler &streams);
  /// The program has waited: pools give back what they keep beyond their thresholds.
  void trimAfterWait();

private:
  friend class MemoryPool;
  Context &context;
  std::recursive_mutex mutex;
  std::map<cudaMemPool_t, std::shared_ptr<MemoryPool>> pools;
  std::map<uint64_t, std::shared_ptr<MemoryPool>> owners;
  cudaMemPool_t defaultHandle, current;
  std::atomic<bool> anyKept = false;
};

inline MemoryPools &poolsOf(Context &context) {
  return context.extension<MemoryPools>();
}

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_MEMORYPOOLS_H
