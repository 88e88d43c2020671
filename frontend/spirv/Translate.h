// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_FRONTEND_SPIRV_TRANSLATE_H
#define VX_FRONTEND_SPIRV_TRANSLATE_H

#include "frontend/spirv/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace vx::spirv {

/// Returns MODULE as LLVM bitcode that calls OpenCL C 2.0's functions, made by
/// SPIRV-LLVM-Translator. The translator is linked with an LLVM of its own, so it is a program:
/// what VX_SPIRV_TRANSLATOR names, or the one that the build has found.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> translate(const Words &module);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_TRANSLATE_H
