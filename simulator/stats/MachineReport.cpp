// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/api/MachineReport.h"
#include "simulator/stats/Escape.h"
#include <type_traits>

namespace vx::sim {

namespace {

template <typename T> std::string jsonValue(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// The name of VALUE in CHOICES, "one|other".
template <typename T> std::string choiceName(T value, std::string_view choices) {
  for (unsigned index = unsigned(value); index; --index)
    choices.remove_prefix(choices.find('|') + 1);
  return std::string(choices.substr(0, choices.find('|')));
}

} // namespace

MachinePeak peakOf(const SimConfig &c) {
  MachinePeak peak;
  peak.threadInstructions = double(c.numCores) * c.issueSlots() * c.numThreads;
  peak.dcacheBytes = double(c.numCores) * c.dcacheBankCount() * c.coalescerLineBytes();
  double channel = c.dram == DramName::Fixed
                       ? double(c.memoryBlockBytes()) / c.dramInterval
                       : double(c.dramPseudoChannels) * c.dramAccess / c.dramBurst;
  peak.dramBytes = c.dramChannels * channel;
  return peak;
}

std::string addMachine(const std::string &format, std::string report, const SimConfig &config) {
  constexpr std::string_view kEnd = "\n}\n";
  if (format != "json" || !report.ends_with(kEnd))
    return report;
  report.resize(report.size() - kEnd.size());
  std::string knobs;
  auto add = [&](const char *key, const std::string &value) {
    knobs += std::string(knobs.empty() ? "" : ",") + "\n    " + jsonString(key) + ": " + value;
  };
#define VX_KNOB(field, key, type, def, min, max, help) add(key, jsonValue(config.field));
#define VX_CHOICE(field, key, type, def, choices, help)                                            \
  add(key, jsonString(choiceName(config.field, choices)));
#include "simulator/api/SimConfig.def"
  MachinePeak peak = peakOf(config);
  return report + ",\n  \"machine\": {" + knobs +
         "\n  },\n  \"peak\": {\"thread_instructions\": " + jsonValue(peak.threadInstructions) +
         ", \"dcache_bytes\": " + jsonValue(peak.dcacheBytes) +
         ", \"dram_bytes\": " + jsonValue(peak.dramBytes) + "}\n}\n";
}

} // namespace vx::sim
