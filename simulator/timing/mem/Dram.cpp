// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/Dram.h"

namespace vx::sim {

namespace {

using DramMaker = std::unique_ptr<Dram> (*)(const SimConfig &, DramClient &, MemoryStats &);

/// In the order of DramName.
constexpr DramMaker kDramMakers[] = {createHbmDram, createFixedDram};

} // namespace

std::unique_ptr<Dram> Dram::create(const SimConfig &config, DramClient &client,
                                   MemoryStats &counters) {
  return kDramMakers[size_t(config.dram)](config, client, counters);
}

} // namespace vx::sim
