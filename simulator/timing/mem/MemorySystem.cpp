// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/MemorySystem.h"
#include "simulator/timing/mem/Hierarchy.h"
#include "simulator/timing/mem/PerfectMemory.h"

namespace vx::sim {

std::unique_ptr<MemorySystem> MemorySystem::create(const SimConfig &config) {
  if (config.perfectMemory)
    return std::make_unique<PerfectMemory>(config);
  return createHierarchy(config);
}

} // namespace vx::sim
