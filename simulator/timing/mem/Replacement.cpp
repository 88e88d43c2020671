// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The replacement policies, one class each, and the table of their names.

#include "simulator/timing/mem/Replacement.h"
#include <algorithm>
#include <bit>
#include <vector>

namespace vx::sim {

namespace {

/// A use counter per line: a hit sets it to 0, every other lookup of the set adds 1, a fill leaves
/// it. So a filled line that is not used again is the next to go, and a line that is used may stay
/// long: of a ring four times as large as the cache some lines survive each lap, where none would
/// under LRU.
class CounterPolicy final : public ReplacementPolicy {
public:
  CounterPolicy(uint32_t sets, uint32_t ways) : ways(ways), counters(size_t(sets) * ways) {}
  void reset() override { std::fill(counters.begin(), counters.end(), 0); }
  uint32_t lookup(uint32_t set, int hit, uint64_t valid) override {
    uint32_t *counter = &counters[size_t(set) * ways];
    uint32_t victim = 0, largest = 0;
    for (uint32_t way = 0; way != ways; ++way) {
      if (counter[way] > largest) {
        largest = counter[way];
        victim = way;
      }
      if (int(way) == hit)
        counter[way] = 0;
      else
        counter[way] += valid >> way & 1;
    }
    return victim;
  }
  void hit(uint32_t set, uint32_t way, uint64_t valid, uint64_t times) override {
    uint32_t *counter = &counters[size_t(set) * ways];
    for (uint64_t rest = valid; rest; rest &= rest - 1)
      counter[std::countr_zero(rest)] += uint32_t(times);
    counter[way] = 0;
  }
  void fill(uint32_t, uint32_t) override {}

private:
  uint32_t ways;
  std::vector<uint32_t> counters;
};

/// Least recently used (or filled): a time stamp per line.
class LruPolicy final : public ReplacementPolicy {
public:
  LruPolicy(uint32_t sets, uint32_t ways) : ways(ways), stamps(size_t(sets) * ways) {}
  void reset() override {
    std::fill(stamps.begin(), stamps.end(), 0);
    time = 0;
  }
  uint32_t lookup(uint32_t set, int hit, uint64_t) override {
    uint64_t *stamp = &stamps[size_t(set) * ways];
    if (hit >= 0)
      stamp[hit] = ++time;
    return uint32_t(std::min_element(stamp, stamp + ways) - stamp);
  }
  void fill(uint32_t set, uint32_t way) override { stamps[size_t(set) * ways + way] = ++time; }

private:
  uint32_t ways;
  uint64_t time = 0;
  std::vector<uint64_t> stamps;
};

/// The ways of a set in turn.
class FifoPolicy final : public ReplacementPolicy {
public:
  FifoPolicy(uint32_t sets, uint32_t ways) : ways(ways), next(sets) {}
  void reset() override { std::fill(next.begin(), next.end(), 0); }
  uint32_t lookup(uint32_t set, int, uint64_t) override { return next[set]; }
  // Invalid ways are filled from the highest down, so the order of ages is downwards too.
  void fill(uint32_t set, uint32_t way) override { next[set] = (way ? way : ways) - 1; }

private:
  uint32_t ways;
  std::vector<uint32_t> next;
};

/// Any way; the sequence starts anew at reset, so that runs are repeatable.
class RandomPolicy final : public ReplacementPolicy {
public:
  RandomPolicy(uint32_t, uint32_t ways) : ways(ways) {}
  void reset() override { state = kSeed; }
  uint32_t lookup(uint32_t, int hit, uint64_t) override {
    if (hit >= 0)
      return 0;
    state ^= state << 13; // xorshift64
    state ^= state >> 7;
    state ^= state << 17;
    return uint32_t(state >> 32) & (ways - 1);
  }
  void fill(uint32_t, uint32_t) override {}

private:
  static constexpr uint64_t kSeed = 0x9e3779b97f4a7c15;
  uint32_t ways;
  uint64_t state = kSeed;
};

/// A binary tree of bits over the ways; each points to the half that was not used last.
class PlruPolicy final : public ReplacementPolicy {
public:
  PlruPolicy(uint32_t sets, uint32_t ways) : ways(ways), trees(sets) {}
  void reset() override { std::fill(trees.begin(), trees.end(), 0); }
  uint32_t lookup(uint32_t set, int hit, uint64_t) override {
    if (hit >= 0)
      touch(set, uint32_t(hit));
    uint32_t node = 1;
    while (node < ways)
      node = 2 * node + (trees[set] >> node & 1);
    return node - ways;
  }
  void fill(uint32_t set, uint32_t way) override { touch(set, way); }

private:
  void touch(uint32_t set, uint32_t way) {
    for (uint32_t node = way + ways; node > 1; node /= 2) {
      uint64_t bit = uint64_t(1) << (node / 2);
      trees[set] = node & 1 ? trees[set] & ~bit : trees[set] | bit;
    }
  }

  uint32_t ways;
  std::vector<uint64_t> trees; ///< bit N: node N, whose children are 2N and 2N+1
};

using Maker = std::unique_ptr<ReplacementPolicy> (*)(uint32_t sets, uint32_t ways);

template <typename Policy> std::unique_ptr<ReplacementPolicy> make(uint32_t sets, uint32_t ways) {
  return std::make_unique<Policy>(sets, ways);
}

/// In the order of ReplacementName.
constexpr Maker kMakers[] = {make<CounterPolicy>, make<LruPolicy>, make<FifoPolicy>,
                             make<RandomPolicy>, make<PlruPolicy>};

} // namespace

std::unique_ptr<ReplacementPolicy> ReplacementPolicy::create(ReplacementName name, uint32_t sets,
                                                             uint32_t ways) {
  return kMakers[size_t(name)](sets, ways);
}

} // namespace vx::sim
