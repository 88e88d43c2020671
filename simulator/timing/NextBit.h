// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_SIMULATOR_TIMING_NEXTBIT_H
#define VX_SIMULATOR_TIMING_NEXTBIT_H

#include <bit>
#include <cstdint>

namespace vx::sim {

/// Returns the first bit of WORD, which is not 0, after bit LAST, cyclically: a round-robin choice.
inline uint32_t nextBit(uint64_t word, uint32_t last) {
  return (last + 1 + uint32_t(std::countr_zero(std::rotr(word, int(last + 1) % 64)))) % 64;
}

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_NEXTBIT_H
