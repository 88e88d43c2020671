// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trap reports for people.

#ifndef VX_SIMULATOR_API_TRAPTEXT_H
#define VX_SIMULATOR_API_TRAPTEXT_H

#include "simulator/api/ElfImage.h"
#include "simulator/api/Simulator.h"
#include <string>

namespace vx::sim {

/// Returns "0x80000010 in main_warp+0x10 at a.c:12", or as much of it as IMAGE (may be null) knows.
std::string describeLocation(uint64_t pc, const ElfImage *image);

/// Returns what happened in one line, e.g. "illegal memory access: store of 4 bytes at 0x0".
std::string summarize(const TrapReport &trap);

/// Returns several lines without a prefix: summary, place, instruction, who, details.
std::string formatTrap(const TrapReport &trap, const ElfImage *image, unsigned xlen);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_TRAPTEXT_H
