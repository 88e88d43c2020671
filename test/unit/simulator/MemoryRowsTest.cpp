// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores, and what memory refuses.

#include "intrinsics/abi/AddressMap.h"
#include "test/unit/simulator/Harness.h"
#include <atomic>
#include <memory>
#include <thread>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

TEST(MemoryRows, LoadsExtend) {
  struct {
    Op op;
    uint64_t result;
  } cases[] = {{Op::LB, ~uint64_t(0x0e)},    {Op::LBU, 0xf1},
               {Op::LH, 0xfffffffffffff2f1}, {Op::LHU, 0xf2f1},
               {Op::LW, 0xfffffffff4f3f2f1}, {Op::LWU, 0xf4f3f2f1},
               {Op::LD, 0xf8f7f6f5f4f3f2f1}};
  for (auto &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    Harness h;
    h.store<uint64_t>(Harness::kData + 16, 0xf8f7f6f5f4f3f2f1);
    h.setX(1, {Harness::kData + 24, Harness::kData + 24, Harness::kData + 24, Harness::kData + 24});
    ASSERT_TRUE(h.run(c.op, {.imm = -8}));
    EXPECT_EQ(h.x(3, 2), c.result);
  }
}

TEST(MemoryRows, StoresWriteTheirWidth) {
  struct {
    Op op;
    uint64_t result;
  } cases[] = {{Op::SB, 0x11111111111111f1},
               {Op::SH, 0x111111111111f2f1},
               {Op::SW, 0x11111111f4f3f2f1},
               {Op::SD, 0xf8f7f6f5f4f3f2f1}};
  for (auto &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    Harness h;
    h.warp().mask = 4;
    h.store<uint64_t>(Harness::kData, 0x1111111111111111);
    h.x(1, 2) = Harness::kData + 100;
    h.x(2, 2) = 0xf8f7f6f5f4f3f2f1;
    ASSERT_TRUE(h.run(c.op, {.imm = -100}));
    EXPECT_EQ(h.load<uint64_t>(Harness::kData), c.result);
  }
}

TEST(MemoryRows, FloatingPointLoadsBox) {
  Harness h;
  h.store<uint64_t>(Harness::kData, 0x400921fb54442d18);
  h.setX(1, {Harness::kData, Harness::kData, Harness::kData, Harness::kData});
  ASSERT_TRUE(h.run(Op::FLW));
  EXPECT_EQ(h.f(3, 1), 0xffffffff54442d18);
  ASSERT_TRUE(h.run(Op::FLD));
  EXPECT_EQ(h.f(3, 1), 0x400921fb54442d18u);
  h.f(2, 3) = 0x123456789abcdef0;
  ASSERT_TRUE(h.run(Op::FSW, {.imm = 8}));
  EXPECT_EQ(h.load<uint32_t>(Harness::kData + 8), 0x9abcdef0);
  ASSERT_TRUE(h.run(Op::FSD, {.imm = 16}));
  EXPECT_EQ(h.load<uint64_t>(Harness::kData + 16), 0x123456789abcdef0u);
}

TEST(MemoryRows, AddressesWrapAt32Bits) {
  Harness h(32);
  h.store<uint32_t>(Harness::kData, 77);
  for (unsigned lane = 0; lane < 4; ++lane)
    h.x(1, lane) = uint64_t(int64_t(int32_t(0xfffffff0)));
  // The sum leaves 32 bits: 0xfffffff0 + 0x10 is address 0, which is not mapped.
  EXPECT_FALSE(h.run(Op::LW, {.imm = 0x10}));
  EXPECT_EQ(h.trap().address, 0u);
}

TEST(MemoryRows, NullPointerTraps) {
  Harness h;
  h.setX(1, {Harness::kData, Harness::kData, 0, Harness::kData});
  EXPECT_FALSE(h.run(Op::LW));
  EXPECT_EQ(h.trap().cause, TrapCause::MemoryAccess);
  EXPECT_EQ(h.trap().lane, 2u);
  EXPECT_EQ(h.trap().address, 0u);
  EXPECT_EQ(h.trap().accessBytes, 4u);
  EXPECT_FALSE(h.trap().isWrite);
  EXPECT_EQ(h.trap().pc, Harness::kCode);
}

