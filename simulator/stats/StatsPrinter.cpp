// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, JSON and CSV reports of Stats, all from the rows of PerfCounters.def.

#include "simulator/api/Stats.h"
#include "simulator/stats/Escape.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

namespace vx::sim {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

const char *modeOf(const Stats &s) {
  if (s.sampled)
    return "sampled";
  return s.timing ? "timing" : "functional";
}

/// Calls visit(key, text) for the values of the device.
template <typename F> void forDevice(const Stats &s, F visit) {
  visit("cycles", std::to_string(s.cycles));
  visit("warp_instructions", std::to_string(s.warpInstructions));
  visit("thread_instructions", std::to_string(s.threadInstructions));
  visit("ipc", number(s.ipc()));
  visit("thread_ipc", number(s.threadIpc()));
  visit("lane_occupancy", number(s.laneOccupancy()));
}

/// Calls visit(key, text) for how good the cycles are.
template <typename F> void forSample(const Stats &s, F visit) {
  visit("cycles_confidence95", std::to_string(uint64_t(std::llround(s.sample.confidence()))));
  visit("sample_windows", std::to_string(s.sample.windows));
  visit("sample_detailed", std::to_string(s.sample.detailed));
}

/// Calls visit(key, text) for the counters of a core, or of all.
template <typename F> void forCore(const CoreStats &c, F visit) {
#define VX_COUNTER(unit, field, key, csr, help) visit(key, std::to_string(c.field));
#include "intrinsics/isa/PerfCounters.def"
}

template <typename F> void forMemory(const MemoryStats &m, F visit) {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) visit(key, std::to_string(m.field));
#include "intrinsics/isa/PerfCounters.def"
}

/// Lines for people: counters that are 0 are left out, others show what they are a part of.
class TextSection {
public:
  explicit TextSection(const std::string &prefix) : prefix(prefix) {}
  void start(const std::string &name) {
    prefix = name;
    values.clear();
  }
  void add(const std::string &key, const std::string &value, const std::string &remark = {}) {
    std::string name = prefix + key;
    name.append(name.size() < 28 ? 28 - name.size() : 1, ' ');
    out += name + value;
    if (!remark.empty())
      out.append(value.size() < 14 ? 14 - value.size() : 1, ' ') += remark;
    out += "\n";
  }
  void addCounter(const std::string &key, const std::string &value) {
    values[key] = std::strtod(value.c_str(), nullptr);
    if (value != "0")
      add(key, value, shareOf(key, wholeOf(key)));
  }
  const std::string &text() const { return out; }

private:
  /// The counter that KEY counts a part of; empty: none. Its row comes before KEY's.
  static std::string wholeOf(const std::string &key) {
    if (key == "issued" || key.starts_with("stall_"))
      return "cycles";
    if (key == "divergent_splits")
      return "splits";
    constexpr std::string_view misses = "_misses";
    if (key.ends_with("read_misses") || key.ends_with("write_misses"))
      return key.substr(0, key.size() - misses.size()) + "s";
    return {};
  }
  std::string shareOf(const std::string &key, const std::string &whole) const {
    auto found = values.find(whole);
    if (found == values.end() || found->second == 0)
      return {};
    char share[32];
    std::snprintf(share, sizeof share, "%.1f %% of ", 100 * values.at(key) / found->second);
    return share + whole;
  }

  std::string out, prefix;
  std::map<std::string, double> values; ///< of this section
};

/// Members of a JSON object, separated as SEPARATOR says.
class Members {
public:
  Members(std::string &out, const char *separator) : out(out), separator(separator) {}
  void operator()(const char *key, const std::string &text) {
    out += first ? "" : separator;
    out += std::string("\"") + key + "\": " + text;
    first = false;
  }

private:
  std::string &out;
  const char *separator;
  bool first = true;
};

/// TEXT as a field of CSV.
std::string csvField(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"')
      out += "\"\"";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out + "\"";
}

