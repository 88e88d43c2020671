// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texture unit, one instruction at a time: what it returns, and what a program can do wrong.

#include "intrinsics/abi/TextureRecord.h"
#include "simulator/func/FloatBox.h"
#include "test/unit/simulator/Harness.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

constexpr uint64_t kRecord = Harness::kData, kOther = kRecord + 512, kLevels = kRecord + 1024,
                   kTexels = kRecord + 2048;

uint64_t boxed(float value) {
  return kBox | std::bit_cast<uint32_t>(value);
}

/// A texture of WIDTH x HEIGHT floats at kTexels, clamped, of the nearest elements.
vx::abi::TextureRecord floats(uint32_t width, uint32_t height) {
  vx::abi::TextureRecord r{};
  r.base = {kTexels, width * sizeof(float), 0, width, height, 1, 0};
  r.channels = 1;
  r.texelShift = 2;
  r.kind = vx::abi::kTexelWord;
  return r;
}

/// Four lanes with a texture unit; their coordinates are in f1 and f2, the level of detail in f4.
struct Unit : Harness {
  explicit Unit(bool hasUnit = true)
      : Harness(Harness::with([&](SimConfig &c) { c.texture = hasUnit; })) {
    setX(1, {kRecord, kRecord, kRecord, kRecord});
    setF(4, {boxed(0), boxed(0), boxed(0), boxed(0)});
  }
  bool select() { return run(Op::CSRRW, {.rd = 0, .rs1 = 1, .imm = 0x800}); }
  void at(std::initializer_list<float> x, std::initializer_list<float> y) {
    unsigned lane = 0;
    for (float value : x)
      f(1, lane++) = boxed(value);
    lane = 0;
    for (float value : y)
      f(2, lane++) = boxed(value);
  }
  /// IMM: log2 of the channels.
  bool tex(Op op, int64_t imm = 0) {
    return run(op, {.rd = 10, .rs1 = 1, .rs2 = 2, .rs3 = 4, .imm = imm});
  }
  float result(unsigned lane, unsigned channel = 0) {
    EXPECT_EQ(f(10 + channel, lane) >> 32, 0xffffffffu);
    return std::bit_cast<float>(uint32_t(f(10 + channel, lane)));
  }
  void texels(std::initializer_list<float> values) {
    uint64_t address = kTexels;
    for (float value : values) {
      store(address, value);
      address += sizeof value;
    }
  }
};

TEST(TextureRows, NearestElementOfEachLane) {
  Unit u;
  u.store(kRecord, floats(4, 2));
  u.texels({1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_TRUE(u.select());
  u.at({0.5f, 1.5f, 3.9f, -7}, {0.5f, 1.5f, 0, 99});
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D));
  EXPECT_EQ(u.result(0), 1);
  EXPECT_EQ(u.result(1), 6);
  EXPECT_EQ(u.result(2), 4);
  EXPECT_EQ(u.result(3), 5);
  ASSERT_TRUE(u.tex(Op::VX_TEX_1D)); // fs2 has no effect
  EXPECT_EQ(u.result(1), 2);
  EXPECT_EQ(u.core().stats.texFetches, 2u);
  // Lanes that are not active change nothing.
  u.warp().mask = 0b0001;
  u.at({2.5f, 2.5f, 2.5f, 2.5f}, {0, 0, 0, 0});
  ASSERT_TRUE(u.tex(Op::VX_TEX_1D));
  EXPECT_EQ(u.result(0), 3);
  EXPECT_EQ(u.result(1), 2);
}

TEST(TextureRows, LinearFilter) {
  Unit u;
  vx::abi::TextureRecord r = floats(2, 2);
  r.flags = vx::abi::kTextureLinear;
  u.store(kRecord, r);
  u.texels({0, 4, 8, 16});
  ASSERT_TRUE(u.select());
  u.at({1, 0.75f, 0.5f, 1.5f}, {1, 0.5f, 1, 1.25f});
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D));
  EXPECT_EQ(u.result(0), 7);
  EXPECT_EQ(u.result(1), 1);
  EXPECT_EQ(u.result(2), 4);
  EXPECT_EQ(u.result(3), 13);
}

