// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/MemorySystem.h"
#include "simulator/timing/mem/PerfectMemory.h"

namespace vx::sim {

std::unique_ptr<MemorySystem> MemorySystem::create(const SimConfig &config) {
  return std::make_unique<PerfectMemory>(config);
}

} // namespace vx::sim
