// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of each warp in the order in which it executed them, with what they wrote to
// registers: a text made for `diff`. It says nothing of time, and warps stand one after another, so
// that functional and timing mode, or machines with other caches, give the same file for a program
// whose warps do not race.
//
//   # run 1: kernel saxpy(int, float)
//   # core 0 warp 0
//   0x80000010 0xff addi a0, a0, 4  a0=0x8
//   0x80000014 0x0f lw a1, 0(a0)  a1=0x1,0x2,0x3,0x4
//
// A line has the linker's address, the active lanes, the instruction, and the register: one value
// when all active lanes got the same, else those of the active lanes. Counters of time and events
// are left out.
//
// Lines wait in a temporary file until the end of the run, so memory does not grow with its length.

#ifndef VX_SIMULATOR_TRACE_COMMITTRACE_H
#define VX_SIMULATOR_TRACE_COMMITTRACE_H

#include "simulator/func/Exec.h"
#include "simulator/trace/TraceFile.h"
#include "simulator/trace/TraceWindow.h"
#include "simulator/trace/Watcher.h"
#include <map>

namespace vx::sim {

class CommitTrace final : public Watcher {
public:
  /// DEVICE is read when an instruction has been executed.
  CommitTrace(const Device &device, TraceWindow window)
      : device(device), window(std::move(window)) {}
  ~CommitTrace() override;

  Result<void> open(const std::string &path);

  void describeRuns(const std::string &kernel, CodeMap &code) override;
  void scheduled(const InsnLife &life) override;
  void runEnded(Cycle cycles) override;
  Result<void> finish() override;

private:
  struct Chunk {
    uint64_t offset;
    size_t size;
  };
  /// The lines of a warp or group in this run.
  struct Section {
    std::string title;
    std::vector<Chunk> spooled; ///< older ones
    std::string buffer;
  };

  std::string title(const InsnLife &life) const;
  std::string writtenRegister(const InsnLife &life) const;
  void spill(Section &section);
  void copySpooled(const Chunk &chunk);

  const Device &device;
  TraceWindow window;
  TraceFile file;
  std::FILE *spool = nullptr;
  uint64_t spoolBytes = 0;
  bool failed = false;
  std::map<std::pair<uint32_t, uint32_t>, Section> sections; ///< by core and slot
  std::string kernel;
  CodeMap *code = nullptr;
  Cycle base = 0;
  uint64_t runs = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TRACE_COMMITTRACE_H
