// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gdb attached to a device (knob debug.gdb): the functional simulator asks before each instruction
// whether a warp may execute it, and says afterwards what it did. While the program is stopped, the
// call does not return.
//
// A thread of gdb is a lane (Lanes.h). Lanes of a warp have one pc: a step of one of them is a step
// of its warp, repeated until the lane has been active once. So a step of a lane that waits for the
// other side of a branch executes that side.

#ifndef VX_SIMULATOR_DEBUG_DEBUGGER_H
#define VX_SIMULATOR_DEBUG_DEBUGGER_H

#include "simulator/debug/Connection.h"
#include "simulator/debug/Session.h"
#include <functional>

namespace vx::sim {

class Debugger {
public:
  /// Returns what the configuration of DEVICE asks for; null: nothing, or another device of this
  /// process has the debugger. Gives up waiting for gdb when ISSTOPPING says so.
  static Result<std::unique_ptr<Debugger>> create(Device &device, std::function<bool()> isStopping);
  ~Debugger();

  void describeRun(const RunInfo &info);
  /// Cores have been reset. The first time, waits for gdb.
  void runStarted();
  /// The run is over. If by a trap, it has just happened: nothing has changed since.
  void runEnded();

  /// Returns true if each instruction is to be shown. If not, call idle() from time to time.
  bool isAttached() const { return connection->isOpen() && connection->isOurs(); }
  /// Looks for a gdb that wants to attach.
  void idle();
  /// WARP is about to execute an instruction. Returns false if gdb holds it back.
  bool before(Core &core, Warp &warp);
  /// It has done so.
  void after(Core &core, Warp &warp, const InsnTrace &trace);
  /// In a round over all warps, none has executed anything. Returns true if another round is to be
  /// tried, because gdb holds some back. If that was for the whole round, those that it lets run
  /// wait for them, which then run, too, up to their next breakpoint.
  bool holdsBack();

private:
  Debugger(Device &device, std::shared_ptr<Connection> connection,
           std::function<bool()> isStopping);

  void stop(unsigned signal, uint64_t thread, std::string_view fields = "");
  void serve();
  void detach();
  void say(const std::string &line);
  bool letsRun(const Core &core, const Warp &warp) const;
  uint64_t reportable(uint64_t thread) const;
  uint64_t reportableLanes(const Core &core, const Warp &warp) const;
  void look();
  bool reportBreakpoint(Core &core, Warp &warp);
  uint64_t preferred(const Core &core, const Warp &warp, uint64_t mask, uint64_t thread) const;
  uint64_t hitBy(const Breakpoint &point, Core &core, Warp &warp);
  bool reportWait(Core &core, Warp &warp, const InsnTrace &trace);
  bool reportWatchpoint(Core &core, Warp &warp);
  void reportStep(Core &core, Warp &warp, const InsnTrace &trace);

  Device &device;
  std::shared_ptr<Connection> connection;
  std::function<bool()> isStopping;
  Session session;
  bool hasNewLibrary = false;
  bool wantsStop = false; ///< gdb has asked for it
  bool lends = false;     ///< warps run that gdb holds back, because others wait for them
  bool isNewHold = false; ///< gdb has said who may run since the last round
  unsigned sinceLook = 0; ///< instructions since the last look at the line
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_DEBUGGER_H
