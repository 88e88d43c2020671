// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What doors/Doors.cpp lists of this door.

#ifndef VX_DOORS_SPIRV_ROWS_H
#define VX_DOORS_SPIRV_ROWS_H

#include "doors/opencl/CompileOpenCL.h"
#include "doors/spirv/Passes.h"
#include "doors/spirv/ReadSpirv.h"
#include "doors/spirv/WriteSpirv.h"

namespace vx::spirv {

inline constexpr Door kDoor = {"spirv", ".spv",     "SPIR-V", parseSpirv, opencl::finishOpenCL,
                               nullptr, writeSpirv, passes};

} // namespace vx::spirv

#endif // VX_DOORS_SPIRV_ROWS_H
