// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines "PERF: …" that Vortex's library prints when a device is closed.

#ifndef VX_SIMULATOR_VORTEX_DUMPCOUNTERS_H
#define VX_SIMULATOR_VORTEX_DUMPCOUNTERS_H

#include <cstdint>
#include <cstdio>

namespace vx::sim {

class VortexDevice;

/// The class that VORTEX_PROFILING asks for: 0 (none), 1 (core) or 2 (memory).
uint32_t chosenCounterClass();

/// Prints what the last run's program has left: for each core, where there are several,
/// instructions, cycles and IPC; the counters of the chosen class, named as in
/// intrinsics/isa/PerfCounters.def; and all cores together, with the cycles of the busiest.
void dumpCounters(VortexDevice &device, std::FILE *stream);

} // namespace vx::sim

#endif // VX_SIMULATOR_VORTEX_DUMPCOUNTERS_H
