// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The crossbar between the memory ports and DRAM. Blocks are interleaved over its outputs, which
// all feed DRAM's one queue; per cycle an output takes a block of the lowest port that has one for
// it, and a port gets one answer, from the outputs in turn.

#ifndef VX_SIMULATOR_TIMING_MEM_DRAMPORTS_H
#define VX_SIMULATOR_TIMING_MEM_DRAMPORTS_H

#include "simulator/timing/mem/Dram.h"
#include "simulator/timing/mem/SharedStage.h"

namespace vx::sim {

class DramPorts final : public SharedStage, private DramClient {
public:
  DramPorts(const SimConfig &config, uint32_t inputs, MemoryCounters &counters);

  void reset() override;
  void restart(Cycle elapsed) override;
  /// Nothing is below DRAM.
  void memoryResponse(uint32_t, uint32_t, Cycle) override {}

private:
  struct Answer {
    uint32_t tag = 0, input = 0;
  };

  void work(Cycle now) override;
  Cycle nextEvent(Cycle now) const override;
  void dramResponse(uint32_t tag, Cycle now) override;
  void dramWritten() override { --counters.writesUnderWay; }
  void routeRequests(Cycle now);
  void routeAnswers(Cycle now);

  MemoryCounters &counters;
  const uint32_t blockBits, outputBits, outputs;
  std::vector<Channel<Answer>> answers; ///< of each output
  uint32_t answersWaiting = 0;
  std::vector<uint64_t> wanted; ///< of each input: a bit per output with an answer for it
  PortArbiter arbiter;
  std::unique_ptr<Dram> dram;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_DRAMPORTS_H
