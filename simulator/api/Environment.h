// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment variables of a host program that concern the simulator:
//   VX_CONFIG=FILE.toml        a configuration file
//   VX_SET=key=value,...       settings, applied after the file
//   VX_STATS=FORMAT[:FILE]     statistics when the program ends: text, json or csv
//   VX_PROFILE=PREFIX          a profile by source line: PREFIX.txt and PREFIX.html
//   VX_TRACE=KIND:FILE,...     traces; KIND is konata, perfetto or commit
//   VX_CHECK=TOOL,...          checkers: memcheck, initcheck
//   VX_GDB=PORT|PATH           waits for gdb at a port, or at a Unix socket
//   VX_MODE=functional|timing|sampled  how to simulate; default: timing when statistics, a profile
//                              or a trace of the pipeline is asked for

#ifndef VX_SIMULATOR_API_ENVIRONMENT_H
#define VX_SIMULATOR_API_ENVIRONMENT_H

#include "simulator/api/Result.h"
#include "simulator/api/SimConfig.h"
#include <string>

namespace vx::sim {

struct Environment {
  SimConfig config;  ///< not validated
  std::string stats; ///< FORMAT[:FILE], or empty
  bool modeIsChosen; ///< the user knows whether cycles are those of the machine
};

/// The variables, applied to DEFAULTS. The Failure names the variable that is wrong.
Result<Environment> readEnvironment(const SimConfig &defaults = {});

/// Fails unless REQUEST is empty or a value of VX_STATS.
Result<void> checkStatsRequest(const std::string &request);

/// Writes REPORT where REQUEST, a value of VX_STATS, says: to its file, else to stderr.
Result<void> writeStatsReport(const std::string &request, const std::string &report);

/// The format that REQUEST, a value of VX_STATS, asks for.
std::string statsFormat(const std::string &request);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_ENVIRONMENT_H
