// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole runs through the public interface: ends, deadlocks, limits, several cores, memory calls.

#include "simulator/api/TrapText.h"
#include "test/unit/simulator/Program.h"
#include <thread>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

TEST(Run, EndsWhenAllWarpsEnded) {
  Machine m(Program().end());
  RunResult result = m.simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::None);
  EXPECT_FALSE(result.exitCode);
  EXPECT_EQ(m.simulator->stats().warpInstructions, 1u);
}

TEST(Run, ExitCode) {
  Machine m(Program().li(kA0, 42).exit());
  EXPECT_EQ(m.simulator->run().exitCode, 42);
}

TEST(Run, CanBeRepeated) {
  Program p;
  p.csr(kT0, VX_CSR_MSCRATCH).li(kT1, 1).op(Op::AMOADD_D, {.rd = 0, .rs1 = kT0, .rs2 = kT1}).end();
  Machine m(p);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::None);
  EXPECT_EQ(m.word(0x20000), 3u);
  EXPECT_EQ(m.simulator->stats().warpInstructions, 12u);
  EXPECT_EQ(m.simulator->stats().cycles, 12u);
  m.simulator->resetStats();
  EXPECT_EQ(m.simulator->stats().warpInstructions, 0u);
}

TEST(Run, NewCodeOfTheHostIsSeen) {
  Machine m(Program().li(kA0, 1).exit());
  EXPECT_EQ(m.simulator->run().exitCode, 1);
  uint32_t word = encode(Op::ADDI, {.rd = kA0, .rs1 = 0, .imm = 2});
  ASSERT_TRUE(bool(m.simulator->write(VX_STARTUP_ADDR, {reinterpret_cast<uint8_t *>(&word), 4})));
  EXPECT_EQ(m.simulator->run().exitCode, 2);
}

TEST(Run, CodeThatTheHostFilledMovedOrLockedIsSeen) {
  Machine m(Program().li(kA0, 1).exit());
  EXPECT_EQ(m.simulator->run().exitCode, 1);
  ASSERT_TRUE(bool(m.simulator->fill(VX_STARTUP_ADDR, 0, 4)));
  EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::IllegalInstruction);
  uint32_t word = encode(Op::ADDI, {.rd = kA0, .rs1 = 0, .imm = 3});
  ASSERT_TRUE(bool(m.simulator->write(VX_STARTUP_ADDR, {reinterpret_cast<uint8_t *>(&word), 4})));
  EXPECT_EQ(m.simulator->run().exitCode, 3);
  ASSERT_TRUE(bool(m.simulator->map(VX_STARTUP_ADDR, 4, kRead)));
  EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::FetchAccess);
  ASSERT_TRUE(bool(m.simulator->map(VX_STARTUP_ADDR, 4, kRead | kExecute)));
  EXPECT_EQ(m.simulator->run().exitCode, 3);
  ASSERT_TRUE(bool(m.simulator->unmap(VX_STARTUP_ADDR, 4096)));
  EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::FetchAccess);
}

TEST(Run, CodeThatTheGuestWroteIsSeenByTheNextRun) {
  // It stores the word at its data over its second instruction.
  Program p;
  p.csr(kT0, VX_CSR_MSCRATCH).li(kA0, 1).op(Op::LW, {.rd = kT2, .rs1 = kT0});
  p.op(Op::AUIPC, {.rd = kT1, .imm = 0}).op(Op::SW, {.rs1 = kT1, .rs2 = kT2, .imm = -8}).exit();
  Machine m(p);
  constexpr uint8_t everything = kRead | kWrite | kExecute;
  ASSERT_TRUE(bool(m.simulator->map(VX_STARTUP_ADDR, 4096, everything)));
  uint32_t word = encode(Op::ADDI, {.rd = kA0, .rs1 = 0, .imm = 2});
  ASSERT_TRUE(bool(m.simulator->write(Machine::kData, {reinterpret_cast<uint8_t *>(&word), 4})));
  EXPECT_EQ(m.simulator->run().exitCode, 1);
  EXPECT_EQ(m.simulator->run().exitCode, 2);
}

