// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of cudaDeviceProp and of the attributes about textures and surfaces.

#ifndef VX_RUNTIME_CUDA_IMAGEPROPERTIES_H
#define VX_RUNTIME_CUDA_IMAGEPROPERTIES_H

#include "driver_types.h"
#include <optional>

namespace vx::rt {

void setImageLimits(cudaDeviceProp &properties);
/// Nothing for attributes that are not extents of textures and surfaces.
std::optional<int> imageLimit(cudaDeviceAttr attribute);

} // namespace vx::rt

#endif // VX_RUNTIME_CUDA_IMAGEPROPERTIES_H
