// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DRAM with one latency and one bandwidth: a channel starts a block every `dram.interval` cycles,
// and a read is answered `dram.latency` cycles after it started. Blocks are interleaved over the
// channels.

#include "simulator/timing/mem/Dram.h"
#include <algorithm>

namespace vx::sim {

namespace {

class FixedDram final : public Dram {
public:
  FixedDram(const SimConfig &config, DramClient &client, MemoryStats &counters)
      : Dram(client, counters), block(config.memoryBlockBytes()), latency(config.dramLatency),
        interval(config.dramInterval), channelFree(config.dramChannels) {}

  void reset() override {
    answers.clear();
    std::fill(channelFree.begin(), channelFree.end(), 0);
  }

  void restart(Cycle elapsed) override {
    answers.rebase(elapsed);
    for (Cycle &time : channelFree)
      rebaseTime(time, elapsed);
  }

  void push(const MemoryRequest &request, Cycle due) override {
    Cycle &free = channelFree[request.address / block % channelFree.size()];
    Cycle start = std::max(due, free);
    free = start + interval;
    counters.dramBytes += block;
    counters.dramBusyCycles += interval;
    if (request.isWrite) {
      ++counters.dramWrites;
      client.dramWritten();
      return;
    }
    ++counters.dramReads;
    counters.dramReadCycles += start + latency - due;
    answers.push(request.tag, start + latency);
  }

  void tick(Cycle now) override {
    while (answers.ready(now)) {
      client.dramResponse(answers.front(), now);
      answers.pop();
    }
  }

  Cycle nextEvent(Cycle now) const override { return std::max(answers.nextDue(), now + 1); }

private:
  const uint32_t block;
  const Cycle latency, interval;
  std::vector<Cycle> channelFree;
  Channel<uint32_t> answers;
};

} // namespace

std::unique_ptr<Dram> createFixedDram(const SimConfig &config, DramClient &client,
                                      MemoryStats &counters) {
  return std::make_unique<FixedDram>(config, client, counters);
}

} // namespace vx::sim
