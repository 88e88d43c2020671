// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory: banks, conflicts, and what two loads on the way do to each other.

#include "MemoryProbe.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

constexpr uint64_t kLocal = MemoryProbe::kLocal;

std::vector<uint64_t> lanes(unsigned count, uint64_t base, uint64_t stride) {
  std::vector<uint64_t> addresses;
  for (unsigned i = 0; i != count; ++i)
    addresses.push_back(base + i * stride);
  return addresses;
}

/// Cycles per load when the LSU keeps two loads of ADDRESSES on the way.
double cyclesPerLoad(const std::vector<uint64_t> &addresses, const std::string &settings = "") {
  MemoryProbe probe(settings);
  probe.run(100);
  constexpr uint32_t kLoads = 200, kFirst = 20;
  Cycle first = 0, last = 0;
  uint32_t sent = 0, done = 0;
  for (; done != kLoads; probe.run(probe.now + 1)) {
    for (; done != sent && probe.loaded(done) != kNever; ++done) {
      last = probe.loaded(done);
      if (done == kFirst)
        first = last;
    }
    if (sent - done < 2 && sent != kLoads)
      probe.load(sent++, addresses, probe.now - 1); // as in the cycle of the answer
  }
  return double(last - first) / (kLoads - 1 - kFirst);
}

TEST(LocalMemory, WithoutConflicts) {
  MemoryProbe probe;
  probe.load(1, lanes(8, kLocal, 8), 100);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 108u);
  EXPECT_EQ(probe.stats().lmemReads, 8u);
  EXPECT_EQ(probe.stats().lmemConflicts, 0u);
}

TEST(LocalMemory, EachFurtherLaneOfABankCostsACycle) {
  MemoryProbe probe;
  probe.load(1, lanes(8, kLocal, 4), 100); // two lanes per word
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 109u);
  EXPECT_EQ(probe.stats().lmemConflicts, 4u);
  probe.load(2, lanes(8, kLocal, 64), 200); // all in one bank
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, 215u);
}

TEST(LocalMemory, ConflictsWithTwoLoadsOnTheWay) {
  // The low lanes of the second load go before the high lanes of the first: 2*8-1 cycles for the
  // first, and 22 for two.
  EXPECT_NEAR(cyclesPerLoad(lanes(8, kLocal, 64)), 11, 0.1);
  EXPECT_NEAR(cyclesPerLoad(lanes(8, kLocal, 4)), 5, 0.05);
  EXPECT_NEAR(cyclesPerLoad(lanes(8, kLocal, 8)), 4, 0.05);
}

TEST(LocalMemory, BanksAndWordsAreKnobs) {
  EXPECT_NEAR(cyclesPerLoad(lanes(8, kLocal, 4), "lmem.word_size=4"), 4, 0.05);
  MemoryProbe probe("lmem.banks=4,lmem.latency=3");
  probe.load(1, lanes(8, kLocal, 8), 100);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 110u);
}

TEST(LocalMemory, StoresTakeBanksToo) {
  MemoryProbe probe;
  probe.store(lanes(8, kLocal, 64), 100);
  probe.load(1, {kLocal + 64 * 8}, 101); // the same bank; lane 0 goes before lanes 1-7 of the store
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 109u);
  EXPECT_EQ(probe.stats().lmemWrites, 8u);
}

TEST(LocalMemory, OneLoadMayUseBothMemories) {
  MemoryProbe probe;
  probe.warm({0x10000});
  Cycle start = probe.now + 100;
  std::vector<uint64_t> addresses = lanes(8, kLocal, 8);
  addresses[3] = 0x10000;
  probe.load(1, addresses, start);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 10); // the D$'s
}

TEST(LocalMemory, BelongsToItsCore) {
  MemoryProbe probe("num_cores=2");
  probe.load(1, lanes(8, kLocal, 64), 100, 0);
  probe.load(2, lanes(8, kLocal, 64), 100, 1);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever && probe.loaded(2) != kNever, 115u);
}

} // namespace
} // namespace vx::sim
