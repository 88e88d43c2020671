// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core's pipeline to the cycle, on a memory in which everything hits: distances between
// instructions that depend on each other, share a bank, follow a branch or wait for a barrier. Each
// distance is tested as an equality, so a cycle less or more fails.

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
  void stalled(uint32_t, StallCause cause, uint64_t, Cycle, Cycle cycles) override {
    stalls[unsigned(cause)] += cycles;
  }
  void runEnded(Cycle cycles) override { total = cycles; }

  /// The instructions of WARP with operation OP, in program order.
  std::vector<InsnLife> of(Op op, uint32_t warp = 0) const {
    std::vector<InsnLife> found;
    for (const InsnLife &life : lives)
      if (life.op == op && life.warp == warp)
        found.push_back(life);
    std::sort(found.begin(), found.end(),
              [](const InsnLife &a, const InsnLife &b) { return a.id < b.id; });
    return found;
  }

  std::vector<InsnLife> lives;
  std::array<Cycle, kStallCauses> stalls{};
  Cycle total = 0;
};

struct Measured {
  Recorder record;
  Stats stats;
};

Measured runOf(const Program &program, const std::string &settings = "core.num_threads=8") {
  Machine machine(
      program,
      ("run.mode=timing,memory.perfect=true,run.max_cycles=100000,isa.warp=warp," + settings)
          .c_str());
  Measured run;
  static_cast<TimingSimulator &>(*machine.simulator).setObserver(&run.record);
  RunResult result = machine.simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::None) << result.trap.detail;
  run.stats = machine.simulator->stats();
  return run;
}

/// Cycles from the issue of the first OP to that of the second, which needs its result.
Cycle dependentDistance(Op op, Operands operands, const std::string &settings) {
  Program p;
  p.csr(kT2, VX_CSR_MSCRATCH).op(Op::SD, {.rs1 = kT2, .rs2 = kT2}).li(kT0, 1).li(kT1, 1);
  for (int i = 0; i < 8; ++i)
    p.op(Op::ADDI, {.rd = kZero, .rs1 = kZero}); // what came before has been committed
  p.op(op, operands).op(op, operands).end();
  std::vector<InsnLife> pair = runOf(p, settings).record.of(op);
  EXPECT_EQ(pair.size(), 2u);
  return pair.size() == 2 ? pair[1].issued - pair[0].issued : 0;
}

struct Latency {
  Op op;
  Operands operands;
  std::string settings;
  Cycle distance;
};

TEST(CoreTiming, DependentInstructionsAreALatencyApart) {
  const Operands x{.rd = kT0, .rs1 = kT0, .rs2 = kT1};
  const Operands f{.rd = 10, .rs1 = 10, .rs2 = 11, .rs3 = 12};
  const Operands load{.rd = kT2, .rs1 = kT2};
  const Latency table[] = {
      {Op::ADD, x, "core.num_warps=4", 10},
      {Op::ADD, x, "alu.latency=3", 11},
      {Op::MUL, x, "core.num_warps=4", 10},
      {Op::MUL, x, "alu.mul_latency=5", 13},
      {Op::DIV, x, "core.num_warps=4", 74},
      {Op::DIV, x, "alu.div_latency=20", 28},
      {Op::FMADD_S, f, "core.num_warps=4", 14},
      {Op::FMADD_S, f, "fpu.fma_latency=7", 15},
      {Op::FDIV_S, f, "core.num_warps=4", 26},
      {Op::FSQRT_S, f, "fpu.sqrt_latency=30", 38},
      {Op::FMIN_S, f, "core.num_warps=4", 12},
      {Op::LD, load, "core.num_warps=4", 19},
      // Two collectors: a stage before and one after them.
      {Op::ADD, x, "core.num_warps=8", 12},
      {Op::ADD, x, "core.operand_latency=3", 11},
      {Op::ADD, x, "core.dispatch_latency=4", 12},
  };
  for (const Latency &row : table) {
    SCOPED_TRACE(std::string(isa::info(row.op).mnemonic) + " " + row.settings);
    EXPECT_EQ(dependentDistance(row.op, row.operands, row.settings + ",core.num_threads=8"),
              row.distance);
  }
}