TEST(TextureRows, ChannelsGoToRegistersSideBySide) {
  Unit u;
  vx::abi::TextureRecord r = floats(2, 1);
  r.channels = 2;
  r.texelShift = 1;
  r.kind = vx::abi::kTexelByte;
  r.flags = vx::abi::kTextureIntegers;
  r.divisor = 255;
  r.filteredDivisor = 65535;
  u.store(kRecord, r);
  u.store(kTexels, std::array<uint8_t, 4>{51, 255, 0, 102});
  ASSERT_TRUE(u.select());
  u.at({0.5f, 1.5f, 0.5f, 1.5f}, {0, 0, 0, 0});
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D, 2));
  EXPECT_EQ(u.result(0, 0), 0.2f);
  EXPECT_EQ(u.result(0, 1), 1.0f);
  EXPECT_EQ(u.result(1, 1), 0.4f);
  EXPECT_EQ(u.result(1, 2), 0.0f); // channels that the element does not have
  EXPECT_EQ(u.result(1, 3), 0.0f);
  // The fraction of a level: integers in steps of 1/256.
  ASSERT_TRUE(u.tex(Op::VX_TEX_LEVEL_2D, 1));
  EXPECT_EQ(uint32_t(u.f(10, 0)), 51u << 8);
  EXPECT_EQ(uint32_t(u.f(11, 1)), 102u << 8);
  // Integers that are read as such keep their bits.
  r.flags = 0;
  r.divisor = 0;
  r.signShift = 24;
  u.store(kRecord, r);
  ASSERT_TRUE(u.tex(Op::VX_TEX_1D));
  ASSERT_TRUE(u.tex(Op::VX_TEX_1D, 1));
  EXPECT_EQ(uint32_t(u.f(10, 0)), 51u);
  EXPECT_EQ(uint32_t(u.f(11, 0)), 0xffffffffu);
}

TEST(TextureRows, LanesMayHaveDifferentTextures) {
  Unit u;
  u.store(kRecord, floats(1, 1));
  vx::abi::TextureRecord other = floats(1, 1);
  other.base.data += 4;
  u.store(kOther, other);
  u.texels({5, 9});
  u.setX(1, {kRecord, kOther, kRecord, kOther});
  ASSERT_TRUE(u.select());
  u.at({0, 0, 0, 0}, {0, 0, 0, 0});
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D));
  EXPECT_EQ(u.result(0), 5);
  EXPECT_EQ(u.result(1), 9);
  EXPECT_EQ(u.result(2), 5);
  // The CSR is read by lane, too, and its bits are set and cleared by lane.
  ASSERT_TRUE(u.run(Op::CSRRS, {.rd = 3, .rs1 = 0, .imm = 0x800}));
  EXPECT_EQ(u.lanesOfX(3), (std::vector<uint64_t>{kRecord, kOther, kRecord, kOther}));
  u.setX(2, {1, 2, 4, 8});
  ASSERT_TRUE(u.run(Op::CSRRS, {.rd = 3, .rs1 = 2, .imm = 0x800}));
  EXPECT_EQ(u.x(3, 1), kOther);
  ASSERT_TRUE(u.run(Op::CSRRCI, {.rd = 3, .rs1 = 4, .imm = 0x800}));
  EXPECT_EQ(u.lanesOfX(3),
            (std::vector<uint64_t>{kRecord + 1, kOther + 2, kRecord + 4, kOther + 8}));
  ASSERT_TRUE(u.run(Op::CSRRS, {.rd = 3, .rs1 = 0, .imm = 0x800}));
  EXPECT_EQ(u.x(3, 2), kRecord);
}

