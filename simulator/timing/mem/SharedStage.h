// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages between sockets and DRAM: a shared cache (L2, L3), or an arbiter where more ports come in
// than go out. Each input is a queue that the stage above fills.

#ifndef VX_SIMULATOR_TIMING_MEM_SHAREDSTAGE_H
#define VX_SIMULATOR_TIMING_MEM_SHAREDSTAGE_H

#include "simulator/timing/mem/Cache.h"

namespace vx::sim {

class SharedStage : public MemoryClient {
public:
  explicit SharedStage(uint32_t inputs) : queues(inputs), users(inputs) {}

  /// What comes into input I is answered to port PORT of USER.
  void connect(uint32_t i, MemoryClient &user, uint32_t port) { users[i] = {&user, port}; }
  RequestQueue &input(uint32_t i) { return queues[i]; }

  virtual void reset();
  virtual void start(Cycle) {}
  virtual void tick(Cycle now) = 0;
  virtual Cycle nextEvent(Cycle now) const;

protected:
  struct User {
    MemoryClient *client = nullptr;
    uint32_t port = 0;
  };
  std::vector<RequestQueue> queues;
  std::vector<User> users;
};

/// An L2 or L3.
class SharedCache final : public SharedStage, private CacheClient {
public:
  SharedCache(const CacheShape &shape, std::vector<RequestQueue *> to,
              const CacheCounters &counters)
      : SharedStage(shape.inputs), cache(shape, *this, std::move(to), counters) {}

  void reset() override;
  void start(Cycle now) override { cache.start(now); }
  void tick(Cycle now) override;
  Cycle nextEvent(Cycle now) const override;
  void memoryResponse(uint32_t port, uint32_t tag, Cycle due) override;

private:
  void cacheResponse(uint32_t input, uint32_t tag, Cycle due) override;

  Cache cache;
};

/// Inputs that share an output take turns.
class PortMerger final : public SharedStage {
public:
  PortMerger(uint32_t inputs, std::vector<RequestQueue *> to);

  void reset() override;
  void tick(Cycle now) override;
  void memoryResponse(uint32_t port, uint32_t tag, Cycle due) override;

private:
  const uint32_t group; ///< inputs of an output
  std::vector<RequestQueue *> to;
  std::vector<PortArbiter> arbiters;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_SHAREDSTAGE_H
