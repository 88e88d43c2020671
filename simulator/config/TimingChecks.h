// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_SIMULATOR_CONFIG_TIMINGCHECKS_H
#define VX_SIMULATOR_CONFIG_TIMINGCHECKS_H

#include "simulator/api/SimConfig.h"

namespace vx::sim {

/// Adds to ERRORS what no machine of the timing model could be built from.
void checkTiming(const SimConfig &config, std::vector<std::string> &errors);

} // namespace vx::sim

#endif // VX_SIMULATOR_CONFIG_TIMINGCHECKS_H
