// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device driver over the built-in simulator. The environment configures it:
//   VX_CONFIG=FILE.toml        a configuration file
//   VX_SET=key=value,...       settings, applied after the file
//   VX_STATS=FORMAT[:FILE]     statistics when the program ends: text, json or csv
//   VX_PROFILE=PREFIX          a profile by source line: PREFIX.txt and PREFIX.html
//   VX_TRACE=KIND:FILE,...     traces; KIND is konata, perfetto or commit
//   VX_MODE=functional|timing  how to simulate; default: timing when statistics, a profile or a
//                              trace of the pipeline is asked for

#ifndef VX_RUNTIME_BACKENDS_SIM_SIMDEVICE_H
#define VX_RUNTIME_BACKENDS_SIM_SIMDEVICE_H

#include "runtime/core/Driver.h"
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