/// Every lane of every warp of every core adds 1 to a word.
Program countEverybody() {
  Program p;
  p.spawnAll().li(kT0, -1).tmc(kT0).csr(kT0, VX_CSR_MSCRATCH).li(kT1, 1);
  return p.op(Op::AMOADD_D, {.rd = 0, .rs1 = kT0, .rs2 = kT1}).end();
}

TEST(Run, AllShapes) {
  for (const char *shape :
       {"core.num_warps=1,core.num_threads=1", "core.num_warps=4,core.num_threads=4",
        "core.num_warps=64,core.num_threads=32", "core.num_warps=3,core.num_threads=7",
        "num_cores=5,core.num_warps=2,core.num_threads=32"}) {
    Machine m(countEverybody(), shape);
    EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::None) << shape;
    EXPECT_EQ(m.word(0x20000), m.simulator->config().harts()) << shape;
  }
}

TEST(Run, SpinningWarpsLetOthersRun) {
  // Warp 0 spins until warp 1 stores; a quantum is long but not endless.
  Program p;
  p.spawnAll().csr(kT0, VX_CSR_MSCRATCH).csr(kT1, VX_CSR_WARP_ID).li(kT2, 1);
  p.op(Op::BEQ, {.rs1 = kT1, .rs2 = kT2, .imm = 16}); // warp 1 goes to the store
  p.op(Op::LW, {.rd = kA0, .rs1 = kT0});
  p.op(Op::BEQ, {.rs1 = kA0, .rs2 = kZero, .imm = -4});
  p.end();
  p.op(Op::SW, {.rs1 = kT0, .rs2 = kT2}).end();
  Machine m(p, "core.num_warps=2");
  EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::None);
}

Program barrierProgram(int64_t id, unsigned countCsr, int64_t extra = 0) {
  Program p;
  p.spawnAll().csr(kT2, countCsr).op(Op::ADDI, {.rd = kT2, .rs1 = kT2, .imm = extra});
  p.op(Op::LUI, {.rd = kT0, .imm = id < 0 ? int64_t(0x80000000) : 0});
  p.op(Op::VX_BAR, {.rs1 = kT0, .rs2 = kT2});
  return p.end();
}

TEST(Barriers, LocalAndGlobalComplete) {
  for (const char *shape :
       {"core.num_warps=4", "num_cores=3,core.num_warps=2", "core.num_warps=1"}) {
    EXPECT_EQ(Machine(barrierProgram(0, VX_CSR_NUM_WARPS), shape).simulator->run().trap.cause,
              TrapCause::None);
    EXPECT_EQ(Machine(barrierProgram(-1, VX_CSR_NUM_CORES), shape).simulator->run().trap.cause,
              TrapCause::None);
  }
}

TEST(Barriers, DeadlockIsReported) {
  // Only one of the warps that the barrier counts exists.
  Program p;
  p.li(kT2, 2).op(Op::VX_BAR, {.rs1 = kZero, .rs2 = kT2}).end();
  RunResult result = Machine(p).simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::BarrierDeadlock);
  EXPECT_EQ(result.trap.pc, VX_STARTUP_ADDR + 4u);
  EXPECT_NE(result.trap.detail.find("barrier 0"), std::string::npos) << result.trap.detail;
}

TEST(Barriers, DeadlockOfWarpsAtDifferentBarriers) {
  Program p;
  p.spawnAll().csr(kT0, VX_CSR_WARP_ID).li(kT2, 2);
  p.op(Op::VX_BAR, {.rs1 = kT0, .rs2 = kT2}).end();
  RunResult result = Machine(p, "core.num_warps=2,core.num_barriers=2").simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::BarrierDeadlock);
}

TEST(Barriers, SpawnWaitsForEverWhenNobodyEnds) {
  // Warp 0 spawns again while warp 1 waits at a barrier for it.
  Program p;
  p.spawnAll().csr(kT0, VX_CSR_WARP_ID).li(kT2, 2);
  p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = 12});
  p.op(Op::VX_WSPAWN, {.rs1 = kT2, .rs2 = kT1}).end();
  p.op(Op::VX_BAR, {.rs1 = kZero, .rs2 = kT2}).end();
  EXPECT_EQ(Machine(p, "core.num_warps=2").simulator->run().trap.cause, TrapCause::BarrierDeadlock);
}