TEST(CoreTiming, AWarpIsScheduledAgainAfterDecodeOrWhenItsBranchIsExecuted) {
  Program p;
  for (unsigned i = 0; i < 6; ++i)
    p.li(kA0 + i, 0);
  p.op(Op::BNE, {.rs1 = kZero, .rs2 = kZero, .imm = 8}).li(kA1, 1).end();
  Measured run = runOf(p);
  std::vector<InsnLife> plain = run.record.of(Op::ADDI), branch = run.record.of(Op::BNE);
  for (size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(plain[i].scheduled - plain[i - 1].scheduled, 7u);
    EXPECT_EQ(plain[i].scheduled, plain[i - 1].decoded);
  }
  EXPECT_EQ(plain[6].scheduled - branch[0].scheduled, 15u);
  EXPECT_EQ(plain[6].scheduled, branch[0].executed);
}

TEST(CoreTiming, SourcesInOneBankCostACycleEach) {
  auto collected = [](unsigned a, unsigned b, unsigned c, const std::string &settings) {
    Program p;
    p.op(Op::FMADD_S, {.rd = 1, .rs1 = a, .rs2 = b, .rs3 = c}).end();
    InsnLife life = runOf(p, settings).record.of(Op::FMADD_S)[0];
    return life.dispatched - life.issued;
  };
  EXPECT_EQ(collected(4, 5, 6, "core.num_threads=8"), 3u);
  EXPECT_EQ(collected(4, 8, 6, "core.num_threads=8"), 4u);
  EXPECT_EQ(collected(4, 8, 12, "core.num_threads=8"), 6u);
  EXPECT_EQ(collected(4, 4, 4, "core.num_threads=8"), 6u);
  EXPECT_EQ(collected(4, 8, 12, "core.register_banks=8"), 4u);
}

TEST(CoreTiming, NarrowUnitsTakeAPacketPerCycle) {
  auto executed = [](int64_t mask, const std::string &settings) {
    Program p;
    p.li(kT0, mask).tmc(kT0).op(Op::ADD, {.rd = kT1, .rs1 = kT0, .rs2 = kT0}).end();
    InsnLife life = runOf(p, "core.num_threads=8," + settings).record.of(Op::ADD)[0];
    return life.executed - life.dispatched;
  };
  Cycle wide = executed(0xff, "alu.lanes=8");
  EXPECT_EQ(wide, 4u);
  EXPECT_EQ(executed(0xff, "alu.lanes=4"), wide + 1);
  EXPECT_EQ(executed(0xff, "alu.lanes=1"), wide + 7);
  // Packets without an active lane are left out.
  EXPECT_EQ(executed(0x0f, "alu.lanes=4"), wide);
  EXPECT_EQ(executed(0x81, "alu.lanes=1"), wide + 1);
}

TEST(CoreTiming, AFullLoadTableHoldsUpTheLoadStoreUnit) {
  auto third = [](unsigned entries) {
    Program p;
    p.csr(kT2, VX_CSR_MSCRATCH);
    for (int i = 0; i < 8; ++i)
      p.op(Op::ADDI, {.rd = kZero, .rs1 = kZero});
    for (unsigned i = 0; i < 3; ++i)
      p.op(Op::LD, {.rd = kA0 + i, .rs1 = kT2, .imm = int64_t(i) * 64});
    p.end();
    std::vector<InsnLife> loads =
        runOf(p, "lsu.pending_loads=" + std::to_string(entries)).record.of(Op::LD);
    return loads[2].executed - loads[0].executed;
  };
  EXPECT_EQ(third(3), 14u); // as fast as they are fetched
  EXPECT_EQ(third(2), 14u); // the first has just been answered: it takes 10 cycles
  EXPECT_EQ(third(1), 20u); // two answers later
}

