// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line on stderr that shows how far a long run has come: cycles, instructions, rate, and of a
// launch the blocks that are done and the time that the others will take.

#ifndef VX_SIMULATOR_TIMING_SYS_PROGRESS_H
#define VX_SIMULATOR_TIMING_SYS_PROGRESS_H

#include "simulator/api/SimConfig.h"
#include "simulator/func/ArchState.h"
#include <chrono>
#include <string>

namespace vx::sim {

/// The blocks of a launch: those from `first` on, `slots` at a time. Slot s of the device runs
/// blocks first + s + k * slots, k = 0, 1, ….
struct LaunchBlocks {
  uint64_t first = 0, count = 0; ///< count 0: not known
  uint64_t slots = 1;

  /// Returns how many are done, as the threads of CORES tell (VX_HINT_BLOCK). STRIDE is that of
  /// their registers.
  uint64_t done(const std::vector<Core> &cores, uint32_t stride) const;
};

/// Returns what the line says after SECONDS. BLOCKSDONE of BLOCKS are done; 0 of 0: not known.
std::string progressText(double seconds, uint64_t cycles, uint64_t instructions,
                         uint64_t blocksDone, uint64_t blocks);

class Progress {
public:
  explicit Progress(ShowProgress wish);

  void start();
  /// Returns true if a line is wanted and the last one is old enough.
  bool isDue() const;
  /// Shows the line.
  void show(uint64_t cycles, uint64_t instructions, uint64_t blocksDone, uint64_t blocks);
  /// Removes the line.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  const bool enabled;
  size_t shown = 0; ///< columns of the line that is there
  Clock::time_point begin, last;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_PROGRESS_H