TEST(Limits, InstructionsAndCycles) {
  Program loop;
  loop.op(Op::JAL, {.rd = 0, .imm = 0});
  Machine instructions(loop, "run.max_instructions=1000");
  EXPECT_EQ(instructions.simulator->run().trap.cause, TrapCause::CycleLimit);
  EXPECT_EQ(instructions.simulator->stats().warpInstructions, 1000u);
  Machine cycles(loop, "run.max_cycles=70,num_cores=2");
  EXPECT_EQ(cycles.simulator->run().trap.cause, TrapCause::CycleLimit);
  EXPECT_EQ(cycles.simulator->stats().cycles, 70u);
}

TEST(Limits, RequestStop) {
  Program loop;
  loop.op(Op::JAL, {.rd = 0, .imm = 0});
  Machine m(loop, "run.find_spins=false"); // or that ends it
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    m.simulator->requestStop();
  });
  EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::Interrupted);
  stopper.join();
}

TEST(Traps, TextNamesPlaceAndInstruction) {
  Program p;
  p.op(Op::SW, {.rs1 = kZero, .rs2 = kZero, .imm = 64});
  RunResult result = Machine(p).simulator->run();
  std::string text = formatTrap(result.trap, nullptr, 64);
  EXPECT_NE(text.find("illegal memory access: store of 4 byte(s) at 0x40"), std::string::npos);
  EXPECT_NE(text.find("pc 0x80000000"), std::string::npos);
  EXPECT_NE(text.find("sw zero, 64(zero)"), std::string::npos);
  EXPECT_NE(text.find("core 0, warp 0, lane 0"), std::string::npos);
}

TEST(Traps, EveryCauseHasAName) {
  for (int cause = 0; cause <= int(TrapCause::Interrupted); ++cause)
    EXPECT_STRNE(toString(TrapCause(cause)), "unknown");
}

/// Returns where the program of StacksOfAnotherSize stores: BYTES below the top of the stack of
/// HART.
uint64_t belowTop(unsigned hart, unsigned log2, uint64_t bytes) {
  return VX_STACK_BASE_ADDR_64 - (uint64_t(hart) << log2) - bytes;
}

TEST(Run, StacksOfAnotherSize) {
  // Both lanes load an address from kData, lane 1 stores there.
  Program p;
  p.li(kT0, -1).tmc(kT0).csr(kA0, VX_CSR_MSCRATCH).op(Op::LD, {.rd = kT0, .rs1 = kA0});
  p.li(kT1, 2).tmc(kT1).op(Op::SD, {.rs1 = kT0, .rs2 = kT0}).end();
  Machine m(p, "core.num_warps=1,core.num_threads=2");
  auto causeAt = [&](uint64_t address) {
    EXPECT_TRUE(bool(m.simulator->write(Machine::kData,
                                        {reinterpret_cast<uint8_t *>(&address), sizeof address})));
    return m.simulator->run().trap.cause;
  };
  for (unsigned log2 : {13u, 16u, 9u, 24u, 13u}) {
    SCOPED_TRACE(log2);
    ASSERT_TRUE(bool(m.simulator->setStackLog2Size(log2)));
    uint64_t size = uint64_t(1) << log2;
    EXPECT_EQ(causeAt(belowTop(1, log2, 8)), TrapCause::None);
    EXPECT_EQ(causeAt(belowTop(1, log2, size)), TrapCause::None);
    EXPECT_EQ(causeAt(belowTop(1, log2, size + 8)), TrapCause::StackOverflow) << "the last stack";
    EXPECT_EQ(causeAt(belowTop(0, log2, size)), TrapCause::StackOverflow) << "that of lane 0";
    EXPECT_EQ(causeAt(belowTop(1, log2, 2 * size + 8)), TrapCause::MemoryAccess);
  }
  EXPECT_FALSE(bool(m.simulator->setStackLog2Size(31)));
  EXPECT_EQ(causeAt(belowTop(1, 13, 8)), TrapCause::None) << "as before";
}

