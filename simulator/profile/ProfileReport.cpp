// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/profile/ProfileReport.h"
#include <algorithm>
#include <cstdio>
#include <tuple>

namespace vx::sim {

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string ProfileLine::place() const {
  if (source.file.empty())
    return function.empty() ? "(no instruction)" : function;
  size_t slash = source.file.rfind('/');
  return source.file.substr(slash == std::string::npos ? 0 : slash + 1) + ":" +
         std::to_string(source.line);
}

ProfileTable::ProfileTable(const KernelProfile &profile)
    : kernel(&profile), total(profile.total()) {
  uint64_t stalled = std::min(total.stalled(), profile.coreCycles);
  if (total.issued)
    cyclesPerIssue = double(profile.coreCycles - stalled) / double(total.issued);
  cycles = cyclesOf(total);
  std::map<std::tuple<std::string, uint32_t, std::string>, ProfileLine> byPlace;
  for (const auto &[pc, insn] : profile.insns) {
    CodePlace place = pc ? profile.code->at(pc) : CodePlace();
    if (place.source.line == 0) // what the compiler adds has no line
      place.source = {};
    if (pc && place.function.empty())
      place.function = "(unknown function)";
    bool hasLine = !place.source.file.empty();
    ProfileLine &line = byPlace[{place.source.file, hasLine ? place.source.line : 0,
                                 hasLine ? std::string() : place.function}];
    line.source = place.source;
    line.function = place.function;
    line.counts += insn.counts;
    line.insns.emplace_back(pc, &insn);
  }
  for (auto &[key, line] : byPlace) {
    line.cycles = cyclesOf(line.counts);
    lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto &a, const auto &b) { return a.cycles > b.cycles; });
}

std::string ProfileTable::summary() const {
  const KernelProfile &k = *kernel;
  std::string text = std::to_string(k.runs) + (k.runs == 1 ? " run, " : " runs, ") +
                     std::to_string(k.cycles) + " cycles, " + std::to_string(total.issued) +
                     " warp instructions";
  if (k.cycles)
    text += ", " + decimal(double(total.issued) / double(k.cycles), 3) + " per cycle";
  return text + ", " + decimal(lanePercent(total), 1) + " % of lanes active";
}

ProfileReport::ProfileReport(const std::vector<KernelProfile> &kernels) {
  for (const KernelProfile &kernel : kernels)
    if (kernel.runs)
      tables.emplace_back(kernel);
  std::stable_sort(tables.begin(), tables.end(), [](const auto &a, const auto &b) {
    return a.kernel->cycles > b.kernel->cycles;
  });
}

std::vector<std::pair<std::string, AnnotatedLines>>
annotate(const ProfileTable &table, SourceCache &sources, uint32_t context) {
  std::vector<std::pair<std::string, AnnotatedLines>> files;
  for (const ProfileLine &line : table.lines) { // hottest first, so files are, too
    const std::string &name = line.source.file;
    if (name.empty() || sources.lines(name).empty())
      continue;
    auto file = std::find_if(files.begin(), files.end(),
                             [&](const auto &entry) { return entry.first == name; });
    if (file == files.end())
      file = files.insert(files.end(), {name, {}});
    uint32_t number = line.source.line;
    uint32_t last = std::min<uint64_t>(uint64_t(number) + context, sources.lines(name).size());
    for (uint32_t i = number > context ? number - context : 1; i <= last; ++i)
      file->second.try_emplace(i, nullptr);
    file->second[number] = &line;
  }
  return files;
}

} // namespace vx::sim
