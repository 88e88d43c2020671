// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths of a warp (core.divergence = paths), one instruction at a time.

#include "test/unit/simulator/Harness.h"

using namespace vx::sim;
using namespace vx::sim::test;
using vx::isa::Op;

namespace {

constexpr uint64_t kCode = Harness::kCode;

Harness pathHarness() {
  return Harness::with([](SimConfig &c) { c.divergence = DivergencePolicy::Paths; });
}

/// Returns the lanes on the path at PC that does not execute.
uint64_t lanesAt(Harness &h, uint64_t pc) {
  uint64_t mask = 0;
  for (const Path &path : h.warp().paths->others)
    if (path.pc == pc)
      mask |= path.mask;
  return mask;
}

TEST(Paths, LanesThatDisagreePart) {
  Harness h = pathHarness();
  h.setX(1, {1, 0, 0, 1});
  h.setX(2, {0, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::BNE, {.imm = 8}));
  EXPECT_EQ(h.warp().pc, kCode + 4); // the least pc goes first
  EXPECT_EQ(h.warp().mask, 0b0110u);
  EXPECT_EQ(lanesAt(h, kCode + 8), 0b1001u);
  EXPECT_EQ(h.core().stats.pathSplits, 1u);
  ASSERT_EQ(h.warp().paths->others.size(), 1u);
}

TEST(Paths, LanesThatMeetMerge) {
  Harness h = pathHarness();
  h.warp().mask = 0b0011;
  h.warp().paths->others.push_back({kCode + 16, 0b1100});
  ASSERT_TRUE(h.run(Op::JAL, {.rd = 0, .imm = 16}));
  EXPECT_EQ(h.warp().mask, 0b1111u);
  EXPECT_TRUE(h.warp().paths->others.empty());
  EXPECT_EQ(h.core().stats.pathMerges, 1u);
}

TEST(Paths, DeeperCallsGoFirst) {
  Harness h = pathHarness();
  h.warp().mask = 0b0011;
  h.warp().paths->others.push_back({kCode - 64, 0b1100, /*depth=*/0});
  ASSERT_TRUE(h.run(Op::JAL, {.rd = 1, .imm = 64})); // a call
  EXPECT_EQ(h.warp().mask, 0b0011u);
  EXPECT_EQ(h.warp().pc, kCode + 64);
  h.setX(1, {kCode + 8, kCode + 8, 0, 0});
  ASSERT_TRUE(h.run(Op::JALR, {.rd = 0, .rs1 = 1})); // its return
  EXPECT_EQ(h.warp().mask, 0b1100u);
  EXPECT_EQ(lanesAt(h, kCode + 8), 0b0011u);
  EXPECT_EQ(h.core().stats.pathSwitches, 1u);
}

TEST(Paths, JumpsToSeveralTargetsAreRepeated) {
  Harness h = pathHarness();
  h.setX(1, {kCode + 40, kCode + 80, kCode + 40, kCode + 80});
  h.setX(3, {0, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::JALR, {.rd = 3, .rs1 = 1}));
  EXPECT_EQ(h.warp().pc, kCode); // those that have not jumped yet
  EXPECT_EQ(h.warp().mask, 0b1010u);
  EXPECT_EQ(lanesAt(h, kCode + 40), 0b0101u);
  EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{kCode + 4, 0, kCode + 4, 0}));
  ASSERT_TRUE(h.run(Op::JALR, {.rd = 3, .rs1 = 1}));
  EXPECT_EQ(h.warp().pc, kCode + 40);
  EXPECT_EQ(lanesAt(h, kCode + 80), 0b1010u);
}

TEST(Paths, TmcEndsThePath) {
  Harness h = pathHarness();
  h.warp().mask = 0b0011;
  h.warp().paths->others.push_back({kCode + 16, 0b1100});
  h.setX(1, {0, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::VX_TMC));
  EXPECT_EQ(h.warp().mask, 0b1100u);
  EXPECT_EQ(h.warp().pc, kCode + 16);
  EXPECT_EQ(h.warp().state, WarpState::Ready);
  h.setX(1, {0, 0, 0b0101, 0b0101});
  ASSERT_TRUE(h.run(Op::VX_TMC)); // lane 3 ends, lane 0 starts
  EXPECT_EQ(h.warp().mask, 0b0101u);
  h.setX(1, {0, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::VX_TMC));
  EXPECT_EQ(h.warp().state, WarpState::Idle);
}

