// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variant of its kernel, and which mapping of that, a launch takes.

#ifndef VX_RUNTIME_LAUNCH_MAPPINGCHOICE_H
#define VX_RUNTIME_LAUNCH_MAPPINGCHOICE_H

#include "runtime/core/ContextState.h"
#include "runtime/launch/LaunchRequest.h"

namespace vx::rt {

/// Chooses the plan for REQUEST, and sets its variant to the one that the plan is for: the fastest
/// that the request can have, or the one that the environment names. None if the device cannot hold
/// it.
std::optional<LaunchPlan> choosePlan(LaunchRequest &request, const ContextState &state);

/// Returns true if all blocks of REQUEST are resident in PLAN where it asks for that.
bool isResident(const LaunchRequest &request, const LaunchPlan &plan);

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_MAPPINGCHOICE_H
