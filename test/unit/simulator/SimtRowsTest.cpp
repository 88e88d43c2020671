// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, system and SIMT rows, one instruction at a time.

#include "intrinsics/abi/AddressMap.h"
#include "test/unit/simulator/Harness.h"

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

using Values = std::vector<uint64_t>;

TEST(ControlRows, Branches) {
  struct {
    Op op;
    uint64_t a, b;
    bool taken;
  } cases[] = {{Op::BEQ, 1, 1, true},       {Op::BEQ, 1, 2, false},     {Op::BNE, 1, 2, true},
               {Op::BNE, 2, 2, false},      {Op::BLT, ~0ull, 0, true},  {Op::BLT, 0, ~0ull, false},
               {Op::BGE, 0, ~0ull, true},   {Op::BGE, ~0ull, 0, false}, {Op::BLTU, 0, ~0ull, true},
               {Op::BLTU, ~0ull, 0, false}, {Op::BGEU, ~0ull, 0, true}, {Op::BGEU, 0, 1, false}};
  for (auto &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    Harness h;
    h.setX(1, {c.a, c.a, c.a, c.a});
    h.setX(2, {c.b, c.b, c.b, c.b});
    ASSERT_TRUE(h.run(c.op, {.imm = -64}));
    EXPECT_EQ(h.warp().pc, Harness::kCode + (c.taken ? -64 : 4));
  }
}

TEST(ControlRows, LanesThatDisagreeStopTheGuest) {
  Harness h;
  h.setX(1, {1, 0, 0, 1});
  h.setX(2, {0, 0, 0, 0});
  EXPECT_FALSE(h.run(Op::BNE, {.imm = 8}));
  EXPECT_EQ(h.trap().cause, TrapCause::UnguardedDivergence);
  EXPECT_EQ(h.trap().activeMask, 0xfu);
  EXPECT_NE(h.trap().detail.find("0x9"), std::string::npos); // who takes it
  // Lanes that are not active have no say.
  h.warp().mask = 0b1001;
  EXPECT_TRUE(h.run(Op::BNE, {.imm = 8}));
  EXPECT_EQ(h.warp().pc, Harness::kCode + 8);
  h.warp().mask = 0b0001;
  h.setX(1, {Harness::kCode + 40, 4, 4, 4});
  EXPECT_TRUE(h.run(Op::JALR));
  EXPECT_EQ(h.warp().pc, Harness::kCode + 40);
  h.warp().mask = 0b0011;
  h.setX(1, {Harness::kCode + 40, 4, 4, 4});
  EXPECT_FALSE(h.run(Op::JALR));
  EXPECT_EQ(h.trap().cause, TrapCause::UnguardedDivergence);
}

TEST(ControlRows, Jumps) {
  Harness h;
  ASSERT_TRUE(h.run(Op::JAL, {.imm = -2048}));
  EXPECT_EQ(h.warp().pc, Harness::kCode - 2048);
  EXPECT_EQ(h.x(3, 1), Harness::kCode + 4);
  uint64_t target = Harness::kCode + 0x101; // bit 0 is ignored
  h.setX(3, {target, target, target, target});
  ASSERT_TRUE(h.run(Op::JALR, {.rd = 3, .rs1 = 3, .imm = -1}));
  EXPECT_EQ(h.warp().pc, Harness::kCode + 0x100);
  EXPECT_EQ(h.x(3, 1), Harness::kCode + 4);
  h.setX(1, {6, 6, 6, 6});
  EXPECT_FALSE(h.run(Op::JALR));
  EXPECT_EQ(h.trap().cause, TrapCause::Misaligned);
}

TEST(ControlRows, FetchOutsideCode) {
  Harness h;
  h.warp().pc = 0x1000;
  h.emulator->run(h.core(), h.warp(), 1);
  EXPECT_EQ(h.trap().cause, TrapCause::FetchAccess);
  EXPECT_EQ(h.trap().pc, 0x1000u);
  h.trap() = {};
  h.warp().pc = Harness::kData; // mapped but not executable
  h.emulator->run(h.core(), h.warp(), 1);
  EXPECT_EQ(h.trap().cause, TrapCause::FetchAccess);
}

