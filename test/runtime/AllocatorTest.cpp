// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Allocator.h"
#include <gtest/gtest.h>
#include <random>

using namespace vx::rt;

static Allocator makeAllocator(uint64_t size = 1 << 20) {
  AddressRange arena{0x10000, size};
  return Allocator({&arena, 1}, size);
}

TEST(Allocator, RangesArePageAlignedWithAGuardBehind) {
  Allocator a = makeAllocator();
  uint64_t first = *a.allocate(100), second = *a.allocate(5000), third = *a.allocate(1);
  EXPECT_EQ(first % 4096, 0u);
  EXPECT_GE(second, first + 100 + 4096);
  EXPECT_GE(third, second + 5000 + 4096);
}

TEST(Allocator, FindIsByteExact) {
  Allocator a = makeAllocator();
  uint64_t base = *a.allocate(100);
  EXPECT_TRUE(a.find(base));
  EXPECT_TRUE(a.find(base + 99));
  EXPECT_FALSE(a.find(base + 100));
  EXPECT_FALSE(a.find(base - 1));
}

TEST(Allocator, RefusesWhatDoesNotFit) {
  Allocator a = makeAllocator(1 << 16);
  EXPECT_FALSE(a.allocate(0));
  EXPECT_FALSE(a.allocate(uint64_t(1) << 63));
  EXPECT_FALSE(a.allocate(UINT64_MAX));
  EXPECT_TRUE(a.allocate(4096));
  EXPECT_FALSE(a.allocate(1 << 16));
}

TEST(Allocator, ReleasedSpaceComesBackWhole) {
  Allocator a = makeAllocator(1 << 20);
  std::vector<uint64_t> bases;
  while (std::optional<uint64_t> base = a.allocate(4096))
    bases.push_back(*base);
  EXPECT_EQ(bases.size(), ((1u << 20) - 4096) / 8192) << "gaps before and after each";
  // Every second one first, so that neighbours have to be merged on both sides.
  for (size_t i = 0; i < bases.size(); i += 2)
    EXPECT_EQ(a.release(bases[i]), 4096u);
  for (size_t i = 1; i < bases.size(); i += 2)
    EXPECT_EQ(a.release(bases[i]), 4096u);
  EXPECT_EQ(a.used(), 0u);
  EXPECT_TRUE(a.allocate((1 << 20) - 8192));
}

TEST(Allocator, NeverUsedMemoryIsNotWhatWasReleased) {
  Allocator a = makeAllocator();
  uint64_t first = *a.allocate(256 << 10), second = *a.allocate(64);
  a.release(first);
  uint64_t fresh = *a.allocate(64, /*neverUsed=*/true);
  EXPECT_GT(fresh, second);
  EXPECT_EQ(*a.allocate(64), first) << "else the first place that fits";
  a.release(fresh);
  uint64_t next = *a.allocate(64, true);
  EXPECT_GT(next, fresh) << "it has been used";
  // Where there is no other room, it is what was released.
  while (a.allocate(4096, true))
    ;
  a.release(next);
  EXPECT_EQ(*a.allocate(64, true), next);
}

TEST(Allocator, ReleaseOfAnythingElseFails) {
  Allocator a = makeAllocator();
  uint64_t base = *a.allocate(64);
  EXPECT_FALSE(a.release(base + 1));
  EXPECT_FALSE(a.release(0));
  EXPECT_TRUE(a.release(base));
  EXPECT_FALSE(a.release(base));
}

TEST(Allocator, ClaimsAreKeptOutOfAllocations) {
  Allocator a = makeAllocator();
  uint64_t first = *a.allocate(64);
  EXPECT_FALSE(a.claim(first, 1));
  uint64_t place = first + 16 * kPage;
  EXPECT_TRUE(a.claim(place + 8, 16));
  EXPECT_FALSE(a.claim(place, 1)); // of the same page
  for (int i = 0; i < 40; ++i) {
    std::optional<uint64_t> base = a.allocate(2 * kPage);
    if (base)
      EXPECT_FALSE((AddressRange{*base, 2 * kPage}.overlaps(place, kPage)));
  }
  EXPECT_TRUE(a.claim(uint64_t(1) << 60, 1 << 20)); // in no arena
  a.unclaim(place + 8);
  a.unclaim(place + 8);
}

TEST(Allocator, RandomUseNeverOverlaps) {
  Allocator a = makeAllocator(8 << 20);
  std::mt19937 random(1);
  std::map<uint64_t, uint64_t> live;
  for (int step = 0; step < 5000; ++step) {
    if (live.empty() || random() % 3) {
      uint64_t size = 1 + random() % 20000;
      std::optional<uint64_t> base = a.allocate(size, random() % 4 == 0);
      if (!base)
        continue;
      auto next = live.lower_bound(*base);
      ASSERT_TRUE(next == live.end() || *base + size < next->first);
      ASSERT_TRUE(next == live.begin() || std::prev(next)->first + std::prev(next)->second < *base);
      live[*base] = size;
    } else {
      auto it = std::next(live.begin(), random() % live.size());
      ASSERT_EQ(a.release(it->first), it->second);
      live.erase(it);
    }
  }
}
