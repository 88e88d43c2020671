// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/CodegenSwitches.h"
#include "passes/lower/CodeGen.h"
#include "llvm/Support/CommandLine.h"
#include <condition_variable>
#include <mutex>

using namespace llvm;

namespace vx {
namespace {

/// Sets the switches, or gives them LLVM's values again.
void setSwitches(bool forDevice) {
  static constexpr std::pair<StringLiteral, StringLiteral> switches[] = {
      {"tail-dup-placement", "0"},
      {"branch-fold-placement", "0"},
      {"enable-tail-merge", "0"},
      {"disable-branch-fold", "true"},
      {"disable-tail-duplicate", "true"},
      {"disable-early-taildup", "true"},
      {"disable-cgp-select2branch", "true"},
      {"disable-select-optimize", "true"},
      {"jump-is-expensive", "true"},
      {"sink-insts-to-avoid-spills", "true"},
      {"misched", "vortex"},
      // The scheduler's time grows with the square of these loads and stores; a block of thousands,
      // as of unrolled vector code, took most of the compiler's.
      {"dag-maps-huge-region", "250"},
      // And with the number of instructions that are ready: it looks at so many of them.
      {"misched-limit", "64"},
      // A register with many definitions, as one that all cases of a switch set, is joined with as
      // many as these others, not with 256 that each take time for all of its definitions.
      {"large-interval-size-threshold", "30"},
      {"large-interval-freq-threshold", "30"},
      // To see whether debug information is of today's version, LLVM verifies a module that it has
      // read, once for each part of it: a thirtieth of all the time.
      {"disable-auto-upgrade-debug-info", "true"},
  };
  registerMachineScheduler(); // a value of misched
  auto &options = cl::getRegisteredOptions();
  for (const auto &[name, value] : switches)
    if (auto it = options.find(name); it != options.end()) {
      it->second->reset();
      if (forDevice)
        it->second->addOccurrence(0, name, value);
    }
}

/// The users of the switches. Those of one mode share them. A thread that asks for this mode
/// while another thread waits for the other one waits, too, so that neither mode starves.
struct Users {
  std::mutex mutex;
  std::condition_variable changed;
  CodegenSwitches::Mode mode = CodegenSwitches::Mode::Default;
  unsigned count = 0, waiting = 0;
};

Users &users() {
  static Users all;
  return all;
}

} // namespace

CodegenSwitches::CodegenSwitches(Mode mode) {
  Users &all = users();
  std::unique_lock lock(all.mutex);
  auto isFree = [&] { return all.count == 0 || (all.mode == mode && all.waiting == 0); };
  if (!isFree()) {
    bool differs = all.mode != mode;
    all.waiting += differs;
    all.changed.wait(lock, [&] {
      return all.count == 0 || (all.mode == mode && (differs || all.waiting == 0));
    });
    all.waiting -= differs;
  }
  if (all.count++ == 0) {
    all.mode = mode;
    if (mode == Mode::Device)
      setSwitches(true);
  }
  lock.unlock();
  all.changed.notify_all();
}

CodegenSwitches::~CodegenSwitches() {
  Users &all = users();
  {
    std::lock_guard lock(all.mutex);
    if (--all.count == 0 && all.mode == Mode::Device)
      setSwitches(false);
  }
  all.changed.notify_all();
}

} // namespace vx
