// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_SPIRV_BUILTINNAMES_H
#define VX_FRONTEND_SPIRV_BUILTINNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace vx::spirv {

/// Remangles MANGLED, the name of a function in the mangling of OpenCL C for SPIR, as clang mangles
/// it for nvptx64: constant memory has another number, and generic pointers have no qualifier.
/// Names that are not mangled functions of OpenCL C stay as they are.
std::string remangle(llvm::StringRef mangled);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_BUILTINNAMES_H
