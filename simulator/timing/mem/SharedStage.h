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
  explicit SharedStage(uint32_t inputs) : ports(inputs), users(inputs) {
    for (MemoryPort &port : ports)
      port.wake = &wake;
  }

  /// Answers what comes into input I to port PORT of USER.
  void connect(uint32_t i, MemoryClient &user, uint32_t port) { users[i] = {&user, port}; }
  MemoryPort &input(uint32_t i) { return ports[i]; }

  virtual void reset();
  /// See MemorySystem::restart().
  virtual void restart(Cycle elapsed);
  /// The next cycle with something to do.
  Cycle due() const { return wake; }
  /// Does what is to be done in cycle NOW = due().
  void tick(Cycle now) {
    work(now);
    wake = nextEvent(now);
  }

  /// See Cache::warm(), for stages that are caches.
  virtual WarmAccess warm(WarmAccess access, uint64_t) { return access; }

protected:
  struct User {
    MemoryClient *client = nullptr;
    uint32_t port = 0;
  };
  virtual void work(Cycle now) = 0;
  /// The next cycle after NOW with something to do.
  virtual Cycle nextEvent(Cycle now) const;

  std::vector<MemoryPort> ports;
  std::vector<User> users;
  Cycle wake = kNever;
};

/// An L2 or L3.
class SharedCache final : public SharedStage, private CacheClient {
public:
  SharedCache(const CacheGeometry &geometry, std::vector<MemoryPort *> to,
              const CacheCounters &counters)
      : SharedStage(geometry.inputs), cache(geometry, *this, std::move(to), counters) {}

  void reset() override;
  void restart(Cycle elapsed) override;
  void memoryResponse(uint32_t port, uint32_t tag, Cycle due) override;
  WarmAccess warm(WarmAccess access, uint64_t address) override {
    return cache.warm(access, address);
  }

private:
  void work(Cycle now) override;
  Cycle nextEvent(Cycle now) const override;
  void cacheResponse(uint32_t input, uint32_t tag, Cycle due) override;

  Cache cache;
};

/// Inputs that share an output alternate.
class PortMerger final : public SharedStage {
public:
  PortMerger(uint32_t inputs, std::vector<MemoryPort *> to);

  void reset() override;
  void restart(Cycle elapsed) override;
  void memoryResponse(uint32_t port, uint32_t tag, Cycle due) override;

private:
  void work(Cycle now) override;

  const uint32_t group; ///< inputs of an output
  std::vector<MemoryPort *> to;
  PortArbiter arbiter; ///< of all outputs
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_SHAREDSTAGE_H