TEST(Paths, MaskStackInstructionsAreIllegal) {
  for (Op op : {Op::VX_SPLIT, Op::VX_SPLIT_N, Op::VX_JOIN, Op::VX_PRED, Op::VX_PRED_N}) {
    Harness h = pathHarness();
    EXPECT_FALSE(h.run(op));
    EXPECT_EQ(h.trap().cause, TrapCause::IllegalInstruction);
  }
}

/// A vote with members follows the executed instruction: it waits for them.
TEST(Paths, VotesWaitForTheLanesThatTheyName) {
  Harness h = pathHarness();
  uint32_t vote = encode(Op::VX_VOTE_ALL, {.rd = 3, .rs1 = 1, .rs2 = 2});
  h.store(kCode + 4, vote);
  h.setX(2, {0b0011, 0b0011, 0b1100, 0b1100});
  // Lane 3 is not there yet; lanes 0 and 1 need not wait for it.
  h.warp().mask = 0b0111;
  h.warp().paths->others.push_back({kCode + 64, 0b1000});
  ASSERT_TRUE(h.run(Op::ADDI, {.rd = 5, .rs1 = 5, .imm = 0}));
  EXPECT_EQ(h.warp().pc, kCode + 4);
  EXPECT_EQ(h.warp().mask, 0b0011u);
  EXPECT_EQ(lanesAt(h, kCode + 4), 0b0100u);
}

TEST(Paths, BarriersWaitForAllLanes) {
  Harness h = pathHarness();
  h.store(kCode + 4, encode(Op::VX_BAR, {.rs1 = 1, .rs2 = 2}));
  h.warp().mask = 0b0011;
  h.warp().paths->others.push_back({kCode + 64, 0b1100});
  ASSERT_TRUE(h.run(Op::ADDI, {.rd = 5, .rs1 = 5, .imm = 0}));
  EXPECT_EQ(h.warp().pc, kCode + 64);
  EXPECT_EQ(h.warp().mask, 0b1100u);
  EXPECT_EQ(lanesAt(h, kCode + 4), 0b0011u);
}

/// Lanes 0 and 1 are at a vote that names all, lane 2 between two threads, lane 3 at a barrier that
/// the others still have to come to.
TEST(Paths, VotesDoNotWaitForLanesBetweenThreads) {
  Harness h = pathHarness();
  constexpr uint64_t kBetween = kCode + 64, kBarrier = kCode + 32;
  h.store(kCode + 4, encode(Op::VX_VOTE_BALLOT, {.rd = 3, .rs1 = 1, .rs2 = 2}));
  h.store(kBetween, encode(Op::VX_VOTE_ALL, {.rd = 0, .rs1 = 0, .rs2 = 2}));
  h.store(kBarrier, encode(Op::VX_BAR, {.rs1 = 4, .rs2 = 4}));
  h.setX(1, {1, 1, 1, 1});
  h.setX(2, {0b1111, 0b1111, 0b1111, 0b1111});
  h.setX(3, {0, 0, 0, 0});
  h.warp().mask = 0b0011;
  h.warp().paths->others.push_back({kBetween, 0b0100});
  h.warp().paths->others.push_back({kBarrier, 0b1000});
  ASSERT_TRUE(h.run(Op::ADDI, {.rd = 5, .rs1 = 5, .imm = 0}));
  EXPECT_EQ(h.warp().pc, kCode + 4);
  EXPECT_EQ(h.warp().mask, 0b0011u);
  // The others meet the lane between threads there, before the one at the barrier continues.
  ASSERT_TRUE(h.run(Op::JAL, {.rd = 0, .imm = 64}));
  EXPECT_EQ(h.warp().pc, kBetween);
  EXPECT_EQ(h.warp().mask, 0b0111u);
  EXPECT_EQ(lanesAt(h, kBarrier), 0b1000u);
}

} // namespace
