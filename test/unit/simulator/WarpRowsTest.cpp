// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes and shuffles, their two encodings, and the profiles that have them.

#include "simulator/func/TileGroups.h"
#include "test/unit/simulator/Harness.h"
#include <random>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

using Values = std::vector<uint64_t>;

/// The result of a vote in lane 0 over PREDICATES; MASK lanes active; member mask in x2.
uint64_t vote(Op op, std::initializer_list<uint64_t> predicates, uint64_t mask = 0xf,
              int64_t members = -1) {
  Harness h;
  h.warp().mask = mask;
  h.setX(1, predicates);
  uint64_t word = uint64_t(members);
  h.setX(2, {word, word, word, word});
  EXPECT_TRUE(h.run(op, {.rs2 = members == -1 ? 0u : 2u}));
  return h.x(3, unsigned(std::countr_zero(mask)));
}

TEST(VoteRows, OverActiveLanes) {
  EXPECT_EQ(vote(Op::VX_VOTE_ALL, {1, 1, 1, 3}), 1u);
  EXPECT_EQ(vote(Op::VX_VOTE_ALL, {1, 1, 1, 2}), 0u); // bit 0 counts
  EXPECT_EQ(vote(Op::VX_VOTE_ALL, {1, 0, 1, 1}, 0b1101), 1u);
  EXPECT_EQ(vote(Op::VX_VOTE_ANY, {0, 0, 1, 0}), 1u);
  EXPECT_EQ(vote(Op::VX_VOTE_ANY, {0, 0, 1, 0}, 0b1011), 0u);
  EXPECT_EQ(vote(Op::VX_VOTE_UNI, {0, 0, 0, 0}), 1u);
  EXPECT_EQ(vote(Op::VX_VOTE_UNI, {1, 1, 0, 1}), 0u);
  EXPECT_EQ(vote(Op::VX_VOTE_UNI, {1, 1, 0, 1}, 0b1011), 1u);
  EXPECT_EQ(vote(Op::VX_VOTE_BALLOT, {1, 0, 1, 1}, 0b0111), 0b0101u);
}

TEST(VoteRows, OverAMemberMask) {
  EXPECT_EQ(vote(Op::VX_VOTE_ALL, {1, 0, 1, 1}, 0xf, 0b1101), 1u);
  EXPECT_EQ(vote(Op::VX_VOTE_ANY, {0, 1, 0, 0}, 0xf, 0b1101), 0u);
  EXPECT_EQ(vote(Op::VX_VOTE_BALLOT, {1, 1, 1, 1}, 0xf, 0b0110), 0b0110u);
  EXPECT_EQ(vote(Op::VX_VOTE_UNI, {1, 0, 0, 1}, 0xf, 0b0110), 1u);
}

TEST(VoteRows, MemberMasksNeedTheWarpProfile) {
  Harness h = Harness::with([](SimConfig &c) { c.warpIsa = WarpIsa::Upstream; });
  EXPECT_TRUE(h.run(Op::VX_VOTE_ALL, {.rs2 = 0}));
  EXPECT_FALSE(h.run(Op::VX_VOTE_ALL, {.rs2 = 2}));
  EXPECT_EQ(h.trap().cause, TrapCause::IllegalInstruction);
}

uint64_t control(unsigned offset, unsigned clamp, unsigned mask) {
  return uint64_t(mask) << 12 | clamp << 6 | offset;
}