TEST(MemoryRows, BoundsAreExactToTheByte) {
  Harness h;
  ASSERT_TRUE(bool(h.device->memory.map(0x50000, 10, kRead | kWrite)));
  auto access = [&](Op op, uint64_t address) {
    h.setX(1, {address, address, address, address});
    return h.run(op);
  };
  EXPECT_TRUE(access(Op::LH, 0x50008));
  EXPECT_TRUE(access(Op::SB, 0x50009));
  EXPECT_FALSE(access(Op::LBU, 0x5000a));
  EXPECT_FALSE(access(Op::LW, 0x50008));
  EXPECT_FALSE(access(Op::SB, 0x4ffff));
  EXPECT_EQ(h.trap().cause, TrapCause::MemoryAccess);
  EXPECT_TRUE(h.trap().isWrite);
  // And a misaligned access that starts inside but ends outside.
  EXPECT_FALSE(access(Op::LD, 0x50003));
}

TEST(MemoryRows, PermissionsHold) {
  Harness h;
  ASSERT_TRUE(bool(h.device->memory.map(0x60000, 4096, kRead)));
  ASSERT_TRUE(bool(h.device->memory.map(0x61000, 4096, kWrite)));
  h.setX(1, {0x60000, 0x60000, 0x60000, 0x60000});
  EXPECT_TRUE(h.run(Op::LW));
  EXPECT_FALSE(h.run(Op::SW));
  EXPECT_FALSE(h.run(Op::AMOADD_W));
  h.setX(1, {0x61000, 0x61000, 0x61000, 0x61000});
  EXPECT_FALSE(h.run(Op::LW));
  EXPECT_TRUE(h.run(Op::SW));
}

/// Memory of the test, from the beginning of a page on.
struct Pages {
  alignas(4096) uint8_t bytes[3 * 4096] = {};
  uint64_t address(size_t offset = 0) { return reinterpret_cast<uintptr_t>(bytes) + offset; }
  template <typename T> T &at(size_t offset) { return *reinterpret_cast<T *>(bytes + offset); }
};

TEST(SharedMemory, IsTheProgramsOwnToTheByte) {
  auto pages = std::make_unique<Pages>();
  Harness h;
  Memory &memory = h.device->memory;
  // Two ranges in one page, and a whole page.
  ASSERT_TRUE(bool(memory.share(pages->address(100), 10, kRead | kWrite)));
  ASSERT_TRUE(bool(memory.share(pages->address(200), 8, kRead)));
  ASSERT_TRUE(bool(memory.share(pages->address(4096), 4096, kRead | kWrite)));
  auto access = [&](Op op, size_t offset) {
    uint64_t address = pages->address(offset);
    h.setX(1, {address, address, address, address});
    return h.run(op);
  };
  h.setX(2, {7, 7, 7, 7});
  EXPECT_TRUE(access(Op::SB, 109));
  EXPECT_EQ(pages->bytes[109], 7);
  pages->bytes[100] = 9;
  EXPECT_TRUE(access(Op::LBU, 100));
  EXPECT_EQ(h.x(3, 0), 9u);
  EXPECT_FALSE(access(Op::SB, 110));
  EXPECT_FALSE(access(Op::SB, 99));
  EXPECT_TRUE(access(Op::LD, 200));
  EXPECT_FALSE(access(Op::SB, 200)) << "read-only";
  EXPECT_TRUE(access(Op::SD, 8184));
  EXPECT_FALSE(access(Op::SD, 8192));
  EXPECT_EQ(pages->at<uint64_t>(8184), 7u);
  EXPECT_TRUE(bool(memory.fill(pages->address(4096), 0x11, 4096)));
  EXPECT_EQ(pages->bytes[5000], 0x11);
  EXPECT_EQ(h.load<uint8_t>(pages->address(100)), 9);
}

