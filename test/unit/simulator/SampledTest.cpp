// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sampled mode: where windows are, what is made of them, and runs compared with those of timing
// mode.

#include "simulator/api/TrapText.h"
#include "simulator/sampled/SampleCounters.h"
#include "simulator/sampled/SampleEstimate.h"
#include "simulator/sampled/SamplePlan.h"
#include "test/unit/simulator/Program.h"
#include <cmath>

namespace vx::sim {
namespace {

using namespace test;

constexpr SampleShape kShape{1000, 40, 10, 0, 0, 200, 800, true};

TEST(SamplePlan, EachPeriodHasOneWindowWithItsWarmup) {
  SamplePlan plan(kShape, 1);
  uint64_t before = 1000;
  std::set<uint64_t> places;
  for (int i = 0; i < 200; ++i, plan.next(1)) {
    EXPECT_EQ(plan.begin(), before);
    EXPECT_GE(plan.warmupBegin(), plan.begin());
    EXPECT_EQ(plan.windowBegin() - plan.warmupBegin(), 10u);
    EXPECT_EQ(plan.windowEnd() - plan.windowBegin(), 40u);
    EXPECT_LE(plan.windowEnd(), plan.end());
    places.insert(plan.windowBegin() - plan.begin());
    before = plan.end();
  }
  EXPECT_GT(places.size(), 100u);
}

TEST(SamplePlan, PeriodsGrowAsLongAsTheEstimateIsGoodEnough) {
  SamplePlan plan(kShape, 1);
  auto lengthAfter = [&](int periods, double confidence) {
    for (int i = 0; i < periods; ++i)
      plan.next(confidence);
    return plan.end() - plan.begin();
  };
  EXPECT_EQ(lengthAfter(7, 1), 200u);
  EXPECT_EQ(lengthAfter(1, 1), 400u);
  EXPECT_EQ(lengthAfter(8, 1), 800u);
  EXPECT_EQ(lengthAfter(100, 0.02), 800u);
  EXPECT_EQ(lengthAfter(1, 0.001), 1600u);
  EXPECT_EQ(lengthAfter(100, 0.001), 1600u);
  plan.restart(7000000);
  EXPECT_EQ(plan.begin(), 7000000u);
  EXPECT_EQ(plan.warmupBegin(), 7000000u);
  EXPECT_EQ(plan.end() - plan.begin(), 200u);
  plan.start();
  EXPECT_EQ(plan.begin(), 1000u);
}

TEST(SamplePlan, TheSeedDecidesWhereWindowsAre) {
  auto places = [](uint64_t seed) {
    SamplePlan plan(kShape, seed);
    std::vector<uint64_t> result;
    for (int i = 0; i < 20; ++i, plan.next(1))
      result.push_back(plan.windowBegin());
    return result;
  };
  EXPECT_EQ(places(1), places(1));
  EXPECT_NE(places(1), places(2));
}

TEST(SampleEstimate, AddsUpWhatWindowsStandFor) {
  SampleEstimate estimate;
  estimate.setWhole(100, 250);
  EXPECT_DOUBLE_EQ(estimate.lastRate(), 2.5);
  estimate.add(1000, 10, 30); // 3 cycles per instruction
  estimate.add(2000, 10, 50); // 5
  EXPECT_DOUBLE_EQ(estimate.cycles(), 250 + 3000 + 10000);
  // The only difference is 2, half its square 2; less what has been measured.
  EXPECT_DOUBLE_EQ(estimate.stats().variance, 2 * (1e6 * 0.99 + 4e6 * 0.995));
  EXPECT_EQ(estimate.stats().windows, 2u);
  estimate.extend(-100);
  EXPECT_DOUBLE_EQ(estimate.cycles(), 250 + 3000 + 9500);
}

TEST(SampleEstimate, ExactPartsStandForThemselves) {
  SampleEstimate estimate;
  estimate.setWhole(100, 250);
  estimate.add(1000, 10, 30);
  estimate.addExact(77);
  estimate.add(1000, 10, 30);
  EXPECT_DOUBLE_EQ(estimate.cycles(), 250 + 77 + 6000);
  EXPECT_EQ(estimate.confidence(), 0);
}

TEST(SampleEstimate, ASlowChangeIsNoUncertainty) {
  SampleEstimate slow, wild;
  slow.setWhole(100, 100);
  wild.setWhole(100, 100);
  for (unsigned i = 0; i < 100; ++i) {
    slow.add(10000, 1000, 1000 + 10 * i);
    wild.add(10000, 1000, 1000 + 10 * (i * 37 % 100));
  }
  EXPECT_NEAR(slow.cycles(), wild.cycles(), 1);
  EXPECT_LT(slow.confidence(), 0.002);
  EXPECT_GT(wild.confidence(), 0.03);
}

TEST(SampleEstimate, FewerThanTwoWindowsSayNothingAboutTheRest) {
  SampleEstimate estimate;
  estimate.setWhole(1000, 2000);
  estimate.extend(500);
  EXPECT_DOUBLE_EQ(estimate.cycles(), 3000);
  SampleStats stats = estimate.stats();
  EXPECT_EQ(stats.variance, 1e6);
  EXPECT_GT(stats.confidence(), 1000);
}

TEST(SampleEstimate, ConfidenceIsStudents) {
  auto quantile = [](uint64_t windows) { return SampleStats{1, windows, 0, 1}.confidence(); };
  EXPECT_NEAR(quantile(4), 4.303, 0.001);  // 2 degrees
  EXPECT_NEAR(quantile(10), 2.447, 0.007); // 6
  EXPECT_NEAR(quantile(16), 2.228, 0.003); // 10
  EXPECT_NEAR(quantile(46), 2.042, 0.001); // 30
  EXPECT_NEAR(quantile(100000), 1.960, 0.001);
  EXPECT_EQ(SampleStats{}.confidence(), 0);
}

TEST(SampleCounters, WindowsStandForTheirPeriods) {
  SampleCounters counters;
  DeviceCounts counts;
  counts.cores.resize(1);
  CoreStats &core = counts.cores[0];
  core.issued = 7; // of earlier runs
  counters.start(counts);
  core.issued += 100;
  core.loads += 5;
  counters.endWhole(counts);
  core.issued += 50; // a warm-up
  counters.beginWindow(counts);
  core.issued += 20;
  counts.memory.dramReads += 3;
  core.loads += 1000; // executed functionally
  counters.endWindow(counts, 10);
  counters.beginWindow(counts);
  core.issued += 4;
  counters.endExact(counts);
  counters.extend(0.5);
  DeviceCounts all = counters.finish(counts);
  EXPECT_EQ(all.cores[0].issued, 7u + 100 + 200 + 4 + 10);
  EXPECT_EQ(all.memory.dramReads, 32u); // 30 and 1.5, rounded
  EXPECT_EQ(all.cores[0].loads, 1005u);
}

/// All lanes of all warps: a loop of COUNT rounds of 4096 with loads, stores and a shared line.
Program loopProgram(unsigned count) {
  Program p;
  p.startAll();
  p.op(Op::LUI, {.rd = kA0, .imm = int64_t(count) << 12});
  int64_t loop = p.here();
  p.op(Op::ANDI, {.rd = kT0, .rs1 = kA0, .imm = 0x1f8});
  p.csr(kT1, VX_CSR_MSCRATCH);
  p.op(Op::ADD, {.rd = kT0, .rs1 = kT0, .rs2 = kT1});
  p.op(Op::LD, {.rd = kT2, .rs1 = kT0});
  p.op(Op::MUL, {.rd = kT2, .rs1 = kT2, .rs2 = kA0});
  p.op(Op::SD, {.rs1 = kS1, .rs2 = kT2});
  p.op(Op::ADDI, {.rd = kA0, .rs1 = kA0, .imm = -1});
  p.op(Op::BNE, {.rs1 = kA0, .rs2 = kZero, .imm = loop - p.here()});
  return p;
}

/// Each round of ROUNDS is two loops followed by a barrier, the second with divisions.
Program phasesProgram(unsigned rounds) {
  Program p;
  p.startAll();
  p.li(kA0, rounds);
  int64_t round = p.here();
  for (Op op : {Op::ADD, Op::DIVU}) {
    p.op(Op::LUI, {.rd = kA1, .imm = 4096});
    int64_t loop = p.here();
    p.op(op, {.rd = kT2, .rs1 = kT2, .rs2 = kA0});
    p.op(Op::ADDI, {.rd = kA1, .rs1 = kA1, .imm = -1});
    p.op(Op::BNE, {.rs1 = kA1, .rs2 = kZero, .imm = loop - p.here()});
  }
  p.li(kT0, 0).li(kT1, 4).op(Op::VX_BAR, {.rs1 = kT0, .rs2 = kT1});
  p.op(Op::ADDI, {.rd = kA0, .rs1 = kA0, .imm = -1});
  p.op(Op::BNE, {.rs1 = kA0, .rs2 = kZero, .imm = round - p.here()});
  return p;
}

constexpr char kSampled[] =
    "run.mode=sampled,core.num_threads=8,sample.whole=10000,sample.window=1000,sample.warmup=250";

TEST(Sampled, ShortRunsAreExact) {
  Program program = loopProgram(1).end();
  Machine exact(program, "run.mode=timing,core.num_threads=8");
  Machine sampled(program, "run.mode=sampled,core.num_threads=8");
  exact.simulator->run();
  sampled.simulator->run();
  Stats stats = sampled.simulator->stats();
  EXPECT_TRUE(stats.sampled);
  EXPECT_EQ(stats.sample.runs, 0u);
  EXPECT_EQ(stats.sample.confidence(), 0);
  stats.sampled = false;
  EXPECT_EQ(exact.simulator->stats().toJson(), stats.toJson());
}

TEST(Sampled, LongRunsAreEstimated) {
  for (const char *machine :
       {"", ",num_cores=4", ",core.num_warps=16", ",memory.perfect=true",
        ",num_cores=2,l2.enabled=true,dcache.write=back", ",core.divergence=paths"}) {
    SCOPED_TRACE(machine);
    Program program = loopProgram(10).end();
    std::string settings = kSampled + std::string(machine);
    Machine exact(program, (settings + ",run.mode=timing").c_str());
    Machine sampled(program, settings.c_str()), again(program, settings.c_str());
    EXPECT_EQ(exact.simulator->run().trap.cause, TrapCause::None);
    EXPECT_EQ(sampled.simulator->run().trap.cause, TrapCause::None);
    again.simulator->run();
    const Stats &e = exact.simulator->stats(), &s = sampled.simulator->stats();
    EXPECT_EQ(s.toJson(), again.simulator->stats().toJson());
    EXPECT_EQ(s.sample.runs, 1u);
    EXPECT_GT(s.sample.windows, 10u);
    EXPECT_LT(s.sample.detailed, s.warpInstructions / 3);
    EXPECT_EQ(s.warpInstructions, e.warpInstructions);
    EXPECT_EQ(s.threadInstructions, e.threadInstructions);
    EXPECT_EQ(s.cores[0].loads, e.cores[0].loads);
    EXPECT_NEAR(double(s.cycles), double(e.cycles), 0.02 * double(e.cycles));
    EXPECT_NEAR(double(s.cores[0].issued), double(e.cores[0].issued),
                0.02 * double(e.cores[0].issued));
    const CoreStats &c = s.cores[0];
    uint64_t all = c.issued + c.stallFetch + c.stallControl + c.stallBarrier + c.stallScoreboard +
                   c.stallMemory + c.stallOperands;
    EXPECT_NEAR(double(all), double(c.cycles), 0.02 * double(c.cycles));
    EXPECT_EQ(exact.field(7, 3), sampled.field(7, 3));
  }
}

TEST(Sampled, WhereCodeChangesItIsSimulated) {
  constexpr unsigned rounds = 40, phases = 2 * rounds;
  Program program = phasesProgram(rounds).end();
  Machine exact(program, (std::string(kSampled) + ",run.mode=timing").c_str());
  Machine sampled(program, kSampled);
  EXPECT_EQ(exact.simulator->run().trap.cause, TrapCause::None);
  EXPECT_EQ(sampled.simulator->run().trap.cause, TrapCause::None);
  const Stats &e = exact.simulator->stats(), &s = sampled.simulator->stats();
  EXPECT_EQ(s.warpInstructions, e.warpInstructions);
  EXPECT_NEAR(double(s.cycles), double(e.cycles), 0.02 * double(e.cycles));
  constexpr uint64_t whole = 10000, window = 1250, transition = 3 * 250;
  uint64_t windows = s.sample.windows * window, transitions = s.sample.detailed - whole - windows;
  EXPECT_GT(transitions, phases / 2 * transition);
  EXPECT_LT(transitions, 2 * phases * transition);
}

TEST(Sampled, RunsOfADeviceAddUp) {
  Machine m(loopProgram(10).end(), kSampled);
  m.simulator->run();
  Stats first = m.simulator->stats();
  m.simulator->run();
  Stats second = m.simulator->stats().since(first);
  EXPECT_EQ(m.simulator->stats().sample.runs, 2u);
  EXPECT_EQ(second.sample.runs, 1u);
  EXPECT_NEAR(double(second.cycles), double(first.cycles), 0.02 * double(first.cycles));
  EXPECT_NEAR(double(second.memory.dcacheReads), double(first.memory.dcacheReads),
              0.02 * double(first.memory.dcacheReads));
  m.simulator->resetStats();
  EXPECT_EQ(m.simulator->stats().cycles, 0u);
  m.simulator->run();
  EXPECT_NEAR(double(m.simulator->stats().memory.dcacheReads), double(first.memory.dcacheReads),
              0.02 * double(first.memory.dcacheReads));
}

/// The fault of a run, in words; the loop is long enough for it to happen between windows.
std::string faultOf(const Program &program, const std::string &settings = "") {
  Machine m(program, (std::string(kSampled) + ",sample.period=100000000" + settings).c_str());
  return formatTrap(m.simulator->run().trap, nullptr, 64);
}

TEST(Sampled, FaultsBetweenWindowsAreReported) {
  EXPECT_NE(
      faultOf(loopProgram(4).op(Op::LD, {.rd = kT0, .rs1 = kZero})).find("illegal memory access"),
      std::string::npos);
  Program halves = loopProgram(4); // each waits at a barrier of its own for all
  halves.csr(kT0, VX_CSR_WARP_ID).op(Op::ANDI, {.rd = kT0, .rs1 = kT0, .imm = 1}).li(kT1, 4);
  halves.op(Op::VX_BAR, {.rs1 = kT0, .rs2 = kT1}).end();
  EXPECT_NE(faultOf(halves).find("barrier deadlock"), std::string::npos);
  EXPECT_NE(
      faultOf(loopProgram(100).end(), ",run.max_instructions=200000").find("run limit reached"),
      std::string::npos);
  EXPECT_NE(faultOf(loopProgram(100).end(), ",run.max_cycles=300000").find("run limit reached"),
            std::string::npos);
}

TEST(Sampled, TheProgramEndsBetweenWindows) {
  Machine m(loopProgram(4).li(10, 9).exit(),
            (std::string(kSampled) + ",sample.period=100000000").c_str());
  EXPECT_EQ(m.simulator->run().exitCode, 9);
  EXPECT_GT(m.simulator->stats().sample.confidence(), 0); // nothing is known of the rest
}

TEST(Sampled, ReportsOfSingleInstructionsAreRefused) {
  for (const char *report :
       {"trace.commit=x", "trace.konata=x", "profile.output=x", "debug.gdb=1"}) {
    SimConfig config;
    EXPECT_TRUE(bool(config.applyList(std::string("run.mode=sampled,") + report)));
    EXPECT_FALSE(bool(Simulator::create(config))) << report;
  }
}

} // namespace
} // namespace vx::sim