TEST(Run, StacksNeedMemory) {
  Machine m(Program().end(), "memory.capacity=1048576");
  EXPECT_FALSE(bool(m.simulator->setStackLog2Size(26)));
  EXPECT_TRUE(bool(m.simulator->setStackLog2Size(14)));
  EXPECT_EQ(m.simulator->run().trap.cause, TrapCause::None);
}

TEST(HostMemory, MapWriteReadUnmap) {
  auto simulator = std::move(*Simulator::create(SimConfig()));
  uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  EXPECT_FALSE(bool(simulator->write(0x30000, bytes)));
  ASSERT_TRUE(bool(simulator->map(0x30ffd, 8, kRead))); // over a page border
  ASSERT_TRUE(bool(simulator->write(0x30ffd, bytes)));  // permissions do not bind the host
  ASSERT_TRUE(bool(simulator->read(0x30ffd, back)));
  EXPECT_EQ(std::vector<uint8_t>(back, back + 8), std::vector<uint8_t>(bytes, bytes + 8));
  EXPECT_FALSE(bool(simulator->read(0x30ffe, back)));
  EXPECT_FALSE(bool(simulator->read(0x30ffc, back)));
  ASSERT_TRUE(bool(simulator->map(0x30ffd, 8, 0))); // only the permission changes
  ASSERT_TRUE(bool(simulator->read(0x30ffd, back)));
  EXPECT_EQ(back[7], 8);
  ASSERT_TRUE(bool(simulator->unmap(0x30ffd, 4)));
  EXPECT_FALSE(bool(simulator->read(0x30ffd, back)));
  EXPECT_FALSE(bool(simulator->unmap(0x30ffd, 8)));
  ASSERT_TRUE(bool(simulator->map(0x30ffc, 4, kRead)));
  ASSERT_TRUE(bool(simulator->read(0x30ffc, {back, 4})));
  EXPECT_EQ(back[0], 0x0d); // fresh again
  EXPECT_EQ(back[3], 0xba);
}

TEST(HostMemory, FillAndLimits) {
  auto simulator = std::move(*Simulator::create(SimConfig()));
  ASSERT_TRUE(bool(simulator->map(0x100000, 1 << 20, kRead | kWrite)));
  ASSERT_TRUE(bool(simulator->fill(0x100010, 0x5a, (1 << 20) - 0x20)));
  uint8_t bytes[0x20];
  ASSERT_TRUE(bool(simulator->read(0x100000, bytes)));
  EXPECT_EQ(bytes[0x0f], 0xba);
  EXPECT_EQ(bytes[0x10], 0x5a);
  ASSERT_TRUE(bool(simulator->read(0x180000, bytes)));
  EXPECT_EQ(bytes[0], 0x5a);
  EXPECT_FALSE(bool(simulator->fill(0x100010, 0, 1 << 20)));
  EXPECT_FALSE(bool(simulator->map(~uint64_t(0), 2, kRead)));
  EXPECT_FALSE(bool(simulator->map(0, ~uint64_t(0), kRead)));
  EXPECT_TRUE(bool(simulator->map(0x5000, 0, kRead)));
  EXPECT_TRUE(bool(simulator->map(~uint64_t(0), 1, kRead)));
}

TEST(StepInterface, TraceDescribesAnInstruction) {
  Harness h;
  h.store<uint32_t>(Harness::kCode, encode(Op::LW, {.imm = 4}));
  h.setX(1, {Harness::kData, Harness::kData + 8, Harness::kData + 16, Harness::kData + 24});
  h.warp().mask = 0b1010;
  InsnTrace trace;
  h.emulator->step(h.core(), h.warp(), trace);
  EXPECT_EQ(trace.op, Op::LW);
  EXPECT_EQ(trace.mask, 0b1010u);
  EXPECT_EQ(trace.accessBytes, 4);
  EXPECT_EQ(trace.addresses[3], Harness::kData + 28);
  EXPECT_EQ(trace.nextPc, trace.pc + 4);
}

} // namespace
