// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx_tile: groups of every size on every shape, groups that are left out. 64 threads each.

#include "simulator/api/TrapText.h"
#include "test/unit/simulator/Program.h"
#include <numeric>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

constexpr unsigned kThreads = 64;
constexpr unsigned kLanes[] = {1, 2, 4, 8, 16, 32};
constexpr unsigned kSizes[] = {4, 8, 16, 32};

uint64_t lowBits(unsigned count) {
  return (uint64_t(1) << count) - 1;
}

std::string shape(unsigned lanes, const std::string &more = "") {
  return "core.num_threads=" + std::to_string(lanes) +
         ",core.num_warps=" + std::to_string(kThreads / lanes) + ",run.max_instructions=100000" +
         (more.empty() ? "" : "," + more);
}

/// Records thread id, warp id and active threads in FIELD and the two after it.
Program &recordGroup(Program &p, unsigned field) {
  p.csr(kT0, VX_CSR_THREAD_ID).record(field, kT0);
  p.csr(kT0, VX_CSR_WARP_ID).record(field + 1, kT0);
  return p.csr(kT0, VX_CSR_ACTIVE_THREADS).record(field + 2, kT0);
}

void expectGroup(Machine &m, unsigned field, unsigned hart, unsigned size, unsigned lanes) {
  EXPECT_EQ(m.field(field, hart), hart % size) << "hart " << hart;
  EXPECT_EQ(m.field(field + 1, hart), hart / size * size / lanes) << "hart " << hart;
  EXPECT_EQ(m.field(field + 2, hart), lowBits(size)) << "hart " << hart;
}

/// Runs P on warps of LANES lanes; it must end without a trap.
void runToEnd(Machine &m) {
  RunResult result = m.simulator->run();
  ASSERT_EQ(result.trap.cause, TrapCause::None) << formatTrap(result.trap, nullptr, 64);
}

TEST(Tile, EverySizeOnEveryShape) {
  for (unsigned lanes : kLanes)
    for (unsigned size : kSizes) {
      SCOPED_TRACE(std::to_string(size) + " on " + std::to_string(lanes));
      Program p;
      p.startAll().tile(allGroups(size), size);
      recordGroup(p, 0).end();
      Machine m(p, shape(lanes).c_str());
      runToEnd(m);
      for (unsigned hart = 0; hart < kThreads; ++hart)
        expectGroup(m, 0, hart, size, lanes);
    }
}

TEST(Tile, FromEverySizeToEveryOther) {
  for (unsigned lanes : kLanes)
    for (unsigned from : kSizes)
      for (unsigned to : kSizes) {
        SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to) + " on " +
                     std::to_string(lanes));
        Program p;
        p.startAll().tile(allGroups(from), from).tile(allGroups(to), to);
        recordGroup(p, 0).tile(allGroups(from), from);
        recordGroup(p, 3).end();
        Machine m(p, shape(lanes, "run.quantum=3").c_str());
        runToEnd(m);
        for (unsigned hart = 0; hart < kThreads; ++hart) {
          expectGroup(m, 0, hart, to, lanes);
          expectGroup(m, 3, hart, from, lanes);
        }
      }
}

TEST(Tile, GroupsLeftOutWaitForTheTileThatNamesThem) {
  for (unsigned lanes : kLanes)
    for (unsigned size : kSizes) {
      if (size == 32)
        continue; // nothing is left out
      SCOPED_TRACE(std::to_string(size) + " on " + std::to_string(lanes));
      Program p;
      p.startAll().tile(0x80, 32).tile(0x80, size).li(kA0, 1).record(0, kA0);
      p.tile(allGroups(size), size).li(kA0, 2).record(1, kA0);
      recordGroup(p, 2).end();
      Machine m(p, shape(lanes).c_str());
      runToEnd(m);
      for (unsigned hart = 0; hart < kThreads; ++hart) {
        EXPECT_EQ(m.field(0, hart), hart % 32 < size ? 1u : 0u) << hart;
        EXPECT_EQ(m.field(1, hart), 2u) << hart;
        expectGroup(m, 2, hart, size, lanes);
      }
    }
}

