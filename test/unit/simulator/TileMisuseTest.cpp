// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx_tile that is wrong, and how faults of regrouped threads are reported.

#include "simulator/api/TrapText.h"
#include "test/unit/simulator/Program.h"

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

struct Misuse {
  const char *name;
  unsigned lanes, warps;
  Program program;
  TrapCause cause;
  const char *text;
};

std::vector<Misuse> misuses() {
  auto started = [] { return Program().startAll(); };
  // Warp 0 and the others do different things: `first` is for warp 0.
  auto fork = [](const Program &first, const Program &others) {
    Program p;
    p.startAll().csr(kT0, VX_CSR_WARP_ID);
    p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = first.here() + 4});
    p.words.insert(p.words.end(), first.words.begin(), first.words.end());
    p.words.insert(p.words.end(), others.words.begin(), others.words.end());
    return p;
  };
  Program split;
  split.startAll().csr(kT0, VX_CSR_THREAD_ID).op(Op::VX_SPLIT, {.rd = kT2, .rs1 = kT0});
  auto misuse = TrapCause::TileMisuse;
  return {
      {"size", 8, 4, started().tile(0x80, 12), misuse, "size is 12; it must be 4, 8, 16 or 32"},
      {"size 0", 8, 4, started().tile(0x80, 0), misuse, "size is 0"},
      {"no group", 8, 4, started().tile(0, 32), misuse, "names no group"},
      {"bits", 8, 4, started().tile(0xc0, 16), misuse, "0xc0 has bits where no group of 16"},
      {"bit 8", 8, 4, started().tile(0x180, 4), misuse, "0x180 has bits"},
      {"lanes", 7, 8, started().tile(0x80, 32), misuse, "power of two"},
      {"too few threads", 8, 2, started().tile(0x80, 32), misuse, "the core has 16 threads"},
      {"incomplete span", 8, 6, fork(Program().end(), Program().tile(0x80, 32)), misuse,
       "not running"},
      {"not started", 8, 4, Program().tile(0x80, 32), misuse, "warp 1 of the new group is not"},
      {"diverged", 8, 4, split.tile(0x80, 32), misuse, "inside 1 open split"},
      {"other operands", 8, 4, fork(Program().tile(0x80, 32), Program().tile(0x88, 16)), misuse,
       "warp 0 waits at a vx_tile with other operands: mask 0x80, size 32, here mask 0x88"},
      {"other place", 8, 4, fork(Program().tile(0x80, 32), Program().tile(0x80, 32)), misuse,
       "waits at another vx_tile, at 0x8000"},
      {"ended", 8, 4, fork(Program().end(), Program().tile(0x80, 32)), misuse,
       "warp 0 of the new group is not running"},
      {"ends later", 8, 4,
       fork(Program().li(1, 0).li(1, 0).li(1, 0).li(1, 0).end(), Program().tile(0x80, 32)),
       TrapCause::BarrierDeadlock, "warp 1 waits at vx_tile mask 0x80, size 32"},
      {"no warp resumes", 8, 4, started().tile(0x80, 16).end(), TrapCause::BarrierDeadlock,
       "core 0 warp 2 is suspended until a vx_tile names it"},
      {"spawn", 8, 4, started().tile(0x80, 32).spawnAll(), TrapCause::BadWarpSpawn,
       "regrouped may not spawn"},
      {"splits", 16, 2,
       started()
           .tile(0xff, 4)
           .csr(kT0, VX_CSR_THREAD_ID)
           .op(Op::VX_SPLIT, {.rd = kT2, .rs1 = kT0})
           .li(kT0, -1)
           .tmc(kT0)
           .csr(kT0, VX_CSR_THREAD_ID)
           .op(Op::JAL, {.rd = 0, .imm = -16}),
       TrapCause::IpdomOverflow, "a warp of 4 lanes has room for 3"},
  };
}

TEST(TileMisuse, IsReported) {
  for (const Misuse &c : misuses()) {
    SCOPED_TRACE(c.name);
    std::string settings = "core.num_threads=" + std::to_string(c.lanes) +
                           ",core.num_warps=" + std::to_string(c.warps) +
                           ",run.max_instructions=10000,run.quantum=";
    // "ends later" needs warp 0 to end after the others have arrived.
    settings += std::string(c.name) == "ends later" ? "8" : "256";
    RunResult result = Machine(c.program, settings.c_str()).simulator->run();
    EXPECT_EQ(result.trap.cause, c.cause) << formatTrap(result.trap, nullptr, 64);
    EXPECT_NE(result.trap.detail.find(c.text), std::string::npos) << result.trap.detail;
  }
}

TEST(TileMisuse, TrapsNameTheHardwareThread) {
  Program p;
  p.startAll().tile(0x80, 32).op(Op::SLTIU, {.rd = kT0, .rs1 = kS0, .imm = 21});
  p.op(Op::XORI, {.rd = kT0, .rs1 = kT0, .imm = 1})
      .op(Op::SLLI, {.rd = kT0, .rs1 = kT0, .imm = 40});
  p.op(Op::ADD, {.rd = kS1, .rs1 = kS1, .rs2 = kT0}).op(Op::LD, {.rd = kT0, .rs1 = kS1});
  RunResult result = Machine(p, "core.num_threads=8,core.num_warps=8").simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::MemoryAccess);
  EXPECT_EQ(result.trap.warp, 2u);
  EXPECT_EQ(result.trap.lane, 5u);
  EXPECT_EQ(result.trap.activeMask, 0xffffffffu);
  EXPECT_NE(formatTrap(result.trap, nullptr, 64).find("of a group of 32 from thread 0"),
            std::string::npos);
}

TEST(TileMisuse, SwitchedOff) {
  for (const char *profile : {"off", "upstream"}) {
    Machine m(Program().startAll().tile(0x80, 32).end(),
              (std::string("core.num_threads=8,isa.warp=") + profile).c_str());
    RunResult result = m.simulator->run();
    EXPECT_EQ(result.trap.cause, TrapCause::IllegalInstruction);
    EXPECT_NE(result.trap.detail.find("vx_tile is switched off"), std::string::npos);
  }
}

} // namespace