TEST(CoreTiming, DispatchersOfSharedUnitsLookAtOneIssueSlotPerCycle) {
  Program p;
  p.startAll();
  for (int i = 0; i < 8; ++i)
    p.csr(kA0 + unsigned(i), VX_CSR_WARP_ID);
  p.end();
  for (uint32_t width : {1u, 2u, 4u}) {
    Measured run = runOf(p, "core.num_threads=8,core.issue_width=" + std::to_string(width));
    unsigned late = 0;
    for (uint32_t warp = 0; warp < 4; ++warp)
      for (const InsnLife &life : run.record.of(Op::CSRRS, warp)) {
        EXPECT_EQ((life.executed - 3) % width,
                  warp % width); // it left the dispatcher 3 cycles before
        EXPECT_GE(life.executed, life.dispatched + 4);
        late += life.executed > life.dispatched + 4;
      }
    EXPECT_EQ(late != 0, width != 1);
  }
}

TEST(CoreTiming, LoadsThatWaitHoldUpTheirIssueSlotOnly) {
  auto overtakes = [](uint32_t width) {
    Program p;
    p.startAll().csr(kT0, VX_CSR_WARP_ID).op(Op::ANDI, {.rd = kT0, .rs1 = kT0, .imm = 1});
    p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = 7 * 4}); // warps 1 and 3: no loads
    for (int i = 0; i < 6; ++i)
      p.op(Op::LD, {.rd = kA0 + unsigned(i), .rs1 = kS1});
    for (int i = 0; i < 6; ++i)
      p.op(Op::SD, {.rs1 = kS1, .rs2 = kZero});
    p.end();
    Measured run = runOf(p, "core.num_threads=8,lsu.pending_loads=1,core.issue_width=" +
                                std::to_string(width));
    bool any = false;
    for (const InsnLife &load : run.record.of(Op::LD, 0))
      for (const InsnLife &store : run.record.of(Op::SD, 1))
        any |= store.dispatched > load.dispatched && store.executed < load.executed;
    return any;
  };
  EXPECT_FALSE(overtakes(1));
  EXPECT_TRUE(overtakes(2));
}

/// All warps wait at a barrier twice; warp 3 comes DELAY instructions late.
Program barrierProgram(unsigned delay) {
  Program p;
  p.startAll().csr(kT0, VX_CSR_WARP_ID).li(kT1, 3);
  p.op(Op::BNE, {.rs1 = kT0, .rs2 = kT1, .imm = int64_t(delay + 1) * 4});
  for (unsigned i = 0; i < delay; ++i)
    p.li(kA0, 0);
  p.csr(kT0, VX_CSR_NUM_WARPS).op(Op::VX_BAR, {.rs1 = kZero, .rs2 = kT0}).li(kA1, 1);
  return p.end();
}

TEST(CoreTiming, ABarrierReleasesAllWarpsWhenTheLastOneReachesTheUnit) {
  for (unsigned delay : {0u, 1u, 9u, 30u}) {
    SCOPED_TRACE(delay);
    Measured run = runOf(barrierProgram(delay), "core.num_threads=8,core.num_warps=4");
    Cycle last = 0;
    std::vector<Cycle> resumed;
    for (uint32_t warp = 0; warp < 4; ++warp) {
      last = std::max(last, run.record.of(Op::VX_BAR, warp)[0].executed);
      for (const InsnLife &life : run.record.of(Op::ADDI, warp))
        if ((life.word >> 7 & 31) == kA1)
          resumed.push_back(life.scheduled);
    }
    // One warp is scheduled per cycle, the lowest first.
    EXPECT_EQ(resumed, (std::vector<Cycle>{last, last + 1, last + 2, last + 3}));
  }
}

