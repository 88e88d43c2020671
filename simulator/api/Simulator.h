// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the outside world sees of the simulator: make one from a configuration, give it memory
// and an image, run it, read results. No operation throws, exits or crashes on any guest behaviour:
// what goes wrong in the guest is a TrapReport.

#ifndef VX_SIMULATOR_API_SIMULATOR_H
#define VX_SIMULATOR_API_SIMULATOR_H

#include "simulator/api/Result.h"
#include "simulator/api/SimConfig.h"
#include "simulator/api/Stats.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vx::abi {
struct LaunchDescriptor;
}

namespace vx::sim {

/// The reason why a guest was stopped.
enum class TrapCause {
  None,
  IllegalInstruction,
  MemoryAccess, ///< load, store or atomic outside mapped memory, or against its permission
  Misaligned,
  FetchAccess,         ///< program counter outside executable memory
  UnguardedDivergence, ///< a conditional branch or jump whose active lanes disagree
  IpdomOverflow,
  IpdomUnderflow,  ///< join or warp end that does not match a split
  BarrierDeadlock, ///< every live warp waits at a barrier that cannot be completed
  BadBarrier,      ///< id or count out of range
  BadWarpSpawn,
  TileMisuse,
  StackOverflow,   ///< a lane left its own stack
  Breakpoint,      ///< ebreak: __trap()
  EnvironmentCall, ///< ecall with a7 = VX_ECALL_ASSERT, … (value in `code`)
  NoProgress,      ///< every warp that runs repeats a loop, and nothing can end that
  CycleLimit,      ///< run.max_cycles or run.max_instructions reached
  Interrupted,     ///< requestStop() was called
};

/// One line per cause, for messages.
const char *toString(TrapCause cause);

struct TrapReport {
  TrapCause cause = TrapCause::None;
  uint64_t pc = 0;
  uint32_t instruction = 0;
  uint32_t core = 0, warp = 0, lane = 0; ///< lane: the first one concerned
  uint64_t activeMask = 0;               ///< bit 0: the first thread of the warp or group
  /// Not 0: the warp ran as a group of that many threads (vx_tile), the first of which is
  /// groupStart, counted over the core (warp * lanes + lane).
  uint32_t groupThreads = 0, groupStart = 0;
  uint64_t address = 0; ///< MemoryAccess, Misaligned, StackOverflow
  uint32_t accessBytes = 0;
  bool isWrite = false;
  uint64_t code = 0; ///< EnvironmentCall: a7
  /// Linear numbers that the lane last hinted at (VX_HINT_BLOCK, VX_HINT_THREAD); kNoHint if none.
  static constexpr uint64_t kNoHint = ~uint64_t(0);
  uint64_t block = kNoHint, thread = kNoHint;
  uint64_t storePc = 0; ///< NoProgress: the store that is waited for; 0: not known
  std::string detail;   ///< more, in words
};

struct RunResult {
  TrapReport trap;             ///< cause None: every warp ended by itself
  std::optional<int> exitCode; ///< set by the exit ecall
};

enum MemoryPermission : uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };

class Checker;
class ElfImage;

/// The annotations of a program for a run (NVTX).
struct RunAnnotations {
  struct Range {
    uint64_t id = 0; ///< runs of the same range have the same
    std::string
        track; ///< whose range it is: those of one track lie inside each other; empty: of all
    std::string name;
  };
  std::vector<Range> ranges;      ///< that are open, outer ones first
  std::vector<std::string> marks; ///< what happened before the run
};

/// Names what a run executes, for traces and the profile. Texts need not outlive the call.
struct RunInfo {
  std::string_view name;           ///< of the kernel, readable
  const ElfImage *image = nullptr; ///< for symbols and lines; known again by its address
  uint64_t slide = 0;              ///< what was added to the image's addresses
  std::string_view lowering;       ///< which of the kernel's variants it is
  bool continues = false;          ///< more blocks of a launch of which some have run already
  const RunAnnotations *annotations = nullptr;   ///< may be null
  const abi::LaunchDescriptor *launch = nullptr; ///< null: the run is not a launch of vxcc's
  uint32_t sharedTailBytes = 0;       ///< of each block's shared memory, at its end: the compiler's
  std::span<const uint8_t> file = {}; ///< the image's, for a debugger; may be empty
};

/// One device: cores, memory, configuration registers. Not thread-safe, except requestStop().
class Simulator {
public:
  /// CONFIG must have passed validate().
  static Result<std::unique_ptr<Simulator>> create(const SimConfig &config);
  virtual ~Simulator() = default;

  virtual const SimConfig &config() const = 0;

  /// Makes [address, address+size) accessible, byte-exact; fresh memory reads as bytes
  /// 0d f0 ad ba repeating. Overlapping an existing mapping changes its permission only.
  virtual Result<void> map(uint64_t address, uint64_t size, uint8_t permission) = 0;
  /// Makes SIZE bytes of this process's own memory at BYTES accessible to the guest at ADDRESS,
  /// byte-exact; both begin at the same place in a page. Both sides see each other's accesses as
  /// they happen, and the guest's atomic instructions are atomic for threads of the process. It
  /// must stay until unmap().
  virtual Result<void> share(uint64_t address, uint64_t size, uint8_t permission,
                             uint8_t *bytes) = 0;
  /// Moves the mapped pages of [address, address+size) to BYTES, where they are shared from now on.
  virtual Result<void> move(uint64_t address, uint64_t size, uint8_t *bytes) = 0;
  virtual Result<void> unmap(uint64_t address, uint64_t size) = 0;
  /// Host access: ignores permissions, but not mappings.
  virtual Result<void> write(uint64_t address, std::span<const uint8_t> bytes) = 0;
  virtual Result<void> read(uint64_t address, std::span<uint8_t> bytes) const = 0;
  virtual Result<void> fill(uint64_t address, uint8_t value, uint64_t size) = 0;

  virtual void writeDcr(uint32_t address, uint32_t value) = 0;

  /// Gives each lane a stack of 1 << LOG2 bytes in the runs that follow; at first it is
  /// memory.stack_log2_size. What was on the old stacks is lost if the size changes. A Failure if
  /// the stacks of all lanes do not fit; they are as before then.
  virtual Result<void> setStackLog2Size(uint32_t log2) = 0;

  /// Resets all cores and runs until every warp has ended or something stops the guest. May be
  /// called again; memory and statistics persist (resetStats() clears the latter).
  virtual RunResult run() = 0;
  /// Asks a run in progress to stop soon; callable from any thread and from signal handlers.
  virtual void requestStop() = 0;

  virtual const Stats &stats() const = 0;
  virtual void resetStats() = 0;

  /// Says what the following runs execute.
  virtual void describeRuns(const RunInfo &info) = 0;
  /// Completes the files of the knobs trace.* and profile.output; later runs are not in them. The
  /// Failure names a file that could not be written.
  virtual Result<void> finishReports() = 0;

  /// Returns the checker that is to be told of memory; null: nothing is checked (knobs check.*).
  virtual Checker *checker() { return nullptr; }

  /// Sets where bytes stored to the console go; the default is the host's stdout.
  virtual void setConsole(std::function<void(std::string_view)> sink) = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_SIMULATOR_H
