// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, differences and ratios of statistics, from the rows of PerfCounters.def.

#include "simulator/api/Stats.h"

namespace vx::sim {

namespace {

double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 0;
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

Stats Stats::since(const Stats &earlier) const {
  Stats part = *this;
  part.cycles -= earlier.cycles;
  part.warpInstructions -= earlier.warpInstructions;
  part.threadInstructions -= earlier.threadInstructions;
  for (size_t i = 0; i < part.cores.size() && i < earlier.cores.size(); ++i)
    part.cores[i] -= earlier.cores[i];
  part.memory -= earlier.memory;
  return part;
}

Stats &Stats::operator+=(const Stats &other) {
  cycles += other.cycles;
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
  timing = other.timing;
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