TEST(CoreTiming, GlobalBarriersReleaseOtherCores) {
  Program p;
  p.csr(kT0, VX_CSR_CORE_ID);
  p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = 4 * 10});
  for (int i = 0; i < 9; ++i)
    p.li(kA0, 0);
  p.op(Op::LUI, {.rd = kT1, .imm = -0x80000000ll}).li(kT2, 2);
  p.op(Op::VX_BAR, {.rs1 = kT1, .rs2 = kT2}).li(kA1, 1).end();
  Measured run = runOf(p, "num_cores=2,core.num_warps=2");
  Cycle last = 0;
  std::vector<Cycle> resumed;
  for (const InsnLife &life : run.record.lives) {
    if (life.op == Op::VX_BAR)
      last = std::max(last, life.executed);
    if (life.op == Op::ADDI && (life.word >> 7 & 31) == kA1)
      resumed.push_back(life.scheduled);
  }
  ASSERT_EQ(resumed.size(), 2u);
  EXPECT_EQ(*std::min_element(resumed.begin(), resumed.end()), last);
  // Core 0 has been ticked when core 1 arrives: it sees that in the next cycle.
  EXPECT_EQ(*std::max_element(resumed.begin(), resumed.end()), last + 1);
}

TEST(CoreTiming, BothSidesOfADivergentSplitRun) {
  auto cycles = [](int64_t condition) {
    Program p;
    p.li(kT0, -1).tmc(kT0).csr(kT0, VX_CSR_THREAD_ID);
    p.op(Op::ANDI, {.rd = kT1, .rs1 = kT0, .imm = condition});
    p.op(Op::VX_SPLIT, {.rd = kT2, .rs1 = kT1});
    p.op(Op::ANDI, {.rd = kT1, .rs1 = kT1, .imm = 1});
    p.op(Op::BEQ, {.rs1 = kT1, .rs2 = kZero, .imm = 12}).li(kA0, 1).li(kA0, 2);
    p.op(Op::VX_JOIN, {.rs1 = kT2}).end();
    return runOf(p).record.total;
  };
  Cycle uniform = cycles(0), divergent = cycles(1);
  // More: two li, the first join, and for the other side andi and the beq that waits for it.
  constexpr Cycle plain = 7, control = 15, dependent = 10;
  EXPECT_EQ(divergent - uniform, 2 * plain + control + dependent + control);
}

TEST(CoreTiming, PoliciesChooseWarps) {
  auto order = [](const std::string &policy) {
    Program p;
    p.startAll();
    for (int i = 0; i < 12; ++i)
      p.op(Op::SLTI, {.rd = kA0, .rs1 = kZero, .imm = i});
    p.end();
    Measured run = runOf(
        p, "core.num_threads=4,core.num_warps=16,core.scheduler_group=8,core.scheduler=" + policy);
    std::vector<Cycle> ends;
    for (uint32_t warp : {0u, 15u})
      ends.push_back(run.record.of(Op::SLTI, warp).back().scheduled);
    return ends;
  };
  std::vector<Cycle> fixed = order("fixed"), inTurn = order("round_robin");
  EXPECT_GT(fixed[1], fixed[0] + 90);   // the last warp gets what others leave
  EXPECT_LT(inTurn[1], inTurn[0] + 30); // all at the same pace
  std::vector<Cycle> oldest = order("oldest_first"), twoLevel = order("two_level");
  EXPECT_LT(oldest[1], oldest[0] + 30);
  EXPECT_GT(twoLevel[1], twoLevel[0] + 60); // the first group comes first
}

TEST(CoreTiming, EveryCycleIssuesOrHasACause) {
  for (unsigned delay : {0u, 30u}) {
    Measured run = runOf(barrierProgram(delay), "core.num_threads=8,core.num_warps=4");
    Cycle idle = 0;
    for (Cycle cycles : run.record.stalls)
      idle += cycles;
    const CoreStats &core = run.stats.cores[0];
    EXPECT_EQ(idle + core.issued, run.record.total);
    EXPECT_EQ(core.stallFetch + core.stallControl + core.stallBarrier + core.stallScoreboard +
                  core.stallMemory + core.stallOperands + core.issued,
              core.cycles);
    EXPECT_EQ(core.issued, core.warpInstructions);
    EXPECT_EQ(run.stats.cycles, run.record.total);
  }
}

} // namespace
