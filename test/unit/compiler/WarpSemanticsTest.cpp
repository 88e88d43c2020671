// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane that a shuffle reads, against the rule as the PTX manual states it, for all lanes,
// offsets and segments: the shortcuts of usual segments included. With constant operands the
// builder folds what is emitted into a constant.

#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/IR/Constants.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace vx;

namespace {

struct Read {
  int lane;
  bool inside;
};

/// Reads as section "shfl.sync" of the PTX manual says.
Read readAsPtx(VxFn fn, int lane, int by, int segment) {
  int segmentMask = segment >> 8 & 31, clamp = segment & 31;
  int maxLane = (lane & segmentMask) | (clamp & ~segmentMask);
  int minLane = lane & segmentMask;
  int j = 0;
  bool inside = false;
  switch (fn) {
  case VxFn::ShflUp32:
    j = lane - by;
    inside = j >= maxLane;
    break;
  case VxFn::ShflDown32:
    j = lane + by;
    inside = j <= maxLane;
    break;
  case VxFn::ShflBfly32:
    j = lane ^ by;
    inside = j <= maxLane;
    break;
  default:
    j = minLane | (by & ~segmentMask);
    inside = j <= maxLane;
  }
  return {inside ? j : lane, inside};
}

class ShuffleSourceTest : public testing::TestWithParam<std::tuple<VxFn, unsigned>> {};

TEST_P(ShuffleSourceTest, FollowsPtx) {
  auto [fn, width] = GetParam();
  LLVMContext ctx;
  IRBuilder<> b(ctx);
  for (int segmentMask = 0; segmentMask < 32; ++segmentMask)
    for (int clamp : {0, 1, 7, 12, 15, 16, 28, 30, 31})
      for (int lane = 0; lane < 32; ++lane)
        for (int by = 0; by < 32; ++by) {
          int segment = segmentMask << 8 | clamp;
          Value *own = b.getIntN(width, lane);
          ShuffleSource source = emitShuffleSource(b, fn, own, b.getInt32(by), b.getInt32(segment));
          Read expected = readAsPtx(fn, lane, by, segment);
          auto *from = dyn_cast<ConstantInt>(source.select(b, own));
          ASSERT_TRUE(from);
          ASSERT_EQ(from->getSExtValue(), expected.lane)
              << "lane " << lane << ", by " << by << ", segment " << segment;
          ASSERT_EQ(!source.inside || cast<ConstantInt>(source.inside)->isOne(), expected.inside)
              << "lane " << lane << ", by " << by << ", segment " << segment;
        }
}

/// Only the five low bits of the operand count.
TEST(ShuffleSource, WrapsItsOperand) {
  LLVMContext ctx;
  IRBuilder<> b(ctx);
  Value *own = b.getInt32(3);
  ShuffleSource source =
      emitShuffleSource(b, VxFn::ShflIdx32, own, b.getInt32(32 + 5), b.getInt32(31));
  EXPECT_EQ(cast<ConstantInt>(source.select(b, own))->getZExtValue(), 5u);
}

INSTANTIATE_TEST_SUITE_P(All, ShuffleSourceTest,
                         testing::Combine(testing::Values(VxFn::ShflUp32, VxFn::ShflDown32,
                                                          VxFn::ShflBfly32, VxFn::ShflIdx32),
                                          testing::Values(32u, 64u)));

} // namespace