TEST(SharedMemory, StaysAsItIsWhenItIsNoLongerShared) {
  auto pages = std::make_unique<Pages>();
  Harness h;
  Memory &memory = h.device->memory;
  std::fill(std::begin(pages->bytes), std::end(pages->bytes), 5);
  ASSERT_TRUE(bool(memory.share(pages->address(100), 5000, kRead | kWrite)));
  ASSERT_TRUE(bool(memory.unmap(pages->address(100), 1000)));
  ASSERT_TRUE(bool(memory.unmap(pages->address(1100), 4000)));
  for (uint8_t byte : pages->bytes)
    ASSERT_EQ(byte, 5);
  uint64_t address = pages->address(100);
  h.setX(1, {address, address, address, address});
  EXPECT_FALSE(h.run(Op::LBU));
  // Memory of the device's own may lie there now, and then nothing can be shared.
  ASSERT_TRUE(bool(memory.map(address, 8, kRead | kWrite)));
  EXPECT_FALSE(bool(memory.share(pages->address(), 16, kRead | kWrite)));
  EXPECT_TRUE(h.run(Op::SB));
  EXPECT_EQ(pages->bytes[100], 5);
}

TEST(SharedMemory, StoreConditionalSeesWritesOfTheProgram) {
  auto pages = std::make_unique<Pages>();
  Harness h;
  ASSERT_TRUE(bool(h.device->memory.share(pages->address(), 4096, kRead | kWrite)));
  h.setX(1, {pages->address(0), pages->address(8), pages->address(16), pages->address(24)});
  h.setX(2, {1, 2, 3, 4});
  ASSERT_TRUE(h.run(Op::LR_D));
  pages->at<uint64_t>(8) = 100;
  ASSERT_TRUE(h.run(Op::SC_D));
  EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{0, 1, 0, 0}));
  EXPECT_EQ(pages->at<uint64_t>(0), 1u);
  EXPECT_EQ(pages->at<uint64_t>(8), 100u);
}

TEST(SharedMemory, AtomicsAreAtomicForThreadsOfTheProgram) {
  auto pages = std::make_unique<Pages>();
  Harness h;
  ASSERT_TRUE(bool(h.device->memory.share(pages->address(), 4096, kRead | kWrite)));
  uint64_t address = pages->address(64);
  h.setX(1, {address, address, address, address});
  h.setX(2, {1, 1, 1, 1});
  std::atomic<bool> started = false;
  constexpr int kRounds = 100000;
  std::thread thread([&] {
    std::atomic_ref<uint32_t> word(pages->at<uint32_t>(64));
    started = true;
    for (int i = 0; i < kRounds; ++i)
      ++word;
  });
  while (!started) {
  }
  for (int i = 0; i < kRounds / 4; ++i)
    ASSERT_TRUE(h.run(Op::AMOADD_W));
  thread.join();
  EXPECT_EQ(pages->at<uint32_t>(64), 2u * kRounds);
}

TEST(MemoryRows, MisalignedPolicy) {
  Harness lenient = Harness::with([](SimConfig &c) { c.misaligned = MisalignedPolicy::Allow; });
  lenient.store<uint64_t>(Harness::kData, 0x0807060504030201);
  lenient.setX(1, {Harness::kData + 1, Harness::kData + 2, Harness::kData + 3, Harness::kData});
  ASSERT_TRUE(lenient.run(Op::LW));
  EXPECT_EQ(lenient.lanesOfX(3),
            (std::vector<uint64_t>{0x05040302, 0x06050403, 0x07060504, 0x04030201}));
  ASSERT_TRUE(lenient.run(Op::SH));
  Harness strict = Harness::with([](SimConfig &c) { c.misaligned = MisalignedPolicy::Trap; });
  strict.setX(1, {Harness::kData, Harness::kData, Harness::kData + 2, Harness::kData});
  EXPECT_FALSE(strict.run(Op::LW));
  EXPECT_EQ(strict.trap().cause, TrapCause::Misaligned);
  EXPECT_EQ(strict.trap().lane, 2u);
  EXPECT_FALSE(strict.run(Op::SW));
  EXPECT_TRUE(strict.trap().isWrite);
}

