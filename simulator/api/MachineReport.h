// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine that a report of statistics is about, for those who compare reports
// (docs/architect/vx-report.md).

#ifndef VX_SIMULATOR_API_MACHINEREPORT_H
#define VX_SIMULATOR_API_MACHINEREPORT_H

#include "simulator/api/SimConfig.h"
#include <string>

namespace vx::sim {

/// The most that a machine can do in a cycle, all cores together.
struct MachinePeak {
  double threadInstructions = 0; ///< instructions of lanes issued
  double dcacheBytes = 0;        ///< bytes of the lines that the cores' channels carry to the D$
  double dramBytes = 0;          ///< bytes on the data buses of the DRAM
};

MachinePeak peakOf(const SimConfig &config);

/// REPORT of FORMAT with two members more if that is json: "machine", every knob that is a number
/// or a choice with its value, and "peak", a MachinePeak.
std::string addMachine(const std::string &format, std::string report, const SimConfig &config);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_MACHINEREPORT_H
