// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run that executes, and the place in it that a finding names: kernel, block, thread, source
// line.

#ifndef VX_SIMULATOR_CHECK_RUNREPORTS_H
#define VX_SIMULATOR_CHECK_RUNREPORTS_H

#include "intrinsics/abi/LaunchDescriptor.h"
#include "simulator/check/Findings.h"
#include "simulator/func/Exec.h"
#include "simulator/loader/CodeMap.h"
#include <map>

namespace vx::sim {

/// A thread of the program that executes the instruction at `pc`.
struct ThreadPlace {
  uint64_t block, thread; ///< linear numbers
  uint64_t pc;
};

class RunReports {
public:
  explicit RunReports(Device &device) : device(device), findings(device.config) {}

  /// The following runs are of INFO. Returns true if its image is new here.
  bool describeRun(const RunInfo &info);

  uint64_t blockOf(Exec &e, unsigned lane) const {
    return e.x(Core::kBlockHintRegister * device.stride)[lane];
  }
  uint64_t threadOf(Exec &e, unsigned lane) const {
    return uint32_t(e.x(Core::kThreadHintRegister * device.stride)[lane]);
  }
  bool isPaused(Exec &e, unsigned lane) const {
    return e.x(Core::kPauseRegister * device.stride)[lane] == 1;
  }
  /// "block (0,0,0), thread (1,0,0)".
  std::string threadText(uint64_t block, uint64_t thread) const;
  /// "by block (0,0,0), thread (1,0,0) of `k` at a.cu:7".
  std::string describeThread(Exec &e, unsigned lane);
  /// Returns what is at PC; an empty place without an image.
  CodePlace placeAt(uint64_t pc) { return code ? code->at(pc) : CodePlace(); }
  /// "a.cu:7", or the address of an instruction without a line.
  std::string lineOf(uint64_t pc);

  /// Adds what is at PC to NOTES: "at name+0x12 file.cu:7", and the calls that inlined it.
  void notePlace(std::vector<std::string> &notes, uint64_t pc);

  /// FINDING is about what is at PC, too.
  void nameOther(Finding &finding, uint64_t pc) {
    finding.otherFile = placeAt(pc).source.file;
    finding.otherLine = placeAt(pc).source.line;
  }

  /// Returns true if the instruction that runs has had a finding of KIND: it is counted.
  bool isKnown(Exec &e, const char *kind);
  /// Adds or counts a finding of LANE, which is one for each kind and source line.
  void report(Exec &e, unsigned lane, const char *tool, const char *kind, uint64_t address,
              uint64_t size, std::string title, std::vector<std::string> notes);
  /// Adds or counts FINDING, which is of the kernel at AT; one for each KEY. Returns its number.
  size_t report(const ThreadPlace &at, const std::string &key, Finding finding);

  Device &device;
  Findings findings;
  bool isLaunch = false;
  abi::LaunchDescriptor launch{};
  const ElfImage *image = nullptr;
  uint64_t slide = 0;
  std::string kernel, lowering;

private:
  uint64_t pcOf(Exec &e, unsigned lane);
  void locate(Finding &finding, const ThreadPlace &at);

  CodeMap *code = nullptr;
  std::map<std::pair<const void *, uint64_t>, CodeMap> codes; ///< by image and slide
  /// The numbers of findings by what instructions have done: found again without making texts.
  std::map<std::pair<uint64_t, const char *>, size_t> known;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_RUNREPORTS_H
