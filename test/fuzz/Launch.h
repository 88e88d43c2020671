// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch that the first bytes of an input for LaunchTarget ask for; all modulo what is allowed.

#ifndef VX_TEST_FUZZ_LAUNCH_H
#define VX_TEST_FUZZ_LAUNCH_H

#include <cstdint>

namespace vx::fuzz {

struct Launch {
  uint8_t lanes = 3, warps = 3, cores = 0, localMemory = 6;
  uint16_t threads = 31, blocks = 3;
  uint32_t dynamicBytes = 0;
  uint8_t profile =
      2; ///< bits: 0 and 1 the device's instructions, 2 flat blocks, 3 and 4 the lowering
  uint8_t unused[3] = {};
};

} // namespace vx::fuzz

#endif // VX_TEST_FUZZ_LAUNCH_H