TEST(TextureRows, LevelOfDetail) {
  Unit u;
  vx::abi::TextureRecord r = floats(2, 1);
  r.lastLevel = 1;
  r.maxLod = 256;
  r.levels = kLevels;
  r.flags = vx::abi::kTextureMipLinear; // has no effect: a program blends levels itself
  VxImageLevel small{kTexels + 8, 4, 0, 1, 1, 1, 0};
  u.store(kLevels, r.base);
  u.store(kLevels + sizeof r.base, small);
  u.store(kRecord, r);
  u.texels({3, 3, 7});
  ASSERT_TRUE(u.select());
  u.at({0, 0, 0, 0}, {0, 0, 0, 0});
  u.setF(4, {boxed(0.499f), boxed(0.5f), boxed(-3), boxed(NAN)});
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D));
  EXPECT_EQ(u.result(0), 3);
  EXPECT_EQ(u.result(1), 7);
  EXPECT_EQ(u.result(2), 3);
  EXPECT_EQ(u.result(3), 3);
  r.bias = 1;
  u.store(kRecord, r);
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D));
  EXPECT_EQ(u.result(0), 7);
  // The number of a level has no bias. Its fraction is what the weight lacks.
  u.setF(4, {boxed(0.75f), boxed(1), boxed(1.5f), boxed(NAN)});
  ASSERT_TRUE(u.tex(Op::VX_TEX_LEVEL_1D));
  EXPECT_EQ(u.result(0), 0.75f);
  EXPECT_EQ(u.result(1), 7);
  EXPECT_EQ(u.result(2), 3.5f);
  EXPECT_EQ(u.result(3), 3);
}

TEST(TextureRows, NotANumber) {
  constexpr uint32_t some = 0xffc12345, canonical = 0x7fc00000;
  Unit u;
  vx::abi::TextureRecord r = floats(1, 1);
  u.store(kRecord, r);
  u.store(kTexels, some);
  ASSERT_TRUE(u.select());
  u.at({0, NAN, INFINITY, -INFINITY}, {0, 0, NAN, INFINITY});
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D)); // as it is
  for (unsigned lane = 0; lane < 4; ++lane)
    EXPECT_EQ(uint32_t(u.f(10, lane)), some);
  r.flags = vx::abi::kTextureLinear; // computed
  u.store(kRecord, r);
  ASSERT_TRUE(u.tex(Op::VX_TEX_2D));
  for (unsigned lane = 0; lane < 4; ++lane)
    EXPECT_EQ(uint32_t(u.f(10, lane)), canonical);
}

TEST(TextureRows, WhatIsNoTextureStopsTheGuest) {
  auto report = [](auto edit) {
    Unit u;
    vx::abi::TextureRecord r = floats(4, 2);
    edit(r);
    u.store(kRecord, r);
    EXPECT_TRUE(u.select());
    u.at({0, 0, 0, 0}, {0, 0, 0, 0});
    EXPECT_FALSE(u.tex(Op::VX_TEX_2D));
    return u.trap();
  };
  auto detail = [&](auto edit) {
    TrapReport trap = report(edit);
    EXPECT_EQ(trap.cause, TrapCause::IllegalInstruction);
    EXPECT_NE(trap.detail.find("0x20000: "), std::string::npos) << trap.detail;
    return trap.detail.substr(trap.detail.find("0x20000: ") + 9);
  };
  using R = vx::abi::TextureRecord;
  EXPECT_EQ(detail([](R &r) { r.kind = vx::abi::kTexelSrgb; }), "its elements are in sRGB");
  EXPECT_EQ(detail([](R &r) { r.kind = vx::abi::TexelKind(77); }), "its format does not exist");
  EXPECT_EQ(detail([](R &r) { r.channels = 3; }), "its format does not exist");
  EXPECT_EQ(detail([](R &r) { r.texelShift = 64; }), "its format does not exist");
  EXPECT_EQ(detail([](R &r) { r.signShift = 32; }), "its format does not exist");
  EXPECT_EQ(detail([](R &r) { r.addressing[1] = 4; }), "an addressing mode does not exist");
  EXPECT_EQ(detail([](R &r) { r.lastLevel = 17; }), "it has too many levels");
  EXPECT_EQ(detail([](R &r) { r.maxLod = 1; }), "its levels of detail are not those of its levels");
  EXPECT_EQ(detail([](R &r) { r.base.width = 0; }), "its size is not one of 1 to 131072 elements");
  EXPECT_EQ(detail([](R &r) { r.base.height = ~0u; }),
            "its size is not one of 1 to 131072 elements");
  EXPECT_EQ(detail([](R &r) { r.base.depth = 6; }), "it has layers, faces or three dimensions");
  EXPECT_EQ(detail([](R &r) { // its levels are not looked at before they are sampled
              r.lastLevel = 1;
              r.levels = kTexels;
            }),
            "its size is not one of 1 to 131072 elements");
  TrapReport outside = report([](R &r) { r.base.data = 0x1000; });
  EXPECT_EQ(outside.cause, TrapCause::MemoryAccess);
  EXPECT_EQ(outside.address, 0x1000u);
  EXPECT_EQ(report([](R &r) { r.lastLevel = 3, r.levels = ~0ull - 7; }).cause,
            TrapCause::MemoryAccess);
  Unit u;
  u.setX(1, {1, 2, 3, 4});
  ASSERT_TRUE(u.select());
  EXPECT_FALSE(u.tex(Op::VX_TEX_LEVEL_2D, 2)); // no record there
}

