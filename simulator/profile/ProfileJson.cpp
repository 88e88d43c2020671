// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile for programs (docs/architect/vx-report.md): all lines of each kernel, numbers only.

#include "simulator/profile/ProfileReport.h"
#include "simulator/stats/Escape.h"

namespace vx::sim {

namespace {

std::string member(const char *name, const std::string &value) {
  return jsonString(name) + ": " + value;
}

std::string stallMembers(const ProfileCounts &counts) {
  std::string text;
  for (unsigned i = 0; i < kStallCauses; ++i)
    text += (i ? ", " : "") + member(toString(StallCause(i)), std::to_string(counts.stalls[i]));
  return member("stalls", "{" + text + "}");
}

} // namespace

std::string ProfileReport::toJson() {
  std::string text = "{\n  \"kernels\": [";
  for (const ProfileTable &table : tables) {
    text += std::string(&table == tables.data() ? "" : ",") + "\n    {" +
            member("name", jsonString(table.kernel->name)) + ", " +
            member("runs", std::to_string(table.kernel->runs)) + ", " +
            member("cycles", std::to_string(table.kernel->cycles)) + ", " +
            member("core_cycles", decimal(table.cycles, 0)) + ", " + stallMembers(table.total) +
            ",\n     \"lines\": [";
    for (const ProfileLine &line : table.lines)
      text += std::string(&line == table.lines.data() ? "" : ",") + "\n      {" +
              member("place", jsonString(line.place())) + ", " +
              member("source", jsonString(sources.line(line.source.file, line.source.line))) +
              ", " + member("cycles", decimal(line.cycles, 1)) + ", " +
              member("issued", std::to_string(line.counts.issued)) + ", " +
              member("lane_percent", decimal(lanePercent(line.counts), 1)) + ", " +
              member("latency", decimal(accessLatency(line.counts), 1)) + ", " +
              stallMembers(line.counts) + "}";
    text += "]}";
  }
  return text + "\n  ]\n}\n";
}

} // namespace vx::sim