/// Bytes of a word that lr.w and sc.w can write, where only [from, from + size) are mapped, and a
/// hint says that they are about SIZE bytes at byte AT.
TrapCause causeOfPartWord(unsigned hint, unsigned at, unsigned from, unsigned size) {
  Harness h;
  constexpr uint64_t word = 0x70010;
  EXPECT_TRUE(bool(h.device->memory.map(word + from, size, kRead | kWrite)));
  h.warp().mask = 1;
  h.x(1, 0) = word + at;
  if (!h.run(Op::SLTI, {.rd = 0, .imm = int64_t(hint)}))
    return h.trap().cause;
  h.x(1, 0) = word;
  if (!h.run(Op::LR_W))
    return h.trap().cause;
  h.x(2, 0) = 0x44332211;
  h.x(3, 0) = 9;
  if (!h.run(Op::SC_W))
    return h.trap().cause;
  EXPECT_EQ(h.x(3, 0), 0u) << "stored";
  uint8_t bytes[4] = {};
  EXPECT_TRUE(bool(h.device->memory.map(word, 4, kRead | kWrite)));
  EXPECT_TRUE(bool(h.device->memory.read(word, bytes)));
  for (unsigned i = 0; i < 4; ++i) {
    uint8_t fresh = uint8_t(0xbaadf00d >> 8 * i), written = uint8_t(0x11 * (i + 1));
    EXPECT_EQ(bytes[i], i >= at && i < at + size ? written : fresh) << i;
  }
  return TrapCause::None;
}

TEST(MemoryRows, PartsOfAWordNeedNoNeighbours) {
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_HALF, 0, 0, 2), TrapCause::None);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_HALF, 2, 2, 2), TrapCause::None);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_BYTE, 3, 3, 1), TrapCause::None);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_BYTE, 1, 1, 1), TrapCause::None);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_HALF, 2, 0, 2), TrapCause::MemoryAccess);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_HALF, 2, 2, 1), TrapCause::MemoryAccess);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_HALF, 3, 0, 4), TrapCause::Misaligned);
  EXPECT_EQ(causeOfPartWord(VX_HINT_ATOMIC_HALF, 4, 0, 2), TrapCause::MemoryAccess)
      << "a hint on another word";
}

TEST(MemoryRows, AHintHoldsForOneStoreConditional) {
  Harness h;
  constexpr uint64_t word = 0x70010;
  ASSERT_TRUE(bool(h.device->memory.map(word, 2, kRead | kWrite)));
  h.warp().mask = 1;
  h.x(1, 0) = word;
  ASSERT_TRUE(h.run(Op::SLTI, {.rd = 0, .imm = VX_HINT_ATOMIC_HALF}));
  ASSERT_TRUE(h.run(Op::LR_W) && h.run(Op::SC_W));
  EXPECT_FALSE(h.run(Op::LR_W)) << "of the whole word";
  EXPECT_EQ(h.trap().accessBytes, 4u);
}

TEST(MemoryRows, FreshMemoryHoldsThePattern) {
  Harness h;
  EXPECT_EQ(h.load<uint32_t>(Harness::kData + 64), 0xbaadf00du);
  Harness zero = Harness::with([](SimConfig &c) { c.freshMemory = 0; });
  EXPECT_EQ(zero.load<uint32_t>(Harness::kData + 64), 0u);
  Harness other = Harness::with([](SimConfig &c) { c.freshMemory = 0x04030201; });
  EXPECT_EQ(other.load<uint16_t>(Harness::kData + 66), 0x0403u);
}

TEST(MemoryRows, LocalMemoryIsPrivateToACore) {
  Harness h = Harness::with([](SimConfig &c) { c.numCores = 2; });
  uint64_t base = VX_STACK_BASE_ADDR_64;
  h.setX(1, {base, base + 8, base + 16, base + (1 << 14) - 8});
  h.setX(2, {1, 2, 3, 4});
  ASSERT_TRUE(h.run(Op::SD));
  ASSERT_TRUE(h.run(Op::LD));
  EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(h.device->cores[1].localMemory[0], 0x0d);
  h.setX(1, {base + (1 << 14), base, base, base});
  EXPECT_FALSE(h.run(Op::LD));
  EXPECT_EQ(h.trap().cause, TrapCause::MemoryAccess);
}

uint64_t stackTop(unsigned hart) {
  return VX_STACK_BASE_ADDR_64 - (uint64_t(hart) << 13);
}

