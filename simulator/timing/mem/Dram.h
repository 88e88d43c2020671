// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract of a model of DRAM. Blocks (cache lines) enter one queue in the order of push(); the
// queue has no limit of its own. A model answers every read once, and says when a write has left
// the queue. It is ticked in every cycle that nextEvent() announces.

#ifndef VX_SIMULATOR_TIMING_MEM_DRAM_H
#define VX_SIMULATOR_TIMING_MEM_DRAM_H

#include "simulator/api/SimConfig.h"
#include "simulator/api/Stats.h"
#include "simulator/timing/mem/MemoryRequest.h"
#include <memory>

namespace vx::sim {

class DramClient {
public:
  virtual ~DramClient() = default;
  /// The read with tag TAG has its data in cycle NOW.
  virtual void dramResponse(uint32_t tag, Cycle now) = 0;
  /// A write has left the queue.
  virtual void dramWritten() = 0;
};

class Dram {
public:
  static std::unique_ptr<Dram> create(const SimConfig &config, DramClient &client,
                                      MemoryStats &counters);
  virtual ~Dram() = default;

  virtual void reset() = 0;
  /// See MemorySystem::restart().
  virtual void restart(Cycle elapsed) = 0;
  /// The block at ADDRESS is read or written; the controller sees the request in cycle DUE.
  virtual void push(const MemoryRequest &request, Cycle due) = 0;
  virtual void tick(Cycle now) = 0;
  virtual Cycle nextEvent(Cycle now) const = 0;

protected:
  Dram(DramClient &client, MemoryStats &counters) : client(client), counters(counters) {}

  DramClient &client;
  MemoryStats &counters;
};

/// The models, one per file.
std::unique_ptr<Dram> createHbmDram(const SimConfig &config, DramClient &client,
                                    MemoryStats &counters);
std::unique_ptr<Dram> createFixedDram(const SimConfig &config, DramClient &client,
                                      MemoryStats &counters);

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_DRAM_H