TEST(SystemRows, Calls) {
  Harness h;
  EXPECT_TRUE(h.run(Op::FENCE));
  EXPECT_FALSE(h.run(Op::EBREAK));
  EXPECT_EQ(h.trap().cause, TrapCause::Breakpoint);
  h.setX(17, {0x7601, 0x7601, 0x7601, 0x7601});
  EXPECT_FALSE(h.run(Op::ECALL));
  EXPECT_EQ(h.trap().cause, TrapCause::EnvironmentCall);
  EXPECT_EQ(h.trap().code, 0x7601u);
  h.setX(17, {0, 0, 0, VX_ECALL_EXIT});
  h.setX(10, {1, 2, 3, 4});
  EXPECT_TRUE(h.run(Op::ECALL));
  EXPECT_EQ(h.device->exitCode, 4);
}

TEST(SystemRows, FenceIMakesNewCodeVisible) {
  Harness h = Harness(64, 4);
  ASSERT_TRUE(bool(h.device->memory.map(Harness::kCode, 4096, kRead | kWrite | kExecute)));
  ASSERT_TRUE(h.run(Op::ADDI, {.rs1 = 0, .imm = 1}));
  uint32_t changed = encode(Op::ADDI, {.rs1 = 0, .imm = 2});
  Memory::RecentPages recent;
  uint8_t *code = h.device->memory.pointer(recent, Harness::kCode, 4, kWrite);
  std::memcpy(code, &changed, 4);
  h.store<uint32_t>(Harness::kCode + 8, encode(Op::FENCE_I, {}));
  h.warp().pc = Harness::kCode + 8;
  h.emulator->run(h.core(), h.warp(), 1);
  executedRows().insert(Op::FENCE_I);
  h.warp().pc = Harness::kCode;
  h.emulator->run(h.core(), h.warp(), 1);
  EXPECT_EQ(h.x(3, 0), 2u);
}

TEST(CsrRows, IdentityRegisters) {
  Harness h = Harness::with([](SimConfig &c) { c.numCores = 3; });
  auto read = [&](unsigned csr) {
    EXPECT_TRUE(h.run(Op::CSRRS, {.rs1 = 0, .imm = csr}));
    return h.lanesOfX(3);
  };
  EXPECT_EQ(read(VX_CSR_THREAD_ID), (Values{0, 1, 2, 3}));
  EXPECT_EQ(read(VX_CSR_WARP_ID), (Values{0, 0, 0, 0}));
  EXPECT_EQ(read(VX_CSR_MHARTID), (Values{0, 1, 2, 3}));
  EXPECT_EQ(read(VX_CSR_NUM_THREADS), (Values{4, 4, 4, 4}));
  EXPECT_EQ(read(VX_CSR_NUM_WARPS)[0], 2u);
  EXPECT_EQ(read(VX_CSR_NUM_CORES)[0], 3u);
  EXPECT_EQ(read(VX_CSR_ACTIVE_WARPS)[0], 1u);
  EXPECT_EQ(read(VX_CSR_LOCAL_MEM_BASE)[0], uint64_t(VX_STACK_BASE_ADDR_64));
  uint64_t before = read(VX_CSR_MCYCLE)[0];
  EXPECT_GT(read(VX_CSR_MCYCLE)[0], before);
  uint64_t instructions = read(VX_CSR_MINSTRET)[0];
  EXPECT_EQ(read(VX_CSR_MINSTRET)[0] - instructions, 4u) << "once for each lane";
  h.warp().mask = 0b0110;
  h.setX(3, {99, 0, 0, 99});
  EXPECT_EQ(read(VX_CSR_ACTIVE_THREADS), (Values{99, 6, 6, 99}));
  instructions = read(VX_CSR_MINSTRET)[1];
  EXPECT_EQ(read(VX_CSR_MINSTRET)[1] - instructions, 2u);
}

