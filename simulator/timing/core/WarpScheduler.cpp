// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warp scheduling policies, and the table that names them.

#include "simulator/timing/core/WarpScheduler.h"
#include <algorithm>
#include <array>

namespace vx::sim {

namespace {

/// The ready warp with the lowest number: warps of high number run when the others wait.
class Fixed : public WarpScheduler {
public:
  uint32_t pick(const SlotSet &ready) override { return ready.first(); }
  void reset() override {}
};

/// Each ready warp in turn.
class RoundRobinPolicy : public WarpScheduler {
public:
  uint32_t pick(const SlotSet &ready) override { return arbiter.grant(ready); }
  void reset() override { arbiter.reset(); }

private:
  RoundRobin arbiter;
};

/// The ready warp that has not been picked for the longest time.
class OldestFirst : public WarpScheduler {
public:
  uint32_t pick(const SlotSet &ready) override {
    uint32_t oldest = ready.first();
    ready.forEach([&](uint32_t slot) {
      if (lastPick[slot] < lastPick[oldest])
        oldest = slot;
    });
    lastPick[oldest] = ++picks;
    return oldest;
  }
  void reset() override {
    lastPick.fill(0);
    picks = 0;
  }

private:
  std::array<uint64_t, SlotSet::kMaxSlots> lastPick{};
  uint64_t picks = 0;
};

/// Round-robin within one group of warps as long as one of it is ready, then the next group: warps
/// of different groups reach their long waits at different times.
class TwoLevel : public WarpScheduler {
public:
  explicit TwoLevel(uint32_t groupSize) : groupSize(groupSize) {}

  uint32_t pick(const SlotSet &ready) override {
    uint32_t begin = last / groupSize * groupSize, end = begin + groupSize;
    uint32_t slot = ready.firstFrom(last + 1);
    if (slot >= end) // none after the last one: from the start of the group
      slot = ready.firstFrom(begin);
    if (slot >= end)
      slot = ready.next(end - 1);
    last = slot;
    return slot;
  }
  void reset() override { last = 0; }

private:
  const uint32_t groupSize;
  uint32_t last = 0;
};

template <typename T> std::unique_ptr<WarpScheduler> make(const SimConfig &) {
  return std::make_unique<T>();
}

struct Row {
  WarpPolicy name;
  std::unique_ptr<WarpScheduler> (*make)(const SimConfig &);
};

constexpr Row kPolicies[] = {
    {WarpPolicy::Fixed, make<Fixed>},
    {WarpPolicy::RoundRobin, make<RoundRobinPolicy>},
    {WarpPolicy::OldestFirst, make<OldestFirst>},
    {WarpPolicy::TwoLevel,
     [](const SimConfig &config) -> std::unique_ptr<WarpScheduler> {
       return std::make_unique<TwoLevel>(config.schedulerGroup);
     }},
};

} // namespace

std::unique_ptr<WarpScheduler> makeWarpScheduler(const SimConfig &config) {
  const Row *row = std::find_if(std::begin(kPolicies), std::end(kPolicies),
                                [&](const Row &r) { return r.name == config.scheduler; });
  return row->make(config);
}

} // namespace vx::sim
