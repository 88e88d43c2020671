// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that fuzz targets share (docs/develop/testing.md, "Fuzzing").

#ifndef VX_TEST_FUZZ_FUZZ_H
#define VX_TEST_FUZZ_FUZZ_H

#include "simulator/api/SimConfig.h"
#include <cstdio>
#include <cstdlib>

namespace vx::fuzz {

/// Checks something that holds whatever the input is; if not, that is a finding.
inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Returns a machine of one core, two warps of four lanes, 16 MiB, 1 KiB of local memory: cheap to
/// make.
inline sim::SimConfig smallMachine() {
  sim::SimConfig config;
  config.numThreads = 4;
  config.numWarps = 2;
  config.stackLog2Size = config.lmemLog2Size = 10;
  config.memoryCapacity = 16 << 20;
  return config;
}

} // namespace vx::fuzz

#endif // VX_TEST_FUZZ_FUZZ_H
