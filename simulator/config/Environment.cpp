// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/api/Environment.h"
#include "simulator/api/Files.h"
#include "simulator/api/Stats.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace vx::sim {

namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// VX_CONFIG, then VX_SET.
Result<void> configure(SimConfig &config) {
  if (std::string file = variable("VX_CONFIG"); !file.empty())
    if (Result<void> r = config.loadFile(file); !r)
      return Failure{"VX_CONFIG: " + r.error().message};
  if (std::string settings = variable("VX_SET"); !settings.empty())
    if (Result<void> r = config.applyList(settings); !r)
      return Failure{"VX_SET: " + r.error().message};
  return {};
}

/// VX_TRACE: KIND:FILE, several of them joined by commas.
Result<void> setTraces(SimConfig &config, std::string_view requests) {
  while (!requests.empty()) {
    std::string item(requests.substr(0, requests.find(',')));
    requests.remove_prefix(std::min(requests.size(), item.size() + 1));
    size_t colon = std::min(item.find(':'), item.size());
    std::string kind = item.substr(0, colon);
    bool isKnown = kind == "konata" || kind == "perfetto" || kind == "commit";
    if (!isKnown || colon + 1 >= item.size())
      return Failure{"VX_TRACE=" + item + ": it is konata:FILE, perfetto:FILE or commit:FILE"};
    if (Result<void> r = config.apply("trace." + kind, item.substr(colon + 1)); !r)
      return Failure{"VX_TRACE: " + r.error().message};
  }
  return {};
}

/// VX_MODE; without it, who wants to know what a program costs wants the machine's cycles.
Result<void> setMode(SimConfig &config, const std::string &mode, bool wantsCost) {
  bool isTimed = config.mode != SimMode::Functional;
  if (mode == "timing" || (mode.empty() && wantsCost && !isTimed))
    config.mode = SimMode::Timing;
  else if (mode == "functional")
    config.mode = SimMode::Functional;
  else if (mode == "sampled")
    config.mode = SimMode::Sampled;
  else if (!mode.empty())
    return Failure{"VX_MODE=" + mode + ": it is functional, timing or sampled"};
  return {};
}

} // namespace

Result<Environment> readEnvironment(const SimConfig &defaults) {
  Environment result{defaults, variable("VX_STATS"), false};
  SimConfig &config = result.config;
  if (Result<void> r = configure(config); !r)
    return r.error();
  // A mode that was set is the same whatever it was before.
  SimConfig other;
  other.mode = defaults.mode == SimMode::Timing ? SimMode::Functional : SimMode::Timing;
  std::string mode = variable("VX_MODE");
  result.modeIsChosen = !mode.empty() || (configure(other) && other.mode == config.mode);
  if (Result<void> r = setTraces(config, variable("VX_TRACE")); !r)
    return r.error();
  if (std::string profile = variable("VX_PROFILE"); !profile.empty())
    config.profile = profile;
  if (std::string tools = variable("VX_CHECK"); !tools.empty())
    config.checkTools = tools;
  if (std::string gdb = variable("VX_GDB"); !gdb.empty())
    config.gdb = gdb;
  bool wantsCost = !result.stats.empty() || !config.profile.empty() ||
                   !config.konataTrace.empty() || !config.perfettoTrace.empty();
  if (Result<void> r = setMode(config, mode, wantsCost); !r)
    return r.error();
  return result;
}

std::string statsFormat(const std::string &request) {
  return request.substr(0, request.find(':'));
}

Result<void> checkStatsRequest(const std::string &request) {
  if (request.empty() || isReportFormat(statsFormat(request)))
    return {};
  return Failure{"VX_STATS=" + request + ": it is text, json or csv, followed by :FILE if wanted"};
}

Result<void> writeStatsReport(const std::string &request, const std::string &report) {
  std::span bytes(reinterpret_cast<const uint8_t *>(report.data()), report.size());
  Result<void> done;
  if (size_t colon = request.find(':'); colon != std::string::npos)
    done = writeFile(request.substr(colon + 1), bytes);
  else if (std::fwrite(report.data(), 1, report.size(), stderr) != report.size())
    done = Failure{"cannot write to stderr"};
  if (!done)
    return Failure{"VX_STATS: " + done.error().message};
  return {};
}

} // namespace vx::sim
