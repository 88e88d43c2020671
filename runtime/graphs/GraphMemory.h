// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of allocation nodes. An allocation has its address from the creation of its node on, for
// all launches. It is live between a launch of the graph that allocates it and what frees it.

#ifndef VX_RUNTIME_GRAPHS_GRAPHMEMORY_H
#define VX_RUNTIME_GRAPHS_GRAPHMEMORY_H

#include "runtime/context/Context.h"
#include <map>

namespace vx::rt {

class GraphMemory;

/// The memory of one allocation node: shared by the node, its copies, the nodes that free it, and,
/// while it is live, GraphMemory.
class GraphAllocation {
public:
  GraphAllocation(GraphMemory &owner, uint64_t address, uint64_t size)
      : address(address), size(size), owner(owner) {}
  ~GraphAllocation();
  GraphAllocation(const GraphAllocation &) = delete;
  GraphAllocation &operator=(const GraphAllocation &) = delete;

  const uint64_t address, size;
  const void *allocatedIn = nullptr; ///< the graph
  const void *freedIn = nullptr;     ///< the graph with a node that frees it
  unsigned reuses = 0;               ///< by allocation nodes after one that frees it
  bool isLive = false, isReserved = false;

private:
  GraphMemory &owner;
};

/// Has a lock of its own: the end of a launch may be the end of an allocation.
class GraphMemory {
public:
  explicit GraphMemory(Context &context) : context(context) {}

  cudaError_t create(uint64_t size, std::shared_ptr<GraphAllocation> &allocation);
  /// The allocation at ADDRESS, live or not.
  std::shared_ptr<GraphAllocation> find(uint64_t address) const;
  void setLive(std::shared_ptr<GraphAllocation> allocation, bool isLive);
  /// Gives back what no launch uses.
  void trim();

  /// Bytes in use and bytes held, now and at most since the last reset of the maximum.
  struct Usage {
    uint64_t current = 0, high = 0;
    void add(uint64_t bytes) {
      current += bytes;
      high = std::max(high, current);
    }
  };
  Usage used() const;
  Usage reserved() const;
  void resetHigh(bool ofUsed);

private:
  friend class GraphAllocation;
  Usage inUse, held;
  void forget(GraphAllocation &allocation);
  Context &context;
  mutable std::recursive_mutex mutex;
  std::map<uint64_t, std::weak_ptr<GraphAllocation>> allocations;
  std::map<uint64_t, std::shared_ptr<GraphAllocation>> live;
};

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_GRAPHMEMORY_H
