// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warp scheduling policies alone: which of the ready warps each one picks.

#include "simulator/timing/core/WarpScheduler.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

class WarpSchedulerTest : public testing::Test {
protected:
  void use(const std::string &policy, const std::string &settings = "") {
    SimConfig config;
    ASSERT_TRUE(config.applyList("core.scheduler=" + policy + settings));
    scheduler = makeWarpScheduler(config);
    scheduler->reset();
  }
  uint32_t pick(std::initializer_list<uint32_t> slots) {
    SlotSet ready;
    for (uint32_t slot : slots)
      ready.insert(slot);
    return scheduler->pick(ready);
  }

  std::unique_ptr<WarpScheduler> scheduler;
};

TEST_F(WarpSchedulerTest, FixedTakesTheLowestNumber) {
  use("fixed");
  EXPECT_EQ(pick({3, 1, 2}), 1u);
  EXPECT_EQ(pick({3, 1, 2}), 1u);
  EXPECT_EQ(pick({0, 3}), 0u);
  EXPECT_EQ(pick({300, 70}), 70u); // slots beyond a word, as vx_tile makes them
}

TEST_F(WarpSchedulerTest, RoundRobinRotates) {
  use("round_robin");
  // As if warp 0 had just been picked.
  EXPECT_EQ(pick({0, 1, 3}), 1u);
  EXPECT_EQ(pick({0, 1, 3}), 3u);
  EXPECT_EQ(pick({0, 1, 3}), 0u);
  EXPECT_EQ(pick({0, 3}), 3u);
  EXPECT_EQ(pick({1, 2}), 1u);
  EXPECT_EQ(pick({1}), 1u); // the only one, again
  scheduler->reset();
  EXPECT_EQ(pick({0, 1, 3}), 1u);
}

TEST_F(WarpSchedulerTest, OldestFirstTakesTheOnePickedLongestAgo) {
  use("oldest_first");
  EXPECT_EQ(pick({2}), 2u);
  EXPECT_EQ(pick({1}), 1u);
  EXPECT_EQ(pick({0}), 0u);
  EXPECT_EQ(pick({0, 1, 2}), 2u); // round-robin would take 1
  EXPECT_EQ(pick({0, 1, 2}), 1u);
  EXPECT_EQ(pick({0, 1, 2}), 0u);
  EXPECT_EQ(pick({1, 2, 3}), 3u); // never picked
  scheduler->reset();
  EXPECT_EQ(pick({0, 1, 2}), 0u); // none has been picked: the lowest number
}

TEST_F(WarpSchedulerTest, TwoLevelStaysInAGroupThatIsReady) {
  use("two_level", ",core.scheduler_group=2");
  // Groups {0, 1}, {2, 3}, {4, 5}.
  EXPECT_EQ(pick({0, 1, 2, 3}), 1u);
  EXPECT_EQ(pick({0, 1, 2, 3}), 0u);
  EXPECT_EQ(pick({0, 2, 3}), 0u);
  EXPECT_EQ(pick({3, 4}), 3u); // nothing of the first group: the next one
  EXPECT_EQ(pick({0, 1, 2, 3, 4}), 2u);
  EXPECT_EQ(pick({0, 1, 3, 4}), 3u);
  EXPECT_EQ(pick({0, 4}), 4u);
  EXPECT_EQ(pick({0, 2}), 0u); // from the last group to the first
  EXPECT_EQ(pick({0, 2}), 0u);
}

TEST_F(WarpSchedulerTest, TwoLevelOfOneGroupIsRoundRobin) {
  use("two_level", ",core.scheduler_group=8");
  for (uint32_t expected : {1u, 2u, 5u, 0u, 1u})
    EXPECT_EQ(pick({0, 1, 2, 5}), expected);
}

} // namespace
} // namespace vx::sim
