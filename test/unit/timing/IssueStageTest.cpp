// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The issue stage alone: scoreboard, choice among warps, collection of operands, and what it gives
// as the reason when nothing can be issued.

#include "simulator/timing/core/IssueStage.h"
#include <gtest/gtest.h>
#include <map>

namespace vx::sim {
namespace {

constexpr RegisterSet reg(unsigned number) {
  return RegisterSet(1) << number;
}

/// An issue stage of 4 warps whose instruction buffers the test fills.
struct IssueBench {
  explicit IssueBench(const std::string &settings = "") {
    EXPECT_TRUE(config.applyList("run.mode=timing,core.num_warps=4,core.num_threads=4"));
    EXPECT_TRUE(config.applyList(settings));
    buffers = std::make_unique<InsnBuffers>(4, config.ibufferSize);
    stage = std::make_unique<IssueStage>(config, insts, *buffers, 4);
    stage->reset();
  }

  /// Puts an instruction after those that SLOT has.
  DynInstId add(uint32_t slot, RegisterSet target, RegisterSet sources,
                isa::Unit unit = isa::Unit::Alu) {
    DynInstId id = insts.allocate();
    DynInst &inst = insts[id];
    inst = {};
    inst.life.slot = inst.life.warp = slot;
    inst.life.pc = 0x1000 + 4 * id;
    inst.staticInst.target = target;
    inst.staticInst.sources = sources;
    inst.staticInst.unit = unit;
    inst.staticInst.readsMemory = unit == isa::Unit::Lsu;
    buffers->push(slot, id);
    stage->updateHead(slot);
    return id;
  }
  /// Returns how many issue in cycle NOW.
  unsigned issueAll(Cycle now) {
    return stage->issue(now, [this](DynInstId id, Cycle due) { early[id] = due; });
  }
  /// Returns the instruction that issues in cycle NOW, or kNoDynInst.
  DynInstId issue(Cycle now) {
    std::vector<DynInstId> heads(4, kNoDynInst);
    for (uint32_t slot = 0; slot < 4; ++slot)
      heads[slot] = buffers->empty(slot) ? kNoDynInst : buffers->front(slot);
    if (issueAll(now) == 0)
      return kNoDynInst;
    for (uint32_t slot = 0; slot < 4; ++slot)
      if (heads[slot] != kNoDynInst &&
          (buffers->empty(slot) || buffers->front(slot) != heads[slot]))
        return heads[slot];
    return kNoDynInst;
  }
  /// The cycle, up to LAST, in which issue slot 0 dispatches ID; nothing else may come before.
  Cycle dispatched(DynInstId id, Cycle from, Cycle last = 100) {
    if (early.count(id))
      return early[id];
    for (Cycle now = from; now <= last; ++now) {
      stage->collect(now);
      if (DynInstId out = stage->dispatch(0, now); out != kNoDynInst) {
        EXPECT_EQ(out, id);
        return now;
      }
    }
    return kNever;
  }

