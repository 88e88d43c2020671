// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace as Chrome JSON, which ui.perfetto.dev and chrome://tracing show. One cycle is one
// microsecond. A process is a core; its threads are
//
//   kernel          one slice per run (the device's own process)
//   ranges, marks   of the program (NVTX): a range lasts from the start of the first run that was
//                   launched in it to the end of the last; a mark is at the start of the next run
//   issue stalls    cycles in which the core issued nothing, by cause
//   warp W          its instructions from scheduling to commit; instructions that are under way at
//                   the same time lie on further threads of the same name
//
// and two counters per core, over intervals of kInterval cycles: instructions committed per cycle,
// and active lanes per instruction.

#ifndef VX_SIMULATOR_TRACE_PERFETTOTRACE_H
#define VX_SIMULATOR_TRACE_PERFETTOTRACE_H

#include "simulator/trace/TraceFile.h"
#include "simulator/trace/TraceWindow.h"
#include "simulator/trace/Watcher.h"
#include <map>

namespace vx::sim {

class PerfettoTrace final : public Watcher {
public:
  explicit PerfettoTrace(TraceWindow window) : window(std::move(window)) {}

  Result<void> open(const std::string &path);

  void describeRuns(const std::string &kernel, CodeMap &code) override;
  void annotate(const RunAnnotations &said) override;
  void runStarted() override;
  void scheduled(const InsnLife &life) override;
  void committed(const InsnLife &life) override;
  void stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first, Cycle cycles) override;
  void runEnded(Cycle cycles) override;
  Result<void> finish() override;

  /// Cycles of a value of the counters.
  static constexpr Cycle kInterval = 256;

private:
  /// The instructions of a warp that are under way take the first free one of these; an instruction
  /// keeps its track until it is committed.
  struct Track {
    uint64_t insn = 0;
    bool isTaken = false;
  };
  struct Stall {
    StallCause cause = StallCause::Fetch;
    uint64_t pc = 0;
    Cycle first = 0, cycles = 0; ///< cycles 0: none
  };
  struct CoreTracks {
    std::map<uint32_t, std::vector<Track>> warps;
    Stall stall;
    Cycle interval = 0; ///< start of the counters' present interval
    uint64_t instructions = 0, lanes = 0;
  };

  /// A range of the program, as far as it has runs.
  struct Range {
    std::string track, name;
    Cycle first = 0, end = 0;
    uint64_t runs = 0;
  };

  void writeRanges();
  CoreTracks &tracksOf(uint32_t core);
  void event(const std::string &fields);
  void nameThread(uint32_t core, uint64_t thread, const std::string &name);
  void flushStall(uint32_t core, Stall &stall);
  void count(uint32_t core, CoreTracks &tracks, const InsnLife &life);
  void flushCounters(uint32_t core, CoreTracks &tracks);

  TraceWindow window;
  TraceFile file;
  std::string kernel;
  CodeMap *code = nullptr;
  std::map<uint32_t, CoreTracks> cores;
  RunAnnotations annotations; ///< of the present run
  std::map<uint64_t, Range> ranges;
  Cycle base = 0; ///< cycles of earlier runs
  bool isFirst = true;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TRACE_PERFETTOTRACE_H