TEST(TextureRows, RegistersOfResults) {
  Unit u;
  u.store(kRecord, floats(1, 1));
  ASSERT_TRUE(u.select());
  auto fails = [&](Operands operands, const char *why) {
    EXPECT_FALSE(u.run(Op::VX_TEX_2D, operands));
    EXPECT_EQ(u.trap().cause, TrapCause::IllegalInstruction);
    EXPECT_NE(u.trap().detail.find(why), std::string::npos) << u.trap().detail;
  };
  fails({.rd = 10, .rs1 = 1, .rs2 = 2, .rs3 = 4, .imm = 3}, "number of results");
  fails({.rd = 30, .rs1 = 1, .rs2 = 2, .rs3 = 4, .imm = 2}, "last register");
  fails({.rd = 0, .rs1 = 1, .rs2 = 2, .rs3 = 4, .imm = 1}, "operand");
  fails({.rd = 10, .rs1 = 1, .rs2 = 2, .rs3 = 13, .imm = 2}, "operand");
  EXPECT_TRUE(u.run(Op::VX_TEX_2D, {.rd = 28, .rs1 = 1, .rs2 = 2, .rs3 = 4, .imm = 2}));
  EXPECT_TRUE(u.run(Op::VX_TEX_2D, {.rd = 0, .rs1 = 1, .rs2 = 2, .rs3 = 4}));
}

TEST(TextureRows, SwitchedOff) {
  Unit u(false);
  EXPECT_FALSE(u.select());
  EXPECT_NE(u.trap().detail.find("isa.texture"), std::string::npos);
  EXPECT_FALSE(u.tex(Op::VX_TEX_2D));
  EXPECT_EQ(u.trap().cause, TrapCause::IllegalInstruction);
}

/// Whatever a program calls a texture, the guest gets a result or is stopped.
TEST(TextureRows, RandomStates) {
  std::mt19937 engine(1);
  auto random = [&] { return uint32_t(engine()); };
  Unit u;
  ASSERT_TRUE(u.select());
  unsigned results = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    vx::abi::TextureRecord r = floats(4, 4);
    r.base.rowPitch = random() % 64;
    r.texelShift = random() % 5;
    r.kind = vx::abi::TexelKind(random() % 4);
    r.channels = 1u << random() % 3;
    r.flags = random();
    r.lastLevel = random() % 4;
    r.maxLod = int32_t(r.lastLevel << 8);
    r.levels = kLevels;
    for (uint8_t &mode : r.addressing)
      mode = random() % 4;
    // One word is anything.
    uint32_t words[sizeof r / 4];
    std::memcpy(words, &r, sizeof r);
    words[random() % std::size(words)] = random();
    std::memcpy(&r, words, sizeof r);
    u.store(kRecord, r);
    for (unsigned level = 0; level < 4; ++level)
      u.store(kLevels + level * sizeof(VxImageLevel),
              VxImageLevel{kTexels, random() % 64, 0, random() % 5, random() % 5, 1, 0});
    for (unsigned reg : {1, 2, 4})
      for (unsigned lane = 0; lane < 4; ++lane)
        u.f(reg, lane) =
            kBox | (random() % 2 ? random() : std::bit_cast<uint32_t>(float(random() % 8)));
    Op op = Op(unsigned(Op::VX_TEX_1D) + random() % 4);
    bool isDone = u.tex(op, random() % 3);
    results += isDone;
    EXPECT_TRUE(isDone || u.trap().cause == TrapCause::IllegalInstruction ||
                u.trap().cause == TrapCause::MemoryAccess ||
                u.trap().cause == TrapCause::Misaligned);
  }
  EXPECT_GT(results, 2000u);
}

} // namespace
