// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and JSON reports of Stats, both from the rows of PerfCounters.def.

#include "simulator/api/Stats.h"

namespace vx::sim {

namespace {

void appendLine(std::string &out, const std::string &name, uint64_t value) {
  out += name;
  out.append(name.size() < 28 ? 28 - name.size() : 1, ' ');
  out += std::to_string(value) + "\n";
}

void appendMember(std::string &out, const char *key, uint64_t value, const char *separator) {
  out += separator;
  out += std::string("\"") + key + "\": " + std::to_string(value);
}

} // namespace

std::string Stats::toText() const {
  std::string out;
  appendLine(out, "cycles", cycles);
  appendLine(out, "warp_instructions", warpInstructions);
  appendLine(out, "thread_instructions", threadInstructions);
  for (size_t i = 0; i < cores.size(); ++i) {
    const CoreStats &c = cores[i];
    std::string prefix = "core" + std::to_string(i) + ".";
#define VX_COUNTER(unit, field, key, csr, help) appendLine(out, prefix + key, c.field);
#include "intrinsics/isa/PerfCounters.def"
  }
  return out;
}

std::string Stats::toJson() const {
  std::string out = "{\n  ";
  appendMember(out, "cycles", cycles, "");
  appendMember(out, "warp_instructions", warpInstructions, ",\n  ");
  appendMember(out, "thread_instructions", threadInstructions, ",\n  ");
  out += ",\n  \"cores\": [";
  for (size_t i = 0; i < cores.size(); ++i) {
    const CoreStats &c = cores[i];
    out += i ? ",\n    {" : "\n    {";
    const char *separator = "";
#define VX_COUNTER(unit, field, key, csr, help)                                                    \
  appendMember(out, key, c.field, separator);                                                      \
  separator = ", ";
#include "intrinsics/isa/PerfCounters.def"
    out += "}";
  }
  out += "\n  ]\n}\n";
  return out;
}

} // namespace vx::sim
