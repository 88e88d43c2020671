// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, differences and ratios of statistics, from the rows of PerfCounters.def.

#include "simulator/api/Stats.h"
#include <algorithm>
#include <cmath>

namespace vx::sim {

namespace {

double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 0;
}

/// The 97.5 % quantile of Student's distribution, within 0.3 %: the expansion of Cornish and Fisher
/// from four DEGREES of freedom on, below it between the exact values.
double studentQuantile(double degrees) {
  constexpr double exact[] = {12.706, 4.303, 3.182, 2.776};
  if (degrees < 4) {
    unsigned below = unsigned(degrees);
    double part = degrees - below;
    return exact[below - 1] * (1 - part) + exact[below] * part;
  }
  constexpr double z = 1.959964, z2 = z * z;
  double n = degrees;
  return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

} // namespace

CoreStats &CoreStats::operator+=(const CoreStats &other) {
#define VX_COUNTER(unit, field, key, csr, help) field += other.field;
#include "intrinsics/isa/PerfCounters.def"
  return *this;
}

CoreStats &CoreStats::operator-=(const CoreStats &earlier) {
#define VX_COUNTER(unit, field, key, csr, help) field -= earlier.field;
#include "intrinsics/isa/PerfCounters.def"
  return *this;
}

MemoryStats &MemoryStats::operator+=(const MemoryStats &other) {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) field += other.field;
#include "intrinsics/isa/PerfCounters.def"
  return *this;
}

MemoryStats &MemoryStats::operator-=(const MemoryStats &earlier) {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) field -= earlier.field;
#include "intrinsics/isa/PerfCounters.def"
  return *this;
}

SampleStats &SampleStats::operator+=(const SampleStats &other) {
  runs += other.runs;
  windows += other.windows;
  detailed += other.detailed;
  variance += other.variance;
  return *this;
}

SampleStats &SampleStats::operator-=(const SampleStats &earlier) {
  runs -= earlier.runs;
  windows -= earlier.windows;
  detailed -= earlier.detailed;
  variance = std::max(0.0, variance - earlier.variance);
  return *this;
}

double SampleStats::confidence() const {
  if (variance <= 0)
    return 0;
  // Differences of neighbours share windows: two thirds as many degrees of freedom as windows.
  double degrees = windows > runs ? std::max(1.0, double(windows - runs) * 2 / 3) : 1;
  return studentQuantile(degrees) * std::sqrt(variance);
}

Stats Stats::since(const Stats &earlier) const {
  Stats part = *this;
  part.cycles -= earlier.cycles;
  part.warpInstructions -= earlier.warpInstructions;
  part.threadInstructions -= earlier.threadInstructions;
  for (size_t i = 0; i < part.cores.size() && i < earlier.cores.size(); ++i)
    part.cores[i] -= earlier.cores[i];
  part.memory -= earlier.memory;
  part.sample -= earlier.sample;
  return part;
}

Stats &Stats::operator+=(const Stats &other) {
  cycles += other.cycles;
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
  timing = other.timing;
  sampled = other.sampled;
  sample += other.sample;
  if (cores.size() < other.cores.size())
    cores.resize(other.cores.size());
  for (size_t i = 0; i < other.cores.size(); ++i)
    cores[i] += other.cores[i];
  memory += other.memory;
  return *this;
}

double Stats::ipc() const {
  return ratio(warpInstructions, cycles);
}

double Stats::threadIpc() const {
  return ratio(threadInstructions, cycles);
}

double Stats::laneOccupancy() const {
  return ratio(threadInstructions, allCores().laneSlots);
}

CoreStats Stats::allCores() const {
  CoreStats sum;
  for (const CoreStats &core : cores)
    sum += core;
  return sum;
}

} // namespace vx::sim