TEST(StackGuard, ALaneHasItsOwnStack) {
  Harness h;
  h.setX(1, {stackTop(0), stackTop(1), stackTop(2), stackTop(3)});
  EXPECT_TRUE(h.run(Op::SD, {.imm = -8}));
  EXPECT_TRUE(h.run(Op::LD, {.imm = -8}));
  h.setX(1, {stackTop(0), stackTop(1), stackTop(1), stackTop(3)});
  EXPECT_FALSE(h.run(Op::SD, {.imm = -128}));
  EXPECT_EQ(h.trap().cause, TrapCause::StackOverflow);
  EXPECT_EQ(h.trap().lane, 2u);
}

TEST(StackGuard, OverflowIsCaughtAtTheNeighbour) {
  Harness h;
  h.warp().mask = 2;
  h.x(1, 1) = stackTop(2); // just below lane 1's stack
  EXPECT_FALSE(h.run(Op::SD, {.imm = -8}));
  EXPECT_EQ(h.trap().cause, TrapCause::StackOverflow);
}

TEST(StackGuard, OverflowOfTheLastHartIsCaughtToo) {
  Harness h(64, 4, 1);
  h.warp().mask = 8;
  h.x(1, 3) = stackTop(4);
  EXPECT_FALSE(h.run(Op::SD, {.imm = -8}));
  EXPECT_EQ(h.trap().cause, TrapCause::StackOverflow);
}

TEST(StackGuard, TheBroadcastSlotOfLane0IsShared) {
  Harness h;
  h.setX(1, {stackTop(0), stackTop(0), stackTop(0), stackTop(0)});
  EXPECT_TRUE(h.run(Op::SD, {.imm = -24}));
  EXPECT_FALSE(h.run(Op::SD, {.imm = -72}));
}

TEST(StackGuard, VariablesOfCallersElsewhereCanBeRead) {
  Harness h;
  h.setX(2, {stackTop(0) - 256, stackTop(1) - 256, stackTop(2) - 256, stackTop(3) - 256});
  h.setX(1, {stackTop(3), stackTop(2), stackTop(1), stackTop(0)});
  EXPECT_TRUE(h.run(Op::LD, {.rd = 3, .imm = -128}));
  h.setX(2, {stackTop(0) - 256, stackTop(1) - 256, stackTop(2) - 256, stackTop(4) - 256});
  EXPECT_FALSE(h.run(Op::LD, {.rd = 3, .imm = -128})); // lane 3 has overflowed
}

TEST(StackGuard, VariablesOfFunctionsThatHaveReturnedCannot) {
  Harness h;
  h.setX(2, {stackTop(0) - 64, stackTop(1) - 64, stackTop(2) - 64, stackTop(3) - 64});
  h.setX(1, {stackTop(3), stackTop(2), stackTop(1), stackTop(0)});
  EXPECT_FALSE(h.run(Op::LD, {.rd = 3, .imm = -128}));
  EXPECT_EQ(h.trap().cause, TrapCause::StackOverflow);
}

TEST(StackGuard, CanBeSwitchedOff) {
  Harness h = Harness::with([](SimConfig &c) { c.stackGuard = false; });
  h.setX(1, {stackTop(3), stackTop(2), stackTop(1), stackTop(0)});
  EXPECT_TRUE(h.run(Op::SD, {.imm = -128}));
}

TEST(Console, CollectsLines) {
  Harness h;
  std::string out;
  h.device->console.setSink([&](std::string_view text) { out += text; });
  h.setX(1, {VX_CONSOLE_ADDR, VX_CONSOLE_ADDR + 1, VX_CONSOLE_ADDR + 2, VX_CONSOLE_ADDR + 3});
  h.setX(2, {'a', 'b', 'c', 'd'});
  ASSERT_TRUE(h.run(Op::SB));
  h.setX(2, {'x', '\n', 'y', 'z'});
  ASSERT_TRUE(h.run(Op::SB));
  EXPECT_EQ(out, "b\n");
  h.device->console.flushAll();
  EXPECT_EQ(out, "b\naxcydz");
  EXPECT_FALSE(h.run(Op::LBU)); // write-only
  EXPECT_FALSE(h.run(Op::SW));  // bytes only
}

} // namespace