TEST(Tile, ALargerTileTakesSuspendedGroupsIn) {
  for (unsigned lanes : kLanes) {
    SCOPED_TRACE(lanes);
    Program p;
    // Plain warps: those that reach the vx_tile and are not named are suspended one by one.
    p.startAll().tile(0x80, 8).li(kA0, 1).record(0, kA0);
    p.tile(0x80, 32);
    recordGroup(p, 1).end();
    Machine m(p, shape(lanes, "run.quantum=1").c_str());
    runToEnd(m);
    for (unsigned hart = 0; hart < kThreads; ++hart) {
      EXPECT_EQ(m.field(0, hart), hart % 32 < 8 ? 1u : 0u) << hart;
      expectGroup(m, 1, hart, 32, lanes);
    }
  }
}

TEST(Tile, GroupsTakeTurns) {
  // The first group hands over to the second, which hands over to both.
  for (unsigned lanes : kLanes) {
    SCOPED_TRACE(lanes);
    Program p;
    p.startAll().li(kA0, 0).tile(0x80, 32).tile(0x80, 16);
    p.op(Op::ADDI, {.rd = kA0, .rs1 = kA0, .imm = 1}).tile(0x08, 16);
    p.op(Op::ADDI, {.rd = kA0, .rs1 = kA0, .imm = 2}).tile(0x88, 16);
    p.op(Op::ADDI, {.rd = kA0, .rs1 = kA0, .imm = 4}).record(0, kA0).end();
    Machine m(p, shape(lanes).c_str());
    runToEnd(m);
    for (unsigned hart = 0; hart < kThreads; ++hart)
      EXPECT_EQ(m.field(0, hart), hart % 32 < 16 ? 5u : 6u) << hart;
  }
}

TEST(Tile, ASuspendedGroupIsCutUp) {
  for (unsigned lanes : kLanes) {
    SCOPED_TRACE(lanes);
    Program p;
    p.startAll().tile(0x80, 32).tile(0x80, 16).tile(0xfb, 4); // threads 20…23 stay suspended
    recordGroup(p, 0).tile(0x80, 32).end();
    Machine m(p, shape(lanes).c_str());
    runToEnd(m);
    for (unsigned hart = 0; hart < kThreads; ++hart)
      if (hart % 32 / 4 != 5)
        expectGroup(m, 0, hart, 4, lanes);
      else
        EXPECT_EQ(m.field(2, hart), 0u);
  }
}

TEST(Tile, TheRoundingModeIsThatOfTheLowestGroupThatTakesPart) {
  constexpr int frm = 0x002;
  for (unsigned lanes : kLanes) {
    SCOPED_TRACE(lanes);
    Program p;
    // Threads 0…3 of each span are suspended; of the others, threads 4…7 have mode 1, the rest 0.
    p.startAll().tile(0x80, 32).tile(0x7f, 4).csr(kA0, VX_CSR_MHARTID);
    p.op(Op::ANDI, {.rd = kA0, .rs1 = kA0, .imm = 31});
    p.op(Op::SLTIU, {.rd = kA0, .rs1 = kA0, .imm = 8});
    p.op(Op::CSRRW, {.rd = 0, .rs1 = kA0, .imm = frm});
    p.tile(0x80, 32).csr(kA0, frm).record(0, kA0).end();
    Machine m(p, shape(lanes).c_str());
    runToEnd(m);
    for (unsigned hart = 0; hart < kThreads; ++hart)
      EXPECT_EQ(m.field(0, hart), 1u) << hart;
  }
}

TEST(Tile, PartialGroups) {
  // Threads 0…9 of each 32 are active. Groups without active threads need not arrive anywhere.
  for (unsigned lanes : kLanes)
    for (unsigned size : kSizes) {
      SCOPED_TRACE(std::to_string(size) + " on " + std::to_string(lanes));
      Program p;
      p.startAll().tile(0x80, 32).li(kT0, 0x3ff).tmc(kT0).tile(allGroups(size), size);
      recordGroup(p, 0).tile(0x80, 32).csr(kT0, VX_CSR_ACTIVE_THREADS).record(3, kT0);
      p.csr(kA0, VX_CSR_ACTIVE_WARPS).record(4, kA0);
      p.li(kT0, -1).tmc(kT0).li(kT0, 1).record(5, kT0).end();
      Machine m(p, shape(lanes).c_str());
      runToEnd(m);
      for (unsigned hart = 0; hart < kThreads; ++hart) {
        bool active = hart % 32 < 10;
        uint64_t group = uint64_t(0x3ff) >> (hart % 32 / size * size) & lowBits(size);
        EXPECT_EQ(m.field(2, hart), active ? group : 0) << hart;
        EXPECT_EQ(m.field(3, hart), active ? 0x3ffu : 0) << hart;
        EXPECT_EQ(m.field(5, hart), 1u) << hart; // all lanes are there after all
      }
    }
}

