// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to images by element or sampler, for the functions that programs call.

#ifndef VX_FRONTEND_OPENCL_DEVICE_IMAGES_H
#define VX_FRONTEND_OPENCL_DEVICE_IMAGES_H

#include "frontend/opencl/device/Device.h"
#include "intrinsics/opencl/ImageFormat.h"

/// Returns the element at an index inside the image; Z is the slice or the layer.
float4 vxLoadF(__global const struct VxImage *image, uint x, uint y, uint z);
uint4 vxLoadU(__global const struct VxImage *image, uint x, uint y, uint z);
/// Writes an element; outside of the image nothing happens.
void vxStoreF(__global const struct VxImage *image, uint x, uint y, uint z, float4 value);
void vxStoreU(__global const struct VxImage *image, uint x, uint y, uint z, uint4 value);
/// Returns what SAMPLER (VxSamplerBits) makes of the image at coordinates AT, of which DIMENSIONS
/// count; LAYER is the slice for fewer than three.
float4 vxSampleF(__global const struct VxImage *image, uint sampler, float4 at, int layer,
                 uint dimensions);
uint4 vxSampleU(__global const struct VxImage *image, uint sampler, float4 at, int layer,
                uint dimensions);

#endif // VX_FRONTEND_OPENCL_DEVICE_IMAGES_H
