// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/Dram.h"

namespace vx::sim {

namespace {

using Maker = std::unique_ptr<Dram> (*)(const SimConfig &, DramClient &, MemoryStats &);

/// In the order of DramName.
constexpr Maker kMakers[] = {createHbmDram, createFixedDram};

} // namespace

std::unique_ptr<Dram> Dram::create(const SimConfig &config, DramClient &client,
                                   MemoryStats &counters) {
  return kMakers[size_t(config.dram)](config, client, counters);
}

} // namespace vx::sim
