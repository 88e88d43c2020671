// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flag that vx-keep-variables leaves in a module whose variables a debugger is to find in
// memory.

#ifndef VX_LIB_VORTEXIR_KEPTVARIABLES_H
#define VX_LIB_VORTEXIR_KEPTVARIABLES_H

#include "lib/VortexIR/TargetFeatures.h"

namespace vx {

/// Module flag: the pass has run.
inline constexpr const char *kKeptFlag = "vx.kept";

/// Returns true if a debugger is to find the variables of M in memory.
inline bool keepsVariables(const llvm::Module &m) {
  return getModuleFlagOr(m, kKeptFlag, 0) != 0;
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_KEPTVARIABLES_H
