// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp of which all lanes are active, in blocks, does what its lanes do one at a time.

#include "simulator/func/FloatBox.h"
#include "test/unit/simulator/Harness.h"
#include <functional>
#include <random>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

constexpr unsigned kLanes = 16;

/// Returns whether an instruction computes each lane's result from its own operands.
bool isPerLane(const isa::InsnInfo &row) {
  const isa::FormatInfo &form = row.form();
  return row.scope == isa::Scope::Lane && form.memory == isa::Memory::None &&
         form.flow == isa::Flow::Straight;
}

/// Numbers of either format, some of them zeros, tiny, infinite, NaN or not boxed.
uint64_t anyFloat(std::mt19937_64 &random, bool plain) {
  static constexpr uint64_t specials[] = {0,
                                          kBox,
                                          kBox | 0x80000000,
                                          kBox | 0x00000001,
                                          kBox | 0x7f800000,
                                          kBox | 0x7fc00000,
                                          kBox | 0x7f800001,
                                          0x7ff0000000000000,
                                          0x8000000000000000,
                                          0x0010000000000000};
  if (!plain && random() % 4 == 0)
    return specials[random() % std::size(specials)];
  float single = std::ldexp(float(int32_t(random())), int(random() % 40) - 40);
  double wide = std::ldexp(double(int64_t(random())), int(random() % 40) - 60);
  return random() % 2 ? kBox | std::bit_cast<uint32_t>(single) : std::bit_cast<uint64_t>(wide);
}

/// Runs OP for all lanes of A at a time and for those of B one by one; both begin alike.
void runBoth(Harness &a, Harness &b, Op op, const Operands &operands = {}) {
  a.warp().mask = (1u << kLanes) - 1;
  bool together = a.run(op, operands), singly = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    b.warp().mask = 1u << lane;
    singly &= b.run(op, operands);
  }
  EXPECT_EQ(together, singly);
  EXPECT_EQ(a.core().x, b.core().x);
  EXPECT_EQ(a.core().f, b.core().f);
  EXPECT_EQ(a.warp().fflags, b.warp().fflags);
}

TEST(LaneBlocks, Compute) {
  std::mt19937_64 random(1);
  for (size_t row = 0; row < isa::kNumInsns; ++row) {
    const isa::InsnInfo &info = isa::kInsns[row];
    if (!isPerLane(info))
      continue;
    SCOPED_TRACE(info.mnemonic);
    for (unsigned round = 0; round < 8; ++round) {
      Harness a(64, kLanes), b(64, kLanes);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned reg : {1, 2, 3, 4}) {
          a.x(reg, lane) = b.x(reg, lane) = random() % 3 ? random() : random() % 4;
          a.f(reg, lane) = b.f(reg, lane) = anyFloat(random, round % 2);
        }
      a.warp().fflags = b.warp().fflags = round % 4 == 3 ? 0 : 1;
      runBoth(a, b, info.op, {.imm = int64_t(random() % 32)});
    }
  }
}

/// Returns where a lane accesses memory.
using Place = std::function<uint64_t(Harness &, unsigned lane)>;

void checkAccesses(const char *name, Place place) {
  constexpr uint64_t bytes = 3 * Memory::kPageSize;
  std::mt19937_64 random(2);
  for (Op op : {Op::LB, Op::LBU, Op::LH, Op::LW, Op::LWU, Op::LD, Op::FLW, Op::FLD, Op::SB, Op::SH,
                Op::SW, Op::SD, Op::FSW, Op::FSD}) {
    SCOPED_TRACE(std::string(name) + ", " + isa::info(op).mnemonic.data());
    Harness a(64, kLanes), b(64, kLanes);
    for (Harness *h : {&a, &b})
      EXPECT_TRUE(bool(h->device->memory.map(Harness::kData, bytes, kRead | kWrite)));
    for (uint64_t at = 0; at < bytes; at += 8) {
      uint64_t value = random();
      a.store(Harness::kData + at, value);
      b.store(Harness::kData + at, value);
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      a.x(1, lane) = b.x(1, lane) = place(a, lane) - 8;
      a.x(2, lane) = b.x(2, lane) = a.f(2, lane) = b.f(2, lane) = random();
    }
    runBoth(a, b, op, {.imm = 8});
    EXPECT_EQ(a.core().localMemory, b.core().localMemory);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (uint64_t at = place(a, lane); at < a.device->stackBase)
        EXPECT_EQ(a.load<uint64_t>(at), b.load<uint64_t>(at));
    // A result in the base register.
    runBoth(a, b, op, {.rd = 1, .imm = 8});
  }
}

TEST(LaneBlocks, LoadsAndStores) {
  constexpr uint64_t data = Harness::kData, end = data + Memory::kPageSize;
  checkAccesses("one place", [](Harness &, unsigned) { return data + 64; });
  for (int64_t stride : {8, 16, -8, -24, 248, 512})
    checkAccesses("stride", [=](Harness &, unsigned lane) {
      return data + 1024 + uint64_t(stride * int64_t(lane)); // the last one leaves its page
    });
  checkAccesses("across pages", [](Harness &, unsigned lane) { return end - 64 + 8 * lane; });
  checkAccesses("pairs", [](Harness &, unsigned lane) { return data + lane / 2 * 40; });
  checkAccesses("anywhere", [](Harness &, unsigned lane) { return data + lane * 3624 % 4096; });
  checkAccesses("stacks", [](Harness &h, unsigned lane) {
    return h.device->stackBase - (uint64_t(lane) << h.device->stackLog2Size) - 128;
  });
  checkAccesses("local memory",
                [](Harness &h, unsigned lane) { return h.device->stackBase + 256 + 8 * lane; });
}

TEST(LaneBlocks, StoresBeforeTheOneThatIsRefused) {
  constexpr uint64_t place = 0x40000, words = 10;
  Harness h(64, kLanes);
  ASSERT_TRUE(bool(h.device->memory.map(place, words * 4, kRead | kWrite)));
  h.warp().mask = (1u << kLanes) - 1;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    h.x(1, lane) = place + 4 * lane;
    h.x(2, lane) = 100 + lane;
  }
  EXPECT_FALSE(h.run(Op::SW));
  EXPECT_EQ(h.trap().lane, words);
  EXPECT_EQ(h.trap().address, place + words * 4);
  for (uint64_t i = 0; i < words; ++i)
    EXPECT_EQ(h.load<uint32_t>(place + 4 * i), 100 + i);
}

} // namespace
