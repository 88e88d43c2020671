// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_SPIRV_VALIDATE_H
#define VX_FRONTEND_SPIRV_VALIDATE_H

#include "frontend/spirv/Module.h"

namespace vx::spirv {

/// Returns why MODULE is not valid SPIR-V of the version that it names, or not of the kind that
/// this compiler reads: a kernel module of the OpenCL memory model with 64-bit addresses. The text
/// begins with the number and name of the instruction, if one is at fault. Nothing: all is well.
std::optional<std::string> findProblem(const Words &module);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_VALIDATE_H
