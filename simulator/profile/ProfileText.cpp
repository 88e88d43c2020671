// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile as text.

#include "simulator/profile/ProfileReport.h"

namespace vx::sim {

namespace {

constexpr size_t kHottest = 25;      ///< lines of the first table of a kernel
constexpr uint32_t kTextContext = 2; ///< source lines around those with counts

std::string right(const std::string &text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string stallColumns(const ProfileCounts &counts) {
  std::string text;
  for (uint64_t cycles : counts.stalls)
    text += right(std::to_string(cycles), 11);
  return text;
}

std::string header() {
  std::string text = "      cycles       %     issued   lanes %    latency";
  for (unsigned i = 0; i < kStallCauses; ++i)
    text += right(toString(StallCause(i)), 11);
  return text + "  source\n";
}

} // namespace

std::string ProfileReport::toText() {
  std::string text =
      "Core cycles by source line. A cycle without an issue counts for the instruction that could\n"
      "not be issued, under its cause; latency: cycles of a memory instruction in its unit, on\n"
      "average.\n";
  for (const ProfileTable &table : tables)
    text += "\n" + textOf(table);
  if (tables.empty())
    text += "\nNothing was run.\n";
  return text;
}

std::string ProfileReport::textOf(const ProfileTable &table) {
  std::string text = "=== " + (table.kernel->name.empty() ? "run" : table.kernel->name) + "\n    " +
                     table.summary() + "\n    core cycles: " + decimal(table.cycles, 0) +
                     ", issuing " +
                     decimal(table.percent(table.cycles - double(table.total.stalled())), 1) + " %";
  for (unsigned i = 0; i < kStallCauses; ++i)
    if (table.total.stalls[i])
      text += std::string(", ") + toString(StallCause(i)) + " " +
              decimal(table.percent(double(table.total.stalls[i])), 1) + " %";
  if (!table.kernel->code->hasLines())
    text += "\n    The image has no line information: by function.";
  text += "\n\n" + header();
  for (size_t i = 0; i < table.lines.size() && i < kHottest; ++i) {
    const ProfileLine &line = table.lines[i];
    text += right(decimal(line.cycles, 0), 12) + right(decimal(table.percent(line.cycles), 1), 8) +
            right(std::to_string(line.counts.issued), 11) +
            right(line.counts.issued ? decimal(lanePercent(line.counts), 1) : "-", 10) +
            right(line.counts.accesses ? decimal(accessLatency(line.counts), 1) : "-", 11) +
            stallColumns(line.counts) + "  " + line.place();
    std::string_view source = sources.line(line.source.file, line.source.line);
    size_t start = source.find_first_not_of(" \t");
    if (start != std::string_view::npos)
      text += "  " + std::string(source.substr(start));
    text += "\n";
  }
  if (table.lines.size() > kHottest)
    text += "    and " + std::to_string(table.lines.size() - kHottest) + " more\n";
  return text + annotatedText(table);
}

std::string ProfileReport::annotatedText(const ProfileTable &table) {
  std::string text;
  for (const auto &[file, lines] : annotate(table, sources, kTextContext)) {
    text += "\n--- " + file + "\n       %  lanes %   line\n";
    uint32_t last = 0;
    for (auto [number, line] : lines) {
      if (last && number != last + 1)
        text += "                    ...\n";
      last = number;
      text += right(line ? decimal(table.percent(line->cycles), 1) : "", 8) +
              right(line && line->counts.issued ? decimal(lanePercent(line->counts), 1) : "", 9) +
              right(std::to_string(number), 7) + "  " + std::string(sources.line(file, number)) +
              "\n";
    }
  }
  return text;
}

} // namespace vx::sim
