// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A float in a 64-bit register has ones above it; one that has not reads as NaN.

#ifndef VX_SIMULATOR_FUNC_FLOAT_BOX_H
#define VX_SIMULATOR_FUNC_FLOAT_BOX_H

#include <cstdint>

namespace vx::sim {

inline constexpr uint64_t kBox = 0xffffffff00000000;

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_FLOAT_BOX_H