TEST(CsrRows, ReadModifyWrite) {
  Harness h;
  h.setX(1, {1, 2, 3, 0x1234}); // the last active lane writes
  ASSERT_TRUE(h.run(Op::CSRRW, {.imm = VX_CSR_MSCRATCH}));
  EXPECT_EQ(h.core().mscratch, 0x1234u);
  h.setX(1, {0, 0, 0, 0xf0000});
  ASSERT_TRUE(h.run(Op::CSRRS, {.imm = VX_CSR_MSCRATCH}));
  EXPECT_EQ(h.x(3, 0), 0x1234u);
  EXPECT_EQ(h.core().mscratch, 0xf1234u);
  h.setX(1, {0, 0, 0, 0x4});
  ASSERT_TRUE(h.run(Op::CSRRC, {.imm = VX_CSR_MSCRATCH}));
  EXPECT_EQ(h.core().mscratch, 0xf1230u);
  ASSERT_TRUE(h.run(Op::CSRRWI, {.rs1 = 0x1f, .imm = 3}));
  EXPECT_EQ(h.warp().fflags, 0x1f);
  ASSERT_TRUE(h.run(Op::CSRRSI, {.rs1 = 3, .imm = 2}));
  EXPECT_EQ(h.warp().frm, 3);
  ASSERT_TRUE(h.run(Op::CSRRCI, {.rs1 = 1, .imm = 1}));
  EXPECT_EQ(h.warp().fflags, 0x1e);
  ASSERT_TRUE(h.run(Op::CSRRS, {.rs1 = 0, .imm = 3}));
  EXPECT_EQ(h.x(3, 0), 0x7eu);
}

TEST(CsrRows, WrongNumbersTrap) {
  Harness h;
  EXPECT_FALSE(h.run(Op::CSRRS, {.rs1 = 0, .imm = 0x7c0}));
  EXPECT_EQ(h.trap().cause, TrapCause::IllegalInstruction);
  EXPECT_NE(h.trap().detail.find("0x7c0"), std::string::npos);
  EXPECT_FALSE(h.run(Op::CSRRW, {.imm = VX_CSR_NUM_WARPS}));
  EXPECT_NE(h.trap().detail.find("read-only"), std::string::npos);
  EXPECT_FALSE(h.run(Op::CSRRS, {.rs1 = 0, .imm = 0xC80})); // an upper half, XLEN 64
}

TEST(CsrRows, CountersByClass) {
  Harness h;
  h.setX(1, {Harness::kData, Harness::kData, Harness::kData, Harness::kData});
  ASSERT_TRUE(h.run(Op::LW));
  auto loads = [&] {
    EXPECT_TRUE(h.run(Op::CSRRS, {.rs1 = 0, .imm = 0xB03}));
    return h.x(3, 0);
  };
  EXPECT_EQ(loads(), 0u);
  h.device->mpmClass = 1;
  EXPECT_EQ(loads(), 1u);
}

TEST(SimtRows, ThreadMask) {
  Harness h;
  h.setX(1, {0, 0, 0, 0b0101});
  ASSERT_TRUE(h.run(Op::VX_TMC));
  EXPECT_EQ(h.warp().mask, 0b0101u);
  h.setX(1, {7, 7, ~0ull, 7}); // lane 2 is the last active one
  ASSERT_TRUE(h.run(Op::VX_TMC));
  EXPECT_EQ(h.warp().mask, 0xfu);
  h.setX(1, {0, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::VX_TMC));
  EXPECT_EQ(h.warp().state, WarpState::Idle);
}

/// split, the branch's two sides, and the joins.
void splitAndJoin(Op op, std::initializer_list<uint64_t> predicate, uint64_t first,
                  uint64_t second) {
  Harness h;
  h.setX(1, predicate);
  ASSERT_TRUE(h.run(op));
  EXPECT_EQ(h.warp().mask, first);
  EXPECT_EQ(h.x(3, 0), 0u);
  ASSERT_EQ(h.warp().ipdom.size(), 1u);
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 3}));
  EXPECT_EQ(h.warp().mask, second);
  EXPECT_EQ(h.warp().pc, Harness::kCode + 4); // after the split, which stood there too
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 3}));
  EXPECT_EQ(h.warp().mask, 0xfu);
  EXPECT_TRUE(h.warp().ipdom.empty());
}

