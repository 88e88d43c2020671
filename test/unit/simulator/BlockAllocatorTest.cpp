// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as Vortex's drivers hand them out.

#include "simulator/vortex/BlockAllocator.h"
#include <gtest/gtest.h>

using vx::sim::BlockAllocator;

namespace {

constexpr uint64_t kBase = 0x10000, kEnd = 0x20000;

TEST(BlockAllocator, SmallBlocksShareAPage) {
  BlockAllocator allocator(kBase, kEnd);
  EXPECT_EQ(allocator.allocate(1), kBase);
  EXPECT_EQ(allocator.allocate(65), kBase + 64);
  EXPECT_EQ(allocator.allocate(64), kBase + 192);
  EXPECT_EQ(allocator.used(), 256u);
  EXPECT_EQ(allocator.allocate(4096 - 255), kBase + 4096) << "it does not fit into the page";
}

TEST(BlockAllocator, TheSmallestThatFitsAndAmongEqualsTheOldest) {
  BlockAllocator allocator(kBase, kEnd);
  uint64_t block[6];
  for (uint64_t &address : block)
    address = *allocator.allocate(64);
  ASSERT_TRUE(allocator.release(block[3]));
  ASSERT_TRUE(allocator.release(block[1]));
  EXPECT_EQ(allocator.allocate(64), block[3]) << "free before the other one";
  EXPECT_EQ(allocator.allocate(128), block[5] + 64) << "the rest of the page";
  EXPECT_EQ(allocator.allocate(64), block[1]);
}

TEST(BlockAllocator, NeighboursAreMergedAndEmptyPagesGoAway) {
  BlockAllocator allocator(kBase, kEnd);
  uint64_t a = *allocator.allocate(64), b = *allocator.allocate(64), c = *allocator.allocate(64);
  EXPECT_TRUE(allocator.release(a));
  EXPECT_TRUE(allocator.release(b));
  EXPECT_EQ(allocator.allocate(128), a);
  EXPECT_TRUE(allocator.release(a));
  EXPECT_FALSE(allocator.release(b)) << "it is part of a free block";
  EXPECT_TRUE(allocator.release(c));
  EXPECT_EQ(allocator.used(), 0u);
  EXPECT_TRUE(allocator.reserve(kBase, kEnd - kBase)) << "no page is left";
}

TEST(BlockAllocator, ReservedPagesAreKeptOut) {
  BlockAllocator allocator(kBase, kEnd);
  EXPECT_TRUE(allocator.reserve(kBase + 0x2000, 1));
  EXPECT_FALSE(allocator.reserve(kBase + 0x2fff, 1)) << "whole pages";
  EXPECT_FALSE(allocator.reserve(kBase + 0x1000, 0x1001));
  EXPECT_TRUE(allocator.reserve(0x80, 64)) << "below what is handed out";
  EXPECT_EQ(allocator.allocate(0x2000), kBase);
  EXPECT_EQ(allocator.allocate(0x1000), kBase + 0x3000);
  EXPECT_TRUE(allocator.release(kBase + 0x2000));
  EXPECT_EQ(allocator.allocate(0x1000), kBase + 0x2000);
}

TEST(BlockAllocator, WhatDoesNotFitIsRefused) {
  BlockAllocator allocator(kBase, kEnd);
  EXPECT_FALSE(allocator.allocate(0));
  EXPECT_FALSE(allocator.allocate(kEnd - kBase + 1));
  EXPECT_FALSE(allocator.allocate(~uint64_t(0)));
  EXPECT_FALSE(allocator.reserve(kEnd, 1));
  EXPECT_FALSE(allocator.reserve(kBase, ~uint64_t(0)));
  EXPECT_TRUE(allocator.allocate(kEnd - kBase));
  EXPECT_FALSE(allocator.allocate(1));
  EXPECT_FALSE(allocator.release(kBase + 64));
}

} // namespace