/// The lanes' results of a shuffle of {10, 11, …} in 8 lanes with the same control word.
Values shuffle(Op op, uint64_t word, uint64_t mask = 0xff) {
  Harness h(64, 8);
  h.warp().mask = mask;
  h.setX(1, {10, 11, 12, 13, 14, 15, 16, 17});
  h.setX(2, {word, word, word, word, word, word, word, word});
  h.setX(3, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(h.run(op));
  return h.lanesOfX(3);
}

TEST(ShuffleRows, WholeWarp) {
  // Up clamps at 0, the others at the last lane, as in PTX.
  EXPECT_EQ(shuffle(Op::VX_SHFL_UP, control(2, 0, 0)), (Values{10, 11, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_DOWN, control(3, 31, 0)), (Values{13, 14, 15, 16, 17, 15, 16, 17}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_BFLY, control(5, 31, 0)), (Values{15, 14, 17, 16, 11, 10, 13, 12}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_IDX, control(6, 31, 0)), (Values{16, 16, 16, 16, 16, 16, 16, 16}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_IDX, control(20, 31, 0)), // beyond the warp: own value
            (Values{10, 11, 12, 13, 14, 15, 16, 17}));
}

TEST(ShuffleRows, Segments) {
  constexpr unsigned segmentOf4 = 0x1c; // mask of a width of 4 in 32
  EXPECT_EQ(shuffle(Op::VX_SHFL_DOWN, control(1, 31, segmentOf4)),
            (Values{11, 12, 13, 13, 15, 16, 17, 17}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_UP, control(1, 0, segmentOf4)),
            (Values{10, 10, 11, 12, 14, 14, 15, 16}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_IDX, control(6, 31, segmentOf4)), // 6 modulo 4
            (Values{12, 12, 12, 12, 16, 16, 16, 16}));
  EXPECT_EQ(shuffle(Op::VX_SHFL_BFLY, control(6, 31, segmentOf4)), // leaves the lower segment
            (Values{10, 11, 12, 13, 12, 13, 10, 11}));
}

TEST(ShuffleRows, InactiveSourcesReadZero) {
  EXPECT_EQ(shuffle(Op::VX_SHFL_BFLY, control(1, 31, 0), 0b00111101),
            (Values{0, 0, 13, 12, 15, 14, 0, 0}));
}

TEST(ShuffleRows, EachLaneHasItsOwnOffset) {
  Harness h;
  h.setX(1, {10, 11, 12, 13});
  h.setX(2, {control(3, 31, 0), control(2, 31, 0), control(1, 31, 0), control(0, 31, 0)});
  ASSERT_TRUE(h.run(Op::VX_SHFL_IDX, {.rd = 1})); // rd may be rs1
  EXPECT_EQ(h.lanesOfX(1), (Values{13, 12, 11, 10}));
}

TEST(ShuffleRows, ConstantOffset) {
  auto run = [](Op op, int64_t offset, uint64_t clampWord) {
    Harness h;
    h.setX(1, {10, 11, 12, 13});
    h.setX(2, {clampWord, clampWord, clampWord, clampWord});
    EXPECT_TRUE(h.run(op, {.imm = offset}));
    return h.lanesOfX(3);
  };
  EXPECT_EQ(run(Op::VX_SHFL_UP_I, 1, 0), (Values{10, 10, 11, 12}));
  EXPECT_EQ(run(Op::VX_SHFL_DOWN_I, 2, 31), (Values{12, 13, 12, 13}));
  EXPECT_EQ(run(Op::VX_SHFL_BFLY_I, 3, 31), (Values{13, 12, 11, 10}));
  EXPECT_EQ(run(Op::VX_SHFL_IDX_I, 1, 0x1e << 6 | 31), (Values{11, 11, 13, 13}));
}

/// Warp 0 and as many after it as it takes become a group of SIZE threads with all lanes active.
void formGroup(Harness &h, unsigned size) {
  for (Warp &warp : h.core().warps) {
    warp.state = WarpState::AtTile;
    warp.mask = (uint64_t(1) << h.device->lanes) - 1;
    warp.tileMask = size == 4 ? 0xff : size == 8 ? 0xaa : size == 16 ? 0x88 : 0x80;
    warp.tileSize = size;
  }
  regroup(h.core(), h.warp());
  ASSERT_EQ(h.warp().size, size);
}

/// Returns the lane that CUDA's __shfl_*_sync of WIDTH reads in LANE.
unsigned cudaSource(unsigned mode, unsigned lane, unsigned offset, unsigned width) {
  unsigned place = lane % width, segment = lane - place;
  switch (mode) {
  case 0: // up
    return place >= offset ? lane - offset : lane;
  case 1: // down
    return place + offset < width ? lane + offset : lane;
  case 2: // xor: into segments in front as well
    return (lane ^ offset) < segment + width ? lane ^ offset : lane;
  default:
    return segment + offset % width;
  }
}

TEST(ShuffleRows, CudaSemanticsInGroupsOfEverySize) {
  constexpr Op variable[] = {Op::VX_SHFL_UP, Op::VX_SHFL_DOWN, Op::VX_SHFL_BFLY, Op::VX_SHFL_IDX};
  constexpr Op constant[] = {Op::VX_SHFL_UP_I, Op::VX_SHFL_DOWN_I, Op::VX_SHFL_BFLY_I,
                             Op::VX_SHFL_IDX_I};
  for (unsigned lanes : {1u, 4u, 8u, 32u})
    for (unsigned size : {4u, 8u, 32u}) {
      Harness h(64, lanes, std::max(1u, 32 / lanes));
      formGroup(h, size);
      h.warp().mask &= ~uint64_t(0b100); // lane 2 is inactive
      for (unsigned test = 0; test < 4 * 32; ++test)
        for (unsigned width = 1; width <= size; width *= 2) {
          unsigned mode = test / 32, offset = test % 32;
          uint64_t clampWord = uint64_t(32 - width) << 6 | (mode == 0 ? 0 : 31);
          for (unsigned lane = 0; lane < size; ++lane) {
            h.x(1, lane) = 100 + lane;
            h.x(2, lane) = clampWord << 6 | offset;
            h.x(5, lane) = clampWord;
          }
          ASSERT_TRUE(h.run(variable[mode], {.rd = 3}));
          ASSERT_TRUE(h.run(constant[mode], {.rd = 4, .rs2 = 5, .imm = offset}));
          for (unsigned lane = 0; lane < size; ++lane) {
            unsigned source = cudaSource(mode, lane, offset, width);
            if (source >= size)
              source = lane; // beyond the group: own value
            if (lane == 2)
              continue;
            ASSERT_EQ(h.x(3, lane), source == 2 ? 0 : 100 + source)
                << lanes << " lanes, group of " << size << ", mode " << mode << ", width " << width
                << ", offset " << offset << ", lane " << lane;
            ASSERT_EQ(h.x(4, lane), h.x(3, lane));
          }
        }
    }
}

TEST(VoteRows, MemberMasksInGroupsOfEverySize) {
  std::mt19937_64 random(7);
  for (unsigned lanes : {1u, 4u, 8u, 32u})
    for (unsigned size : {4u, 8u, 32u}) {
      Harness h(64, lanes, std::max(1u, 32 / lanes));
      formGroup(h, size);
      uint64_t all = size == 32 ? 0xffffffff : (1u << size) - 1;
      for (unsigned test = 0; test < 200; ++test) {
        h.warp().mask = random() & all;
        if (!h.warp().mask)
          continue;
        uint64_t active = h.warp().mask, value = random() & random() & all;
        for (unsigned lane = 0; lane < size; ++lane) {
          h.x(1, lane) = value >> lane & 1;
          h.x(2, lane) = random(); // each lane has its own members
        }
        struct {
          Op op;
          uint64_t (*expected)(uint64_t yes, uint64_t voters);
        } votes[] = {
            {Op::VX_VOTE_ALL,
             [](uint64_t yes, uint64_t voters) { return uint64_t(yes == voters); }},
            {Op::VX_VOTE_ANY, [](uint64_t yes, uint64_t) { return uint64_t(yes != 0); }},
            {Op::VX_VOTE_UNI,
             [](uint64_t yes, uint64_t voters) { return uint64_t(!yes || yes == voters); }},
            {Op::VX_VOTE_BALLOT, [](uint64_t yes, uint64_t) { return yes; }}};
        for (auto &v : votes) {
          ASSERT_TRUE(h.run(v.op, {.rd = 3, .rs2 = 2}));
          for (unsigned lane = 0; lane < size; ++lane) {
            uint64_t voters = active & h.x(2, lane);
            if (active >> lane & 1)
              ASSERT_EQ(h.x(3, lane), v.expected(value & voters, voters))
                  << isa::info(v.op).mnemonic << " on " << lanes << " lanes, group of " << size;
          }
        }
      }
    }
}

TEST(WarpProfiles, GateTheRows) {
  Harness off = Harness::with([](SimConfig &c) { c.warpIsa = WarpIsa::Off; });
  EXPECT_FALSE(off.run(Op::VX_VOTE_ANY, {.rs2 = 0}));
  EXPECT_FALSE(off.run(Op::VX_SHFL_UP));
  EXPECT_TRUE(off.run(Op::VX_SPLIT));
  Harness upstream = Harness::with([](SimConfig &c) { c.warpIsa = WarpIsa::Upstream; });
  EXPECT_TRUE(upstream.run(Op::VX_SHFL_UP));
  EXPECT_FALSE(upstream.run(Op::VX_SHFL_UP_I));
  EXPECT_FALSE(upstream.run(Op::VX_TILE));
  EXPECT_EQ(upstream.trap().cause, TrapCause::IllegalInstruction);
  EXPECT_NE(upstream.trap().detail.find("switched off"), std::string::npos);
  Harness zicond = Harness::with([](SimConfig &c) { c.zicond = false; });
  EXPECT_FALSE(zicond.run(Op::CZERO_EQZ));
}

} // namespace
