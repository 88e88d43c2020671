// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row of OpenCL in frontend/DeviceLanguages.cpp.

#ifndef VX_FRONTEND_OPENCL_ROWS_H
#define VX_FRONTEND_OPENCL_ROWS_H

#include "frontend/opencl/CompileOpenCL.h"
#include "frontend/opencl/Passes.h"

namespace vx::opencl {

inline constexpr DeviceLanguage kLanguage = {"cl",         ".cl",      "OpenCL C", parseOpenCL,
                                             finishOpenCL, planOpenCL, nullptr,    passes};

} // namespace vx::opencl

#endif // VX_FRONTEND_OPENCL_ROWS_H
