// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VX_LAUNCHES=FILE: a line for each run of a kernel, with its cycles and the time of
// the host that it took, in the order of the runs.

#ifndef VX_RUNTIME_LAUNCH_LAUNCHLOG_H
#define VX_RUNTIME_LAUNCH_LAUNCHLOG_H

#include <cstdint>
#include <string>

namespace vx::rt {

/// Seconds of processor time that this process has had, all its threads together. 0 without
/// VX_LAUNCHES: to ask is a system call, and a launch is short.
double processorSeconds();

/// Adds "cycles,lowering,kernel,seconds" (CSV) to the file that VX_LAUNCHES names, which the first
/// line of the process empties. Without the variable nothing happens. Thread-safe.
void logLaunch(const std::string &kernel, const std::string &lowering, uint64_t cycles,
               double seconds);

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_LAUNCHLOG_H
