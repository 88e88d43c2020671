// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/profile/Profiler.h"
#include "simulator/profile/ProfileReport.h"
#include "simulator/trace/TraceFile.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

ProfileCounts &ProfileCounts::operator+=(const ProfileCounts &other) {
  issued += other.issued;
  lanes += other.lanes;
  laneSlots += other.laneSlots;
  accesses += other.accesses;
  accessCycles += other.accessCycles;
  for (unsigned i = 0; i < kStallCauses; ++i)
    stalls[i] += other.stalls[i];
  return *this;
}

ProfileCounts KernelProfile::total() const {
  ProfileCounts sum;
  for (const auto &[pc, insn] : insns)
    sum += insn.counts;
  return sum;
}

void Profiler::describeRuns(const std::string &kernel, CodeMap &code) {
  auto known = std::find_if(profiles.begin(), profiles.end(), [&](const KernelProfile &profile) {
    return profile.name == kernel && profile.code == &code;
  });
  current = size_t(known - profiles.begin());
  if (known == profiles.end())
    profiles.push_back({kernel, &code, 0, 0, 0, {}});
}

void Profiler::runStarted() {
  ends.clear();
}

void Profiler::extend(uint32_t core, Cycle end) {
  if (core >= ends.size())
    ends.resize(core + 1);
  ends[core] = std::max(ends[core], end);
}

void Profiler::committed(const InsnLife &life) {
  InsnProfile &insn = profiles[current].insns[life.pc];
  insn.word = life.word;
  ++insn.counts.issued;
  insn.counts.lanes += uint64_t(std::popcount(life.mask));
  insn.counts.laneSlots += life.size;
  if (life.unit == isa::Unit::Lsu) {
    ++insn.counts.accesses;
    insn.counts.accessCycles += life.committed - std::min(life.executed, life.committed);
  }
  extend(life.core, life.committed + 1);
}

void Profiler::stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first, Cycle cycles) {
  profiles[current].insns[pc].counts.stalls[unsigned(cause)] += cycles;
  extend(core, first + cycles);
}

void Profiler::runEnded(Cycle cycles) {
  KernelProfile &profile = profiles[current];
  ++profile.runs;
  profile.cycles += cycles;
  for (Cycle end : ends)
    profile.coreCycles += std::min(end, cycles);
}

static Result<void> writeText(const std::string &path, const std::string &text) {
  TraceFile file;
  if (Result<void> r = file.open(path); !r)
    return r;
  file.append(text);
  return file.close();
}

Result<void> Profiler::finish() {
  ProfileReport report(profiles);
  if (prefix == "-")
    return writeText(prefix, report.toText());
  if (Result<void> r = writeText(prefix + ".txt", report.toText()); !r)
    return r;
  if (Result<void> r = writeText(prefix + ".html", report.toHtml()); !r)
    return r;
  return writeText(prefix + ".profile.json", report.toJson());
}

} // namespace vx::sim
