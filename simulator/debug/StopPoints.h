// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breakpoints and watchpoints. None is in the code: the simulator looks before each instruction.
//
// gdb takes all of them away while the program is stopped, and puts them back before it resumes. To
// resume from a breakpoint it takes that one away for one step of one thread. So what is taken away
// is remembered until all threads are resumed.

#ifndef VX_SIMULATOR_DEBUG_STOPPOINTS_H
#define VX_SIMULATOR_DEBUG_STOPPOINTS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vx::sim {

struct Breakpoint {
  std::vector<std::string> conditions; ///< bytecode; one that holds is enough, as is none at all
  /// The thread that was selected when it was first inserted: of the lanes that reach it together,
  /// this one is reported. Breakpoints that end `finish` and `next` are meant for one thread.
  uint64_t thread = 0;
  bool isInserted = false;
};

enum class WatchKind : uint8_t { Write, Read, Access };

struct Watchpoint {
  WatchKind kind;
  uint64_t address;
  uint64_t size;

  bool operator==(const Watchpoint &) const = default;
};

class StopPoints {
public:
  void insertBreakpoint(uint64_t address, std::vector<std::string> conditions, uint64_t thread);
  void removeBreakpoint(uint64_t address);
  void insertWatchpoint(const Watchpoint &point);
  void removeWatchpoint(const Watchpoint &point);
  void clear();
  /// All threads are resumed: what is not inserted now is gone.
  void forgetRemoved();

  const Breakpoint *breakpointAt(uint64_t pc) const {
    auto it = breakpoints.find(pc);
    return it != breakpoints.end() && it->second.isInserted ? &it->second : nullptr;
  }
  /// Returns true if there is a breakpoint at PC, if only taken away for a step.
  bool isBreakpoint(uint64_t pc) const { return breakpoints.contains(pc); }
  bool hasWatchpoints() const { return !watchpoints.empty(); }
  /// The one that an access of SIZE bytes at ADDRESS concerns, or null.
  const Watchpoint *watchpointFor(uint64_t address, unsigned size, bool reads, bool writes) const;

private:
  std::map<uint64_t, Breakpoint> breakpoints;
  std::vector<Watchpoint> watchpoints;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_STOPPOINTS_H
