// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/sampled/SamplePlan.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Periods of one length before the next length is considered.
constexpr unsigned kPeriodsOfALength = 8;
/// A confidence interval of that half width is good enough for periods of kLongest times the usual
/// length. Longer ones would pass over whole phases of kernels whose rate changes rarely.
constexpr double kGoodEnough = 0.005;
constexpr uint64_t kLongest = 2;

/// Cache lines that instructions in flight may have warmed for each line of the caches.
uint64_t warmingFor(const SimConfig &c) {
  constexpr uint64_t perLine = 16;
  uint64_t lines = 0;
  if (c.icacheEnabled)
    lines = std::max<uint64_t>(lines, c.icacheSize / c.icacheLine * c.sockets());
  if (c.dcacheEnabled)
    lines = std::max<uint64_t>(lines, c.dcacheSize / c.dcacheLine * c.sockets());
  if (c.l2Enabled)
    lines = std::max<uint64_t>(lines, c.l2Size / c.l2Line * c.clusters);
  if (c.l3Enabled)
    lines = std::max<uint64_t>(lines, c.l3Size / c.l3Line);
  return perLine * lines;
}

} // namespace

SampleShape SampleShape::of(const SimConfig &c) {
  constexpr uint64_t perWarp = 256, least = 4000, detailedPart = 32, firstPart = 8;
  SampleShape s;
  uint64_t warps = uint64_t(c.numCores) * c.numWarps;
  s.window = c.sampleWindow ? c.sampleWindow : std::max(least, perWarp * warps);
  s.warmup = c.sampleWarmup ? c.sampleWarmup : s.window / 4;
  s.warming = c.sampleWarming ? c.sampleWarming : warmingFor(c);
  s.search = 1024 * warps;
  uint64_t detailed = s.window + s.warmup;
  s.adapts = c.samplePeriod == 0;
  s.period = s.adapts ? detailedPart * detailed : std::max(c.samplePeriod, detailed);
  s.firstPeriod = s.adapts ? firstPart * detailed : s.period;
  s.whole = c.sampleWhole;
  return s;
}

void SamplePlan::start() {
  random = seed + 0x9e3779b97f4a7c15;
  first = shape.whole;
  length = shape.firstPeriod;
  ofThisLength = 0;
  place();
}

bool SamplePlan::mayGrow() const {
  return shape.adapts && ofThisLength + 1 >= kPeriodsOfALength;
}

void SamplePlan::next(double confidence) {
  uint64_t longest = shape.period * (confidence < kGoodEnough ? kLongest : 1);
  bool grows = mayGrow() && length < longest;
  first += length;
  length *= grows ? 2 : 1;
  ofThisLength = grows ? 0 : ofThisLength + 1;
  place();
}

void SamplePlan::restart(uint64_t at) {
  first = at;
  length = shape.firstPeriod;
  windowAt = at + shape.warmup;
  ofThisLength = 0;
}

/// Chooses the place of the window.
void SamplePlan::place() {
  random ^= random << 13; // xorshift64
  random ^= random >> 7;
  random ^= random << 17;
  uint64_t room = length - shape.window - shape.warmup;
  windowAt = first + shape.warmup + (room ? random % (room + 1) : 0);
}

} // namespace vx::sim
