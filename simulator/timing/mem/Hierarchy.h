// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_SIMULATOR_TIMING_MEM_HIERARCHY_H
#define VX_SIMULATOR_TIMING_MEM_HIERARCHY_H

#include "simulator/timing/mem/MemorySystem.h"

namespace vx::sim {

/// Coalescers, local memories, caches and DRAM as CONFIG describes them.
std::unique_ptr<MemorySystem> createHierarchy(const SimConfig &config);

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_HIERARCHY_H