TEST(Tile, WarpsCanBeSpawnedAgainAfterGroupsEnded) {
  for (unsigned lanes : {4u, 8u, 16u})
    for (unsigned size : kSizes) {
      if (lanes >= 32 || size < lanes)
        continue;
      SCOPED_TRACE(std::to_string(size) + " on " + std::to_string(lanes));
      // All but warp 0 form groups; the first span stays plain.
      Program p;
      p.startAll().op(Op::SLTIU, {.rd = kT0, .rs1 = kS0, .imm = 32});
      int64_t skip = 4 * 4;
      p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = skip}).tile(allGroups(size), size);
      p.csr(kT0, VX_CSR_WARP_ID);
      p.op(Op::BEQ, {.rs1 = kT0, .rs2 = kZero, .imm = 8}).end();
      p.spawnAll().li(kT0, -1).tmc(kT0);
      recordGroup(p, 0).end();
      Machine m(p, shape(lanes).c_str());
      runToEnd(m);
      for (unsigned hart = 0; hart < kThreads; ++hart)
        expectGroup(m, 0, hart, lanes, lanes);
    }
}

TEST(Tile, BarriersCountGroups) {
  for (unsigned lanes : kLanes)
    for (unsigned size : kSizes) {
      SCOPED_TRACE(std::to_string(size) + " on " + std::to_string(lanes));
      Program p;
      p.startAll().tile(allGroups(size), size).li(kT0, 0).li(kT1, kThreads / size);
      p.op(Op::ADDI, {.rd = kA0, .rs1 = kS0, .imm = 100}).record(0, kA0);
      p.op(Op::VX_BAR, {.rs1 = kT0, .rs2 = kT1});
      // Reads what hart ^ 32 wrote.
      p.op(Op::XORI, {.rd = kA1, .rs1 = kS1, .imm = 32 * 8});
      p.op(Op::LD, {.rd = kA0, .rs1 = kA1, .imm = -2048}).record(1, kA0).end();
      Machine m(p, shape(lanes, "run.quantum=2").c_str());
      runToEnd(m);
      for (unsigned hart = 0; hart < kThreads; ++hart)
        EXPECT_EQ(m.field(1, hart), (hart ^ 32) + 100) << hart;
    }
}

