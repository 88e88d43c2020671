// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace for Konata, the viewer of pipelines: text in version 4 of its format, one line per event,
// in the order of cycles:
//
//   C=  CYCLE                    the first cycle; C N: N cycles later
//   I   ID INSTRUCTION WARP      an instruction appears
//   L   ID 0|1 TEXT              what is shown for it: on the left, and when pointed at
//   S   ID 0 STAGE               it enters a stage and leaves the one before
//   R   ID NUMBER 0|1            it is committed, or the run was over before that
//
// An instruction's stages are known when it is committed, those of others that were scheduled later
// perhaps earlier. Events wait here until no instruction under way can have an earlier one.

#ifndef VX_SIMULATOR_TRACE_KONATATRACE_H
#define VX_SIMULATOR_TRACE_KONATATRACE_H

#include "simulator/trace/TraceFile.h"
#include "simulator/trace/TraceWindow.h"
#include "simulator/trace/Watcher.h"
#include <map>
#include <queue>
#include <set>

namespace vx::sim {

class KonataTrace final : public Watcher {
public:
  explicit KonataTrace(TraceWindow window) : window(std::move(window)) {}

  Result<void> open(const std::string &path);

  void describeRuns(const std::string &kernel, CodeMap &code) override;
  void runStarted() override;
  void scheduled(const InsnLife &life) override;
  void committed(const InsnLife &life) override;
  void runEnded(Cycle cycles) override;
  Result<void> finish() override;

private:
  struct Event {
    Cycle cycle;
    uint64_t order; ///< of events in the same cycle
    std::string text;
    bool operator>(const Event &other) const {
      return cycle != other.cycle ? cycle > other.cycle : order > other.order;
    }
  };
  /// An instruction under way.
  struct Pending {
    uint64_t id; ///< in the file
    Cycle scheduled;
  };
  using Key = std::pair<uint32_t, uint64_t>; ///< core, InsnLife::id

  void add(Cycle cycle, std::string text) { events.push({cycle, order++, std::move(text)}); }
  void addStages(uint64_t id, const InsnLife &life);
  void drain(Cycle end);
  void forget();

  TraceWindow window;
  TraceFile file;
  std::string kernel;
  CodeMap *code = nullptr;
  std::map<Key, Pending> pending;
  std::multiset<Cycle> starts; ///< `scheduled` of what is pending
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  Cycle base = 0;    ///< cycles of earlier runs
  Cycle written = 0; ///< the cycle that the file has come to
  bool started = false;
  uint64_t order = 0, nextId = 0, retired = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TRACE_KONATATRACE_H
