// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_OPENCL_PIXELFORMAT_H
#define VX_RUNTIME_OPENCL_PIXELFORMAT_H

#include "runtime/opencl/Objects.h"

namespace vx::cl {

/// The BYTES of an element of FORMAT with COLOR: four floats, or for integer formats four 32-bit
/// integers (clEnqueueFillImage).
std::vector<char> packPixel(const cl_image_format &format, size_t bytes, const void *color);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_PIXELFORMAT_H