TEST(Tile, SameResultsOnEveryNumberOfLanes) {
  // Votes, shuffles, nested splits and a predicated loop inside groups.
  for (unsigned size : kSizes) {
    Program p;
    p.startAll().tile(allGroups(size), size).csr(kA0, VX_CSR_THREAD_ID);
    p.op(Op::ANDI, {.rd = kA1, .rs1 = kA0, .imm = 3});
    p.op(Op::VX_VOTE_BALLOT, {.rd = kT0, .rs1 = kA1, .rs2 = 0}).record(0, kT0);
    p.li(kT1, 0b1101101).op(Op::VX_VOTE_BALLOT, {.rd = kT0, .rs1 = kA1, .rs2 = kT1});
    p.record(1, kT0).li(kT1, 31);
    p.op(Op::VX_SHFL_BFLY_I, {.rd = kT0, .rs1 = kS0, .rs2 = kT1, .imm = int64_t(size) / 2});
    p.op(Op::VX_SHFL_DOWN_I, {.rd = kT2, .rs1 = kS0, .rs2 = kT1, .imm = 3});
    p.op(Op::ADD, {.rd = kT0, .rs1 = kT0, .rs2 = kT2}).record(2, kT0);
    // if (tid & 1) { if (tid & 2) x = 11; else x = 12; } else x = 13; then a shuffle inside.
    p.op(Op::SRLI, {.rd = kT2, .rs1 = kA0, .imm = 1});
    p.op(Op::VX_SPLIT, {.rd = 20, .rs1 = kA0});
    p.op(Op::ANDI, {.rd = kT0, .rs1 = kA0, .imm = 1});
    p.op(Op::BEQ, {.rs1 = kT0, .rs2 = kZero, .imm = 4 * 9});
    p.op(Op::VX_SPLIT, {.rd = 21, .rs1 = kT2});
    p.op(Op::ANDI, {.rd = kT0, .rs1 = kT2, .imm = 1});
    p.op(Op::BEQ, {.rs1 = kT0, .rs2 = kZero, .imm = 12}).li(20 + 2, 11);
    p.op(Op::JAL, {.rd = 0, .imm = 8}).li(22, 12);
    p.op(Op::VX_JOIN, {.rs1 = 21}).op(Op::JAL, {.rd = 0, .imm = 8}).li(22, 13);
    p.op(Op::VX_SHFL_UP_I, {.rd = 23, .rs1 = kS0, .rs2 = 0, .imm = 1}); // inactive reads 0
    p.op(Op::VX_JOIN, {.rs1 = 20}).record(3, 22).record(4, 23);
    // for (i = 0; i < tid; ++i) sum += i, lanes leave one by one.
    p.csr(25, VX_CSR_ACTIVE_THREADS).li(23, 0).li(24, 0);
    p.op(Op::SLT, {.rd = kT0, .rs1 = 23, .rs2 = kA0});
    p.op(Op::VX_PRED, {.rs1 = kT0, .rs2 = 25});
    p.op(Op::VX_VOTE_ANY, {.rd = kT2, .rs1 = kT0, .rs2 = 0});
    p.op(Op::BEQ, {.rs1 = kT2, .rs2 = kZero, .imm = 16});
    p.op(Op::ADD, {.rd = 24, .rs1 = 24, .rs2 = 23});
    p.op(Op::ADDI, {.rd = 23, .rs1 = 23, .imm = 1});
    p.op(Op::JAL, {.rd = 0, .imm = -24}).record(5, 24).end();
    for (unsigned lanes : kLanes) {
      SCOPED_TRACE(std::to_string(size) + " on " + std::to_string(lanes));
      Machine m(p, shape(lanes).c_str());
      runToEnd(m);
      for (unsigned hart = 0; hart < kThreads; ++hart) {
        unsigned tid = hart % size;
        uint64_t odd = 0xeeeeeeeeeeeeeeee & 0xaaaaaaaaaaaaaaaa & lowBits(size);
        EXPECT_EQ(m.field(0, hart), odd);
        EXPECT_EQ(m.field(1, hart), odd & 0b1101101);
        uint64_t down = tid + 3 < size ? hart + 3 : hart;
        EXPECT_EQ(m.field(2, hart), (hart ^ size / 2) + down);
        EXPECT_EQ(m.field(3, hart), tid & 1 ? (tid & 2 ? 11u : 12u) : 13u);
        EXPECT_EQ(m.field(4, hart), tid == 0 ? hart : 0);
        EXPECT_EQ(m.field(5, hart), uint64_t(tid) * (tid - 1) / 2 * (tid > 0));
      }
    }
  }
}

TEST(Tile, TraceOfAMergedGroup) {
  Harness h(64, 8, 4);
  for (Warp &warp : h.core().warps) {
    warp.state = WarpState::Ready;
    warp.mask = 0xff;
    warp.pc = Harness::kCode;
  }
  h.store<uint32_t>(Harness::kCode, encode(Op::VX_TILE, {.rs1 = 1, .rs2 = 2}));
  h.store<uint32_t>(Harness::kCode + 4, encode(Op::LW, {.rd = 3, .rs1 = 4}));
  h.emulator->decoder.flush();
  for (unsigned thread = 0; thread < 32; ++thread) {
    h.x(1, thread) = 0x80;
    h.x(2, thread) = 32;
    h.x(4, thread) = Harness::kData + 4 * thread;
  }
  InsnTrace trace;
  for (unsigned w = 0; w < 4; ++w) {
    EXPECT_EQ(h.core().warps[w].state, WarpState::Ready);
    h.emulator->step(h.core(), h.core().warps[w], trace);
    EXPECT_EQ(trace.op, Op::VX_TILE);
    EXPECT_EQ(trace.size, 8u);
    EXPECT_EQ(trace.warp, w);
    EXPECT_EQ(trace.beats(8), 1u);
  }
  ASSERT_EQ(h.warp().state, WarpState::Ready);
  EXPECT_EQ(h.core().warps[3].state, WarpState::Merged);
  h.warp().mask &= ~uint64_t(0xf00);
  h.emulator->step(h.core(), h.warp(), trace);
  EXPECT_EQ(trace.size, 32u);
  EXPECT_EQ(trace.base, 0u);
  EXPECT_EQ(trace.beats(8), 4u);
  EXPECT_EQ(trace.mask, 0xfffff0ffu);
  EXPECT_EQ(trace.beatMask(1, 8), 0xf0u);
  EXPECT_EQ(trace.beatMask(3, 8), 0xffu);
  EXPECT_EQ(trace.addresses[31], Harness::kData + 124);
  EXPECT_EQ(trace.accessBytes, 4);
}

} // namespace
