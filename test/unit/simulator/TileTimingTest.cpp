// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of groups in the timing model, to the cycle: when a merge is done, beats of merged
// groups, the crossbar in front of their operands.

#include "simulator/TimingSimulator.h"
#include "test/unit/simulator/Program.h"
#include <algorithm>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

class Recorder : public Observer {
public:
  void committed(const InsnLife &life) override { lives.push_back(life); }
  std::vector<InsnLife> lives;
};

/// The instructions of a run of P in the order of commit; it must end without a trap.
std::vector<InsnLife> livesOf(const Program &p, const std::string &settings) {
  Machine m(p,
            ("run.mode=timing,memory.perfect=true,isa.warp=warp,run.max_cycles=200000," + settings)
                .c_str());
  Recorder recorder;
  static_cast<TimingSimulator &>(*m.simulator).setObserver(&recorder);
  RunResult result = m.simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::None) << result.trap.detail;
  return recorder.lives;
}

std::string shape(unsigned lanes, unsigned warps) {
  return "core.num_threads=" + std::to_string(lanes) + ",core.num_warps=" + std::to_string(warps);
}

TEST(TileTiming, AMergeIsDoneWhenTheLastVxTileReachesItsUnit) {
  for (unsigned delay : {0u, 1u, 7u, 40u}) {
    SCOPED_TRACE(delay);
    Program p;
    p.startAll().csr(kT0, VX_CSR_WARP_ID).li(kT1, 2);
    p.op(Op::BNE, {.rs1 = kT0, .rs2 = kT1, .imm = int64_t(delay + 1) * 4});
    for (unsigned i = 0; i < delay; ++i)
      p.li(kA0, 0); // only warp 2
    uint64_t next = Harness::kCode + uint64_t(p.tile(0x80, 32).here());
    p.li(kA0, 1).end();
    Cycle last = 0, first = 0;
    unsigned arrivals = 0;
    for (const InsnLife &life : livesOf(p, shape(8, 4))) {
      if (life.op == Op::VX_TILE) {
        ++arrivals;
        last = std::max(last, life.executed);
      }
      if (life.pc == next) {
        EXPECT_EQ(life.size, 32u);
        first = life.scheduled;
      }
    }
    EXPECT_EQ(arrivals, 4u);
    EXPECT_EQ(first, last); // not a cycle earlier, not one later
  }
}

TEST(TileTiming, VxTileWaitsForPendingResults) {
  for (bool pending : {false, true}) {
    Program p;
    p.startAll().li(kT0, 0x80).li(kT1, 32);
    for (unsigned i = 0; i < 20; ++i)
      p.li(kA0, 0); // the operands are there
    pending ? p.op(Op::DIV, {.rd = 22, .rs1 = kS0, .rs2 = kS1}) : p.li(22, 0);
    p.op(Op::VX_TILE, {.rs1 = kT0, .rs2 = kT1}).end();
    InsnLife before{}, tile{};
    for (const InsnLife &life : livesOf(p, shape(8, 4)))
      if (life.warp == 3 && life.op == Op::VX_TILE)
        tile = life;
      else if (life.warp == 3 && isa::Fields{life.word}.rd() == 22)
        before = life;
    ASSERT_GT(before.committed, 0u);
    if (pending)
      EXPECT_EQ(tile.issued, before.committed);
    else
      EXPECT_GE(tile.issued, before.committed);
  }
}

TEST(TileTiming, SpansMergeIndependently) {
  // The second of two spans is late; the first continues without it.
  Program p;
  p.startAll().csr(kT0, VX_CSR_WARP_ID).li(kT1, 4);
  p.op(Op::BLT, {.rs1 = kT0, .rs2 = kT1, .imm = 100 * 4});
  for (unsigned i = 0; i < 99; ++i)
    p.li(kA0, 0);
  uint64_t next = Harness::kCode + uint64_t(p.tile(0x80, 32).here());
  p.li(kA0, 1).end();
  Cycle start[2] = {};
  for (const InsnLife &life : livesOf(p, shape(8, 8)))
    if (life.pc == next)
      start[life.warp / 4] = life.scheduled;
  EXPECT_GT(start[0], 0u);
  EXPECT_GT(start[1], start[0] + 99);
}