TEST(SimtRows, SplitContinuesWithTheLargerSide) {
  splitAndJoin(Op::VX_SPLIT, {1, 1, 1, 0}, 0b0111, 0b1000);
  splitAndJoin(Op::VX_SPLIT, {0, 2, 0, 1}, 0b0111, 0b1000); // only bit 0 counts
  splitAndJoin(Op::VX_SPLIT, {1, 0, 1, 0}, 0b0101, 0b1010); // tie: the then-side
  splitAndJoin(Op::VX_SPLIT_N, {1, 0, 1, 0}, 0b1010, 0b0101);
  splitAndJoin(Op::VX_SPLIT_N, {1, 1, 1, 0}, 0b0111, 0b1000);
}

TEST(SimtRows, UniformSplitDoesNothing) {
  Harness h;
  h.setX(1, {1, 1, 1, 1});
  ASSERT_TRUE(h.run(Op::VX_SPLIT));
  EXPECT_EQ(h.warp().mask, 0xfu);
  EXPECT_TRUE(h.warp().ipdom.empty());
  EXPECT_EQ(h.x(3, 0), 0u);
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 3}));
  EXPECT_EQ(h.warp().mask, 0xfu);
}

TEST(SimtRows, NestedSplits) {
  Harness h;
  h.setX(1, {1, 1, 1, 0});
  ASSERT_TRUE(h.run(Op::VX_SPLIT, {.rd = 5}));
  h.setX(2, {1, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::VX_SPLIT, {.rd = 6, .rs1 = 2}));
  EXPECT_EQ(h.warp().mask, 0b0110u);
  EXPECT_EQ(h.x(6, 1), 1u);
  EXPECT_EQ(h.warp().ipdom.size(), 2u);
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 6}));
  EXPECT_EQ(h.warp().mask, 0b0001u);
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 6}));
  EXPECT_EQ(h.warp().mask, 0b0111u);
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 5}));
  EXPECT_EQ(h.warp().mask, 0b1000u);
  ASSERT_TRUE(h.run(Op::VX_JOIN, {.rs1 = 5}));
  EXPECT_EQ(h.warp().mask, 0b1111u);
}

TEST(SimtRows, IpdomStackIsBounded) {
  Harness h;
  // A guest that restores the full mask by hand inside splits can exceed NT - 1 = 3 entries.
  h.setX(1, {1, 1, 1, 0});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(h.run(Op::VX_SPLIT));
    h.warp().mask = 0xf;
  }
  EXPECT_FALSE(h.run(Op::VX_SPLIT));
  EXPECT_EQ(h.trap().cause, TrapCause::IpdomOverflow);
}

TEST(SimtRows, JoinMustMatch) {
  Harness h;
  h.setX(1, {5, 5, 5, 5});
  EXPECT_FALSE(h.run(Op::VX_JOIN));
  EXPECT_EQ(h.trap().cause, TrapCause::IpdomUnderflow);
  h.setX(1, {~0ull, ~0ull, ~0ull, ~0ull});
  EXPECT_FALSE(h.run(Op::VX_JOIN));
  h.setX(1, {1, 0, 0, 0});
  ASSERT_TRUE(h.run(Op::VX_SPLIT));
  h.setX(1, {0, 0, 0, 0});
  EXPECT_FALSE(h.run(Op::VX_TMC)); // ends inside a split
  EXPECT_EQ(h.trap().cause, TrapCause::IpdomUnderflow);
}

TEST(SimtRows, PredicateLoop) {
  Harness h;
  h.setX(2, {0xf, 0xf, 0xf, 0xf});
  h.setX(1, {1, 1, 0, 3});
  ASSERT_TRUE(h.run(Op::VX_PRED));
  EXPECT_EQ(h.warp().mask, 0b1011u);
  h.setX(1, {0, 1, 1, 0}); // lane 2 left before
  ASSERT_TRUE(h.run(Op::VX_PRED));
  EXPECT_EQ(h.warp().mask, 0b0010u);
  h.setX(1, {1, 0, 1, 1});
  ASSERT_TRUE(h.run(Op::VX_PRED)); // no lane stays: restore
  EXPECT_EQ(h.warp().mask, 0b1111u);
  h.setX(1, {1, 0, 0, 1});
  ASSERT_TRUE(h.run(Op::VX_PRED_N));
  EXPECT_EQ(h.warp().mask, 0b0110u);
}

