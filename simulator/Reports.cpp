// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/Reports.h"
#include "simulator/api/Simulator.h"
#include "simulator/func/Exec.h"
#include "simulator/profile/Profiler.h"
#include "simulator/trace/CommitTrace.h"
#include "simulator/trace/KonataTrace.h"
#include "simulator/trace/PerfettoTrace.h"

namespace vx::sim {

template <typename W, typename... Args>
Result<void> Reports::add(const std::string &file, const Args &...arguments) {
  if (file.empty())
    return {};
  auto watcher = std::make_unique<W>(arguments...);
  if (Result<void> r = watcher->open(file); !r)
    return r;
  watchers.push_back(std::move(watcher));
  return {};
}

Result<std::unique_ptr<Reports>> Reports::create(const Device &device) {
  const SimConfig &config = device.config;
  std::unique_ptr<Reports> reports(new Reports(config.xlen));
  TraceWindow window(config);
  if (Result<void> r = reports->add<KonataTrace>(config.konataTrace, window); !r)
    return r.error();
  if (Result<void> r = reports->add<PerfettoTrace>(config.perfettoTrace, window); !r)
    return r.error();
  if (Result<void> r = reports->add<CommitTrace>(config.commitTrace, device, window); !r)
    return r.error();
  if (!config.profile.empty())
    reports->watchers.push_back(std::make_unique<Profiler>(config.profile));
  if (reports->watchers.empty())
    return std::unique_ptr<Reports>();
  reports->describeRuns({});
  return reports;
}

void Reports::describeRuns(const RunInfo &info) {
  std::pair<const void *, uint64_t> key{info.image, info.slide};
  auto found = codes.find(key);
  if (found == codes.end()) {
    CodeMap map = info.image ? CodeMap(*info.image, info.slide, xlen) : CodeMap(xlen);
    found = codes.emplace(key, std::move(map)).first;
  }
  for (auto &watcher : watchers)
    watcher->describeRuns(std::string(info.name), found->second);
  if (info.annotations)
    for (auto &watcher : watchers)
      watcher->annotate(*info.annotations);
}

Result<void> Reports::finish() {
  Result<void> result;
  for (auto &watcher : watchers)
    if (Result<void> r = watcher->finish(); !r && result)
      result = r;
  watchers.clear();
  return result;
}

void Reports::runStarted() {
  for (auto &watcher : watchers)
    watcher->runStarted();
}

void Reports::scheduled(const InsnLife &life) {
  for (auto &watcher : watchers)
    watcher->scheduled(life);
}

void Reports::committed(const InsnLife &life) {
  for (auto &watcher : watchers)
    watcher->committed(life);
}

void Reports::stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first, Cycle cycles) {
  for (auto &watcher : watchers)
    watcher->stalled(core, cause, pc, first, cycles);
}

void Reports::runEnded(Cycle cycles) {
  for (auto &watcher : watchers)
    watcher->runEnded(cycles);
}

} // namespace vx::sim
