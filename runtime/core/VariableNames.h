// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of environment variables.

#ifndef VX_RUNTIME_CORE_VARIABLENAMES_H
#define VX_RUNTIME_CORE_VARIABLENAMES_H

#include <string>

namespace vx::rt {

/// Returns a message about the variables VX_... in ENVIRONMENT (as `environ`) that are not the
/// project's;
/// empty: there are none.
std::string describeUnknownVariables(const char *const *environment);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_VARIABLENAMES_H
