// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of one kind each, as bare code for any shape of device: what the speed of the simulator is
// measured with, and what its own code is optimized for.

#ifndef VX_SIMULATOR_TRAINING_LOOPS_H
#define VX_SIMULATOR_TRAINING_LOOPS_H

#include "simulator/api/ElfImage.h"
#include "simulator/api/Result.h"
#include "simulator/api/SimConfig.h"
#include <string>

namespace vx::sim {

/// The loops of loops.S, in its order.
inline constexpr const char *kLoops[] = {"integer",   "memory", "single",  "double",
                                         "divergent", "atomic", "local",   "exchange",
                                         "merged",    "stream", "scatter", "conflict"};

/// The cost of a run of a loop.
struct LoopRun {
  double seconds = 0; ///< processor time
  uint64_t warpInstructions = 0, threadInstructions = 0, cycles = 0;
};

/// The image that loops.S has been made into, a file.
Result<ElfImage> readLoops(const std::string &path);

/// Runs loop number LOOP of IMAGE on a new device, ITERATIONS times by each lane. Merged groups
/// need a multiple of 32 threads per core and at most 32 lanes. Fails as the device does.
Result<LoopRun> runLoop(const SimConfig &config, const ElfImage &image, uint64_t loop,
                        uint64_t iterations);

} // namespace vx::sim

#endif // VX_SIMULATOR_TRAINING_LOOPS_H