  SimConfig config;
  DynInstPool insts;
  std::unique_ptr<InsnBuffers> buffers;
  std::unique_ptr<IssueStage> stage;
  std::map<DynInstId, Cycle> early; ///< dispatches that were known when the instruction issued
};

TEST(IssueStage, AReaderWaitsForTheCommitOfTheWriter) {
  IssueBench bench;
  DynInstId writer = bench.add(0, reg(5), 0), reader = bench.add(0, reg(6), reg(5));
  EXPECT_EQ(bench.issue(10), writer);
  EXPECT_EQ(bench.insts[writer].life.issued, 10u);
  for (Cycle now = 11; now < 20; ++now)
    EXPECT_EQ(bench.issue(now), kNoDynInst);
  bench.stage->release(bench.insts[writer], false);
  EXPECT_EQ(bench.issue(20), reader);
}

TEST(IssueStage, AWriterWaitsForTheWriterBefore) {
  IssueBench bench;
  DynInstId first = bench.add(0, reg(5), 0), second = bench.add(0, reg(5), 0);
  EXPECT_EQ(bench.issue(0), first);
  EXPECT_EQ(bench.issue(1), kNoDynInst);
  bench.stage->release(bench.insts[first], false);
  EXPECT_EQ(bench.issue(2), second);
}

TEST(IssueStage, IndependentInstructionsIssueBackToBack) {
  IssueBench bench;
  DynInstId a = bench.add(0, reg(5), reg(1)), b = bench.add(0, reg(6), reg(1)),
            store = bench.add(0, 0, reg(1), isa::Unit::Lsu);
  EXPECT_EQ(bench.issue(0), a);
  EXPECT_EQ(bench.issue(1), b);
  EXPECT_EQ(bench.issue(2), store);
  EXPECT_EQ(bench.issue(3), kNoDynInst);
}

TEST(IssueStage, WarpsHaveRegistersOfTheirOwnAndRotate) {
  IssueBench bench;
  std::vector<DynInstId> first, second;
  for (uint32_t slot = 0; slot < 3; ++slot) {
    first.push_back(bench.add(slot, reg(5), 0));
    second.push_back(bench.add(slot, 0, reg(6)));
  }
  // As if warp 0 had just been served.
  Cycle now = 0;
  for (DynInstId expected : {first[1], first[2], first[0], second[1], second[2], second[0]})
    EXPECT_EQ(bench.issue(now++), expected);
}

TEST(IssueStage, EachIssueSlotHasTheWarpsOfItsNumber) {
  IssueBench bench("core.issue_width=2");
  DynInstId even = bench.add(0, reg(5), 0), odd = bench.add(1, reg(5), 0);
  bench.add(2, reg(5), 0);
  EXPECT_EQ(bench.issueAll(0), 2u); // one of warps 0 and 2, and warp 1
  EXPECT_EQ(bench.issueAll(1), 1u);
  EXPECT_EQ(bench.issueAll(2), 0u);
  Cycle now = 0;
  DynInstId of0 = kNoDynInst, of1 = kNoDynInst;
  for (; now < 50 && (of0 == kNoDynInst || of1 == kNoDynInst); ++now) {
    bench.stage->collect(now);
    of0 = of0 == kNoDynInst ? bench.stage->dispatch(0, now) : of0;
    of1 = of1 == kNoDynInst ? bench.stage->dispatch(1, now) : of1;
  }
  EXPECT_NE(of0, odd);
  EXPECT_EQ(of1, odd);
  EXPECT_NE(even, kNoDynInst);
}

TEST(IssueStage, SlotsGoOnWhereTheSlotBeforeHasBeen) {
  IssueBench bench("core.issue_width=2");
  for (uint32_t warp = 0; warp < 4; ++warp)
    bench.add(warp, reg(5), 0);
  EXPECT_EQ(bench.issueAll(0), 2u);
  // Slot 0 has chosen its second warp; slot 1, with the same last turn, begins with its first.
  EXPECT_TRUE(bench.buffers->empty(2));
  EXPECT_TRUE(bench.buffers->empty(1));
  EXPECT_FALSE(bench.buffers->empty(0));
  EXPECT_FALSE(bench.buffers->empty(3));
}

TEST(IssueStage, OperandsTakeTheLatencyAndACycleForEachBankConflict) {
  for (uint32_t latency : {1u, 3u})
    for (uint8_t conflicts : {uint8_t(0), uint8_t(2)}) {
      IssueBench bench("core.operand_latency=" + std::to_string(latency) +
                       ",core.operand_collectors=1");
      DynInstId id = bench.add(0, reg(5), 0);
      bench.insts[id].staticInst.conflicts = conflicts;
      EXPECT_EQ(bench.issue(10), id);
      EXPECT_EQ(bench.dispatched(id, 10), 11u + latency + conflicts);
      EXPECT_EQ(bench.stage->bankConflicts(), conflicts);
    }
}

TEST(IssueStage, AnInstructionWithoutConflictsOvertakes) {
  IssueBench bench("core.operand_collectors=1");
  DynInstId slow = bench.add(0, reg(5), 0), quick = bench.add(1, reg(5), 0);
  bench.insts[slow].staticInst.conflicts = 3;
  bench.buffers->clear(); // to choose the order: SLOW first
  bench.buffers->push(0, slow);
  bench.stage->updateHead(0);
  bench.stage->updateHead(1);
  EXPECT_EQ(bench.issue(0), slow);
  bench.buffers->push(1, quick);
  bench.stage->updateHead(1);
  EXPECT_EQ(bench.issue(1), quick);
  Cycle first = bench.dispatched(quick, 0);
  EXPECT_GT(bench.dispatched(slow, first + 1), first);
}

TEST(IssueStage, KnowsTheDispatchWhenNothingCanComeBetween) {
  IssueBench bench("core.operand_collectors=1");
  DynInstId slow = bench.add(0, reg(5), 0), first = bench.add(1, reg(5), 0);
  DynInstId second = bench.add(1, reg(6), 0);
  bench.insts[slow].staticInst.conflicts = 2;
  bench.buffers->clear();
  auto issue = [&](uint32_t slot, DynInstId id, Cycle now) {
    bench.buffers->push(slot, id);
    bench.stage->updateHead(0);
    bench.stage->updateHead(1);
    EXPECT_EQ(bench.issue(now), id);
  };
  issue(0, slow, 0);
  EXPECT_FALSE(bench.early.count(slow)); // a later one may overtake it
  issue(1, first, 1);
  EXPECT_TRUE(bench.early.count(first)); // and does
  issue(1, second, 2);
  EXPECT_FALSE(bench.early.count(second)); // in the cycle of the one before
  Cycle due = bench.dispatched(slow, 0);
  EXPECT_LT(bench.early[first], due);
  EXPECT_EQ(bench.dispatched(second, due), due);
}

TEST(IssueStage, AMergedGroupTakesABeatForEachWarp) {
  IssueBench bench("core.operand_collectors=1");
  DynInstId wide = bench.add(0, reg(5), 0), next = bench.add(0, reg(6), 0);
  bench.insts[wide].beats = 2;
  bench.stage->updateHead(0);
  EXPECT_EQ(bench.issue(0), wide);
  EXPECT_EQ(bench.issue(1), kNoDynInst);
  EXPECT_EQ(bench.stage->nextEvent(0), 2u);
  EXPECT_EQ(bench.issue(2), next);
  // The registers of both warps are busy until the commit.
  DynInstId other = bench.add(1, 0, reg(5));
  EXPECT_EQ(bench.issue(3), kNoDynInst);
  bench.stage->release(bench.insts[wide], true);
  EXPECT_EQ(bench.issue(4), other);
}

TEST(IssueStage, SaysWhatTheFirstInstructionWaitsFor) {
  IssueBench bench;
  StallCause cause = StallCause::Fetch;
  uint64_t pc = 0;
  EXPECT_FALSE(bench.stage->isBlocked(cause, pc));
  DynInstId load = bench.add(0, reg(5), 0, isa::Unit::Lsu);
  DynInstId sum = bench.add(0, reg(6), 0), user = bench.add(0, 0, reg(5) | reg(6));
  EXPECT_EQ(bench.issue(0), load);
  EXPECT_EQ(bench.issue(1), sum);
  ASSERT_TRUE(bench.stage->isBlocked(cause, pc));
  EXPECT_EQ(cause, StallCause::Memory);
  EXPECT_EQ(pc, bench.insts[user].life.pc);
  bench.stage->release(bench.insts[load], false);
  ASSERT_TRUE(bench.stage->isBlocked(cause, pc));
  EXPECT_EQ(cause, StallCause::Scoreboard);
  bench.stage->release(bench.insts[sum], false);
  ASSERT_TRUE(bench.stage->isBlocked(cause, pc));
  EXPECT_EQ(cause, StallCause::Operands);
}

TEST(IssueStage, ResetForgetsBusyRegistersAndHeads) {
  IssueBench bench;
  DynInstId writer = bench.add(0, reg(5), 0);
  bench.add(0, 0, reg(5));
  EXPECT_EQ(bench.issue(0), writer);
  bench.stage->reset();
  EXPECT_EQ(bench.stage->nextEvent(1), kNever);
  bench.buffers->clear();
  DynInstId reader = bench.add(0, 0, reg(5));
  EXPECT_EQ(bench.issue(1), reader);
}

} // namespace
} // namespace vx::sim