/// The smallest distance between two issues among the instructions at PC.
Cycle smallestGap(const std::vector<InsnLife> &lives, uint64_t first, uint64_t last) {
  std::vector<Cycle> issues;
  for (const InsnLife &life : lives)
    if (life.pc >= first && life.pc < last)
      issues.push_back(life.issued);
  std::sort(issues.begin(), issues.end());
  Cycle gap = kNever;
  for (size_t i = 1; i < issues.size(); ++i)
    gap = std::min(gap, issues[i] - issues[i - 1]);
  return gap;
}

TEST(TileTiming, AMergedGroupIssuesInOneBeatPerWarp) {
  struct {
    unsigned lanes, warps, size;
    Cycle beats;
  } cases[] = {{8, 64, 32, 4},  {8, 64, 16, 2}, {8, 64, 8, 1},  {8, 8, 4, 1},
               {16, 32, 32, 2}, {4, 64, 32, 8}, {32, 8, 32, 1}, {32, 4, 4, 1}};
  for (auto &c : cases) {
    SCOPED_TRACE(std::to_string(c.size) + " on " + std::to_string(c.lanes));
    Program p;
    p.startAll().tile(allGroups(c.size), c.size);
    uint64_t first = Harness::kCode + uint64_t(p.here());
    for (unsigned i = 0; i < 30; ++i)
      p.li(kT0 + i % 3, 1);
    uint64_t last = Harness::kCode + uint64_t(p.here());
    auto lives =
        livesOf(p.end(), shape(c.lanes, c.warps) + ",core.issue_width=1,memory.stack_log2_size=8");
    EXPECT_EQ(smallestGap(lives, first, last), c.beats);
  }
}

TEST(TileTiming, OperandsOfMergedWarpsPassTheCrossbar) {
  for (unsigned size : {8u, 16u, 32u})
    for (unsigned crossbar : {0u, 1u, 5u}) {
      SCOPED_TRACE(std::to_string(size) + ", crossbar " + std::to_string(crossbar));
      Program p;
      p.startAll().tile(allGroups(size), size);
      uint64_t pc = Harness::kCode + uint64_t(p.here());
      p.op(Op::ADD, {.rd = kA0, .rs1 = kS0, .rs2 = kS1});
      p.op(Op::ADD, {.rd = kA1, .rs1 = kA0, .rs2 = kS1});
      p.op(Op::VX_SHFL_BFLY_I, {.rd = kA1, .rs1 = kA0, .rs2 = kS1, .imm = 1}).end();
      InsnLife add{}, next{}, shuffle{};
      for (const InsnLife &life :
           livesOf(p, shape(8, 4) + ",core.operand_latency=2,tile.crossbar_latency=" +
                          std::to_string(crossbar)))
        if (life.warp == 0 && life.pc == pc)
          add = life;
        else if (life.warp == 0 && life.pc == pc + 4)
          next = life;
        else if (life.warp == 0 && life.pc == pc + 8)
          shuffle = life;
      Cycle beats = size / 8, extra = beats > 1 ? crossbar : 0;
      EXPECT_EQ(add.dispatched - add.issued, 3 + extra);
      // A shuffle needs the operands of all beats before it can start.
      EXPECT_EQ(shuffle.dispatched - shuffle.issued, 3 + extra + beats - 1);
      // Packets enter the unit one per cycle; all are committed before a dependent instruction is
      // issued.
      EXPECT_EQ(add.committed - add.issued, 10 + extra + beats - 1);
      EXPECT_EQ(next.issued, add.committed);
    }
}

} // namespace
