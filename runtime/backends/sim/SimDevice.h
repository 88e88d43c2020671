// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device driver over the built-in simulator. The environment configures it
// (simulator/api/Environment.h).

#ifndef VX_RUNTIME_BACKENDS_SIM_SIMDEVICE_H
#define VX_RUNTIME_BACKENDS_SIM_SIMDEVICE_H

#include "runtime/core/Device.h"
#include "simulator/api/SimConfig.h"

namespace vx::rt {

/// Opens a simulator as the environment says.
Result<std::unique_ptr<Device>> openSimDevice(const DeviceIdentity &identity);

/// Opens a simulator of that configuration; STATS is a value of VX_STATS, or empty. MODEISCHOSEN:
/// the user knows how it is simulated.
Result<std::unique_ptr<Device>> openSimDevice(const sim::SimConfig &config,
                                              const std::string &stats, bool modeIsChosen = true,
                                              const DeviceIdentity &identity = {});

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_SIM_SIMDEVICE_H
