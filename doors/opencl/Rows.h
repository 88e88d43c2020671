// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What doors/Doors.cpp lists of this door.

#ifndef VX_DOORS_OPENCL_ROWS_H
#define VX_DOORS_OPENCL_ROWS_H

#include "doors/opencl/CompileOpenCL.h"
#include "doors/opencl/Passes.h"

namespace vx::opencl {

inline constexpr Door kDoor = {"cl",         ".cl",      "OpenCL C", parseOpenCL,
                               finishOpenCL, planOpenCL, nullptr,    passes};

} // namespace vx::opencl

#endif // VX_DOORS_OPENCL_ROWS_H
