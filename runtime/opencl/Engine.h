// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock on commands and events, for the files that define them.

#ifndef VX_RUNTIME_OPENCL_ENGINE_H
#define VX_RUNTIME_OPENCL_ENGINE_H

#include "runtime/opencl/Objects.h"

namespace vx::cl {

std::mutex &engineMutex();

/// Wakes the threads of queues that have commands which wait for events: one has ended.
void wakeWaitingQueues();

/// Gives EVENT a status, with the time, tells all that wait, and runs the callbacks that wait for
/// it; LOCK is released for them. The event must be kept by the caller.
void setStatus(std::unique_lock<std::mutex> &lock, _cl_event &event, cl_int status);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_ENGINE_H
