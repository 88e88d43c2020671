// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random traffic on random machines: leaving out the cycles without events changes nothing, and a
// reset makes a memory system as new.

#include "MemoryProbe.h"
#include <gtest/gtest.h>
#include <random>

namespace vx::sim {
namespace {

const char *const kMachines[] = {
    "",
    "core.num_threads=4",
    "core.num_threads=16",
    "core.num_threads=32,dcache.ports=4",
    "num_cores=4",
    "num_cores=8,core.num_threads=16",
    "num_cores=4,l2.enabled=true,l2.size=8192,l2.banks=2,l2.write=back",
    "num_cores=8,system.socket_size=2,system.clusters=2,l2.enabled=true,l3.enabled=true",
    "num_cores=8,system.socket_size=1",
    "dcache.write=back,dcache.size=1024,cache.replacement=lru",
    "dcache.mshr_size=2,icache.mshr_size=1,coalescer.queue_size=2",
    "dram.model=fixed,dram.latency=100,dram.interval=20,cache.replacement=random",
    "dcache.enabled=false,icache.enabled=false,num_cores=2",
};

/// Everything that can be seen of a run: when each of COUNT random requests was answered.
std::vector<Cycle> answers(MemoryProbe &probe, unsigned seed, bool skip, unsigned count = 400) {
  std::mt19937 random(seed);
  std::vector<Cycle> times;
  Cycle start = probe.now;
  std::vector<std::pair<bool, uint32_t>> sent;
  for (uint32_t tag = 0; tag != count; ++tag) {
    uint32_t core = random() % probe.config.numCores;
    Cycle at = probe.now + random() % 8 * (random() % 8);
    probe.run(at, skip);
    if (random() % 3 == 0) {
      probe.fetch(tag, 0x80000000 + random() % 512 * 64, probe.now, core);
      sent.push_back({true, tag});
      continue;
    }
    std::vector<uint64_t> addresses;
    uint64_t base = random() % 4 ? 0x10000 + random() % 4096 * 8 : MemoryProbe::kLocal;
    if (random() % 32 == 0)
      base = 0x8000; // goes past the banks of the caches
    uint64_t stride = uint64_t(4) << random() % 6;
    for (uint32_t i = 0; i != probe.config.numThreads; ++i)
      addresses.push_back(base + i * stride);
    if (random() % 4 == 0) {
      probe.store(addresses, probe.now, core);
    } else {
      probe.load(tag, addresses, probe.now, core);
      sent.push_back({false, tag});
    }
  }
  probe.run(probe.now + 100000, skip);
  for (auto [isFetch, tag] : sent)
    times.push_back((isFetch ? probe.fetched(tag) : probe.loaded(tag)) - start);
  return times;
}

TEST(Skipping, ChangesNothing) {
  for (const char *machine : kMachines) {
    for (unsigned seed = 1; seed != 4; ++seed) {
      MemoryProbe every(machine), some(machine);
      std::vector<Cycle> expected = answers(every, seed, false);
      EXPECT_EQ(expected, answers(some, seed, true)) << machine << ", seed " << seed;
      for (Cycle time : expected)
        ASSERT_LT(time, 200000u) << "never answered: " << machine << ", seed " << seed;
    }
  }
}

TEST(Skipping, EarlyAnswersChangeNothing) {
  for (const char *machine : kMachines) {
    // In sampled mode no answer is known before its cycle.
    std::string inTime = std::string("run.mode=sampled") + (*machine ? "," : "") + machine;
    for (unsigned seed = 1; seed != 8; ++seed) {
      MemoryProbe early(machine), late(inTime);
      EXPECT_EQ(answers(late, seed, true), answers(early, seed, true))
          << machine << ", seed " << seed;
    }
  }
}

TEST(Skipping, ResetMakesAsNew) {
  for (const char *machine : kMachines) {
    MemoryProbe probe(machine);
    std::vector<Cycle> first = answers(probe, 7, true);
    probe.memory->reset();
    probe.now = 0;
    EXPECT_EQ(first, answers(probe, 7, true)) << machine;
  }
}

} // namespace
} // namespace vx::sim
