// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/sampled/SampleCounters.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace vx::sim {

namespace {

constexpr uint64_t CoreStats::*kCoreCounters[] = {
#define VX_COUNTER(unit, field, key, csr, help) &CoreStats::field,
#include "intrinsics/isa/PerfCounters.def"
};
constexpr uint64_t MemoryStats::*kMemoryCounters[] = {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) &MemoryStats::field,
#include "intrinsics/isa/PerfCounters.def"
};
/// The first counter of a core that counts in timing mode only (PerfCounters.def).
constexpr auto kFirstTimed =
    std::find(std::begin(kCoreCounters), std::end(kCoreCounters), &CoreStats::branches);

/// Calls visit(counter of A, counter of B) for all that the timing model counts.
template <typename Counts, typename Other, typename F> void forTimed(Counts &a, Other &b, F visit) {
  for (size_t core = 0; core < a.cores.size(); ++core)
    for (auto counter = kFirstTimed; counter != std::end(kCoreCounters); ++counter)
      visit(a.cores[core].**counter, b.cores[core].**counter);
  for (auto counter : kMemoryCounters)
    visit(a.memory.*counter, b.memory.*counter);
}

} // namespace

SampleCounters::Sums SampleCounters::since(const DeviceCounts &counts,
                                           const DeviceCounts &earlier) {
  Sums differences;
  forTimed(counts, earlier,
           [&](uint64_t now, uint64_t then) { differences.push_back(double(now - then)); });
  return differences;
}

void SampleCounters::start(DeviceCounts counts) {
  atStart = std::move(counts);
  sums.clear();
  last.clear();
}

void SampleCounters::endWhole(const DeviceCounts &counts) {
  last = sums = since(counts, atStart);
}

void SampleCounters::endExact(const DeviceCounts &counts) {
  Sums part = since(counts, begin);
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] += part[i];
}

void SampleCounters::endWindow(const DeviceCounts &counts, double times) {
  last = since(counts, begin);
  extend(times);
}

void SampleCounters::extend(double times) {
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] += times * last[i];
}

DeviceCounts SampleCounters::finish(DeviceCounts counts) const {
  size_t i = 0;
  forTimed(counts, atStart, [&](uint64_t &value, uint64_t before) {
    value = before + uint64_t(std::llround(std::max(0.0, sums[i])));
    ++i;
  });
  return counts;
}

} // namespace vx::sim