/// One object; its lines but the first start with INDENT.
std::string jsonObject(const Stats &s, const std::string &head, const std::string &indent) {
  std::string separator = ",\n" + indent + "  ";
  std::string out = "{\n" + indent + "  " + head;
  Members members(out, separator.c_str());
  auto add = [&](const char *key, const std::string &text) { members(key, text); };
  forDevice(s, add);
  if (s.sampled)
    forSample(s, add);
  out += separator + "\"cores\": [";
  for (size_t i = 0; i < s.cores.size(); ++i) {
    out += (i ? ",\n" : "\n") + indent + "    {";
    forCore(s.cores[i], Members(out, ", "));
    out += "}";
  }
  out += "\n" + indent + "  ]";
  if (s.timing) {
    out += separator + "\"memory\": {";
    forMemory(s.memory, Members(out, ", "));
    out += "}";
  }
  return out;
}

/// Returns what the cycles are, for the line before the first section of a text report.
std::string modeLine(const Stats &s) {
  TextSection text("");
  text.add("mode", modeOf(s),
           s.sampled  ? "cycles, event times and what timing counts are estimates from windows"
           : s.timing ? "cycles and event times are those of the cycle-level model"
                      : "cycles and event times count instructions, not the work of the machine");
  return text.text();
}

/// The first member of a JSON report.
std::string modeMember(const Stats &s) {
  return std::string("\"mode\": \"") + modeOf(s) + "\",\n  ";
}

/// A part of a whole, in words.
std::string percent(double part, uint64_t whole, const char *name) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f %% of %s", whole ? 100 * part / double(whole) : 0, name);
  return text;
}

/// Adds how good the cycles of S are, after them.
void addSample(const Stats &s, TextSection &text) {
  if (s.sample.runs == 0) {
    text.add("cycles_confidence95", "0", "exact: all was simulated");
    return;
  }
  forSample(s, [&](const std::string &key, const std::string &value) {
    std::string remark;
    if (key == "cycles_confidence95")
      remark = "+- " + percent(s.sample.confidence(), s.cycles, "cycles");
    else if (key == "sample_detailed")
      remark = percent(double(s.sample.detailed), s.warpInstructions, "warp_instructions");
    text.add(key, value, remark);
  });
}

/// All sections of S.
std::string sections(const Stats &s) {
  TextSection text("");
  forDevice(s, [&](const char *key, const std::string &value) {
    text.add(key, value);
    if (s.sampled && key == std::string_view("cycles"))
      addSample(s, text);
  });
  for (size_t i = 0; i < s.cores.size(); ++i) {
    text.start("core" + std::to_string(i) + ".");
    forCore(s.cores[i],
            [&](const char *key, const std::string &value) { text.addCounter(key, value); });
  }
  text.start("");
  if (s.timing)
    forMemory(s.memory,
              [&](const char *key, const std::string &value) { text.addCounter(key, value); });
  return text.text();
}

std::string csvNames(const Stats &s) {
  std::string out;
  auto add = [&](const std::string &name) { out += (out.empty() ? "" : ",") + name; };
  forDevice(s, [&](const char *key, const std::string &) { add(key); });
  forCore({}, [&](const char *key, const std::string &) { add(std::string("cores.") + key); });
  forMemory({}, [&](const char *key, const std::string &) { add(key); });
  add("mode");
  forSample(s, [&](const char *key, const std::string &) { add(key); });
  return out;
}

std::string csvValues(const Stats &s) {
  std::string out;
  auto add = [&](const char *, const std::string &text) { out += (out.empty() ? "" : ",") + text; };
  forDevice(s, add);
  forCore(s.allCores(), add);
  forMemory(s.memory, add);
  add("mode", modeOf(s));
  forSample(s, add);
  return out;
}

using RangeList = std::vector<RangeStats>;

std::string reportText(const std::vector<KernelStats> &kernels, const RangeList &ranges,
                       const Stats &total) {
  std::string out = modeLine(total);
  for (const RangeStats &range : ranges)
    out += "range " + range.name + ", " + std::to_string(range.launches) +
           (range.launches == 1 ? " launch, " : " launches, ") + std::to_string(range.cycles) +
           " cycles\n";
  out += ranges.empty() ? "" : "\n";
  for (const KernelStats &kernel : kernels)
    out += "kernel " + kernel.name + ", " + std::to_string(kernel.launches) +
           (kernel.launches == 1 ? " launch" : " launches") + " (" + kernel.lowering + ")\n" +
           sections(kernel.stats) + "\n";
  return out + (kernels.empty() ? "" : "total\n") + sections(total);
}

