// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row of SPIR-V in frontend/DeviceLanguages.cpp.

#ifndef VX_FRONTEND_SPIRV_ROWS_H
#define VX_FRONTEND_SPIRV_ROWS_H

#include "frontend/opencl/CompileOpenCL.h"
#include "frontend/spirv/Passes.h"
#include "frontend/spirv/ReadSpirv.h"
#include "frontend/spirv/WriteSpirv.h"

namespace vx::spirv {

inline constexpr DeviceLanguage kLanguage = {
    "spirv", ".spv", "SPIR-V", parseSpirv, opencl::finishOpenCL, nullptr, writeSpirv, passes};

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_ROWS_H
