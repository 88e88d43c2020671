// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program says about itself with NVTX: ranges that are open and marks. They belong to the
// process, not to a device, and are kept only where a report asks for them (VX_TRACE, VX_STATS). A
// launch takes with it the ranges of its host thread and those of the process.

#ifndef VX_RUNTIME_CORE_ANNOTATIONS_H
#define VX_RUNTIME_CORE_ANNOTATIONS_H

#include "simulator/api/Simulator.h"
#include <cstdint>
#include <memory>
#include <string>

namespace vx::rt::annotations {

/// Returns true if anything would see them.
bool areWanted();

/// Opens a range of the calling thread; its depth, from 0.
int push(const std::string &name);
/// Closes the innermost one; its depth; below 0: there is none.
int pop();
/// Opens a range of the process; its number.
uint64_t start(const std::string &name);
void end(uint64_t range);
/// Something happened between two launches.
void mark(const std::string &name);
/// Gives the thread with the operating system's number THREAD a name.
void nameThread(uint32_t thread, const std::string &name);

/// For a launch of the calling thread: the open ranges, and the marks since the last launch. Null:
/// there are none.
std::shared_ptr<const sim::RunAnnotations> ofLaunch();

} // namespace vx::rt::annotations

#endif // VX_RUNTIME_CORE_ANNOTATIONS_H