std::string reportJson(const std::vector<KernelStats> &kernels, const RangeList &ranges,
                       const Stats &total) {
  std::string out = jsonObject(total, modeMember(total), "") + ",\n  \"kernels\": [";
  for (size_t i = 0; i < kernels.size(); ++i)
    out += (i ? ",\n    " : "\n    ") +
           jsonObject(kernels[i].stats,
                      "\"lowering\": " + jsonString(kernels[i].lowering) + ",\n      " +
                          "\"name\": " + jsonString(kernels[i].name) + ",\n      \"launches\": " +
                          std::to_string(kernels[i].launches) + ",\n      ",
                      "    ") +
           "\n    }";
  out += kernels.empty() ? "]" : "\n  ]";
  if (!ranges.empty()) {
    out += ",\n  \"ranges\": [";
    for (size_t i = 0; i < ranges.size(); ++i)
      out += std::string(i ? "," : "") + "\n    {\"name\": " + jsonString(ranges[i].name) +
             ", \"launches\": " + std::to_string(ranges[i].launches) +
             ", \"cycles\": " + std::to_string(ranges[i].cycles) + "}";
    out += "\n  ]";
  }
  return out + "\n}\n";
}

std::string reportCsv(const std::vector<KernelStats> &kernels, const RangeList &,
                      const Stats &total) {
  std::string out = "kernel,launches,lowering," + csvNames(total) + "\n";
  uint64_t launches = 0;
  for (const KernelStats &kernel : kernels) {
    launches += kernel.launches;
    out += csvField(kernel.name) + "," + std::to_string(kernel.launches) + "," +
           csvField(kernel.lowering) + "," + csvValues(kernel.stats) + "\n";
  }
  return out + "total," + std::to_string(launches) + ",," + csvValues(total) + "\n";
}

// A report with the name of the device in it.

std::string addDeviceText(const std::string &report, const std::string &device) {
  return device + "\n" + report;
}

std::string addDeviceJson(const std::string &report, const std::string &device) {
  return "{\n  \"device\": " + jsonString(device) + "," + report.substr(1);
}

std::string addDeviceCsv(const std::string &report, const std::string &device) {
  std::string out, field = "device";
  for (size_t at = 0, end; at < report.size(); at = end + 1) {
    end = std::min(report.find('\n', at), report.size());
    out += field + "," + report.substr(at, end - at) + "\n";
    field = csvField(device);
  }
  return out;
}

struct Format {
  const char *name;
  std::string (*write)(const std::vector<KernelStats> &, const RangeList &, const Stats &);
  std::string (*addDevice)(const std::string &, const std::string &);
};
constexpr Format kFormats[] = {{"text", reportText, addDeviceText},
                               {"json", reportJson, addDeviceJson},
                               {"csv", reportCsv, addDeviceCsv}};

} // namespace

std::string Stats::toText() const {
  return modeLine(*this) + sections(*this);
}

std::string Stats::toJson() const {
  return jsonObject(*this, modeMember(*this), "") + "\n}\n";
}

std::string Stats::toCsv() const {
  return csvNames(*this) + "\n" + csvValues(*this) + "\n";
}

std::string formatReport(const std::string &format, const std::vector<KernelStats> &kernels,
                         const std::vector<RangeStats> &ranges, const Stats &total,
                         const std::string &device) {
  for (const Format &f : kFormats)
    if (format == f.name)
      return device.empty() ? f.write(kernels, ranges, total)
                            : f.addDevice(f.write(kernels, ranges, total), device);
  return {};
}

bool isReportFormat(const std::string &format) {
  for (const Format &f : kFormats)
    if (format == f.name)
      return true;
  return false;
}

} // namespace vx::sim