TEST(SimtRows, WarpSpawn) {
  Harness h(64, 4, 3);
  h.setX(1, {3, 3, 3, 3});
  h.setX(2, {0x80000100, 0x80000100, 0x80000100, 0x80000100});
  ASSERT_TRUE(h.run(Op::VX_WSPAWN));
  EXPECT_EQ(h.core().liveMask(), 0b111u);
  EXPECT_EQ(h.core().warps[2].pc, 0x80000100u);
  EXPECT_EQ(h.core().warps[2].mask, 1u);
  // With others alive, the issuer waits.
  ASSERT_TRUE(h.run(Op::VX_WSPAWN));
  EXPECT_EQ(h.warp().state, WarpState::AtSpawn);
}

TEST(SimtRows, BadWarpSpawn) {
  Harness h(64, 4, 2);
  h.setX(1, {3, 3, 3, 3});
  h.setX(2, {0x80000100, 0x80000100, 0x80000100, 0x80000100});
  EXPECT_FALSE(h.run(Op::VX_WSPAWN));
  EXPECT_EQ(h.trap().cause, TrapCause::BadWarpSpawn);
  h.setX(1, {2, 2, 2, 2});
  h.setX(2, {0x80000102, 0x80000102, 0x80000102, 0x80000102});
  EXPECT_FALSE(h.run(Op::VX_WSPAWN));
}

TEST(SimtRows, Barrier) {
  Harness h(64, 4, 4);
  h.setX(1, {1, 1, 1, 1});
  h.setX(2, {1, 1, 1, 1});
  ASSERT_TRUE(h.run(Op::VX_BAR)); // alone
  EXPECT_EQ(h.warp().state, WarpState::Ready);
  h.setX(2, {2, 2, 2, 2});
  ASSERT_TRUE(h.run(Op::VX_BAR));
  EXPECT_EQ(h.warp().state, WarpState::AtBarrier);
  Warp &other = h.core().warps[1];
  other.state = WarpState::Ready;
  EXPECT_EQ(h.control->barrier(h.core(), other, 1, false, 2), nullptr);
  EXPECT_EQ(h.warp().state, WarpState::Ready);
  EXPECT_EQ(other.state, WarpState::Ready);
}

TEST(SimtRows, BadBarriers) {
  Harness h(64, 4, 4);
  h.setX(1, {2, 2, 2, 2}); // barriers 0 and 1 exist
  h.setX(2, {2, 2, 2, 2});
  EXPECT_FALSE(h.run(Op::VX_BAR));
  EXPECT_EQ(h.trap().cause, TrapCause::BadBarrier);
  h.setX(1, {0, 0, 0, 0});
  h.setX(2, {5, 5, 5, 5});
  EXPECT_FALSE(h.run(Op::VX_BAR));
  // Two warps that expect different numbers.
  h.setX(2, {3, 3, 3, 3});
  ASSERT_TRUE(h.run(Op::VX_BAR));
  EXPECT_NE(h.control->barrier(h.core(), h.core().warps[1], 0, false, 2), nullptr);
}

TEST(SimtRows, Clone) {
  Harness off;
  EXPECT_FALSE(off.run(Op::VX_CLONE));
  EXPECT_EQ(off.trap().cause, TrapCause::IllegalInstruction);
  Harness h = Harness::with([](SimConfig &c) { c.clone = true; });
  h.setX(1, {2, 2, 2, 2});
  h.setX(7, {70, 71, 72, 73});
  h.setF(8, {80, 81, 82, 83});
  ASSERT_TRUE(h.run(Op::VX_CLONE));
  EXPECT_EQ(h.lanesOfX(7), (Values{70, 71, 70, 73}));
  EXPECT_EQ(h.f(8, 2), 80u);
  h.setX(1, {4, 4, 4, 4});
  EXPECT_FALSE(h.run(Op::VX_CLONE));
}

} // namespace
