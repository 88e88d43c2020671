// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages between the stages of the memory system. A stage that merges several sources into
// one appends the source to the tag and takes it off the response again.

#ifndef VX_SIMULATOR_TIMING_MEM_MEMORYREQUEST_H
#define VX_SIMULATOR_TIMING_MEM_MEMORYREQUEST_H

#include "simulator/timing/Channel.h"
#include <algorithm>

namespace vx::sim {

struct MemoryRequest {
  uint64_t address = 0;
  uint32_t tag = 0; ///< of a read: comes back with the response
  bool isWrite = false;
};

/// An access as a cache that is warmed sees it.
enum class WarmAccess : uint8_t { None, Read, Write };

using RequestQueue = Channel<MemoryRequest>;

/// An input of a stage. A push wakes the stage.
struct MemoryPort {
  RequestQueue queue;
  Cycle *wake = nullptr; ///< when the stage has something to do

  void push(const MemoryRequest &request, Cycle due) {
    queue.push(request, due);
    *wake = std::min(*wake, due);
  }
};

/// The other end of a cache's inputs, which asked it.
class CacheClient {
public:
  virtual ~CacheClient() = default;
  /// The read TAG of input INPUT is answered; it leaves the cache in cycle DUE.
  virtual void cacheResponse(uint32_t input, uint32_t tag, Cycle due) = 0;
};

/// The one that asked the memory, or a cache as if it were the memory.
class MemoryClient {
public:
  virtual ~MemoryClient() = default;
  /// The read TAG that came through port PORT is answered; the client's first stage sees it in
  /// cycle DUE.
  virtual void memoryResponse(uint32_t port, uint32_t tag, Cycle due) = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_MEMORYREQUEST_H
