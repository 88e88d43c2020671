// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of images and samplers in device memory: written by the platform, read by the
// functions of device/Images.cl. Plain C for both.

#ifndef VX_INTRINSICS_OPENCL_IMAGEFORMAT_H
#define VX_INTRINSICS_OPENCL_IMAGEFORMAT_H

#ifdef __OPENCL_C_VERSION__
#define VX_GLOBAL __global
#define VX_UINT uint
#define VX_ULONG ulong
#else
#include <stdint.h>
#define VX_GLOBAL
#define VX_UINT uint32_t
#define VX_ULONG uint64_t
#endif

struct VxImage {
  VX_ULONG data;                 // device address of the first element
  VX_ULONG rowPitch, slicePitch; // bytes; slices of 3D images, layers of arrays
  VX_UINT width, height, depth;  // elements; 1 where there is no such dimension
  VX_UINT layers;                // of an array; else 1
  VX_UINT order, type;           // CL_RGBA …, CL_UNORM_INT8 …
  VX_UINT mipLevels, samples;    // 0
};

// Bits of a sampler: clang's encoding of CLK_* (opencl-c-base.h).
enum VxSamplerBits {
  VX_SAMPLER_NORMALIZED = 1,
  VX_SAMPLER_ADDRESS = 7 << 1, // 0 none, 2 clamp to edge, 4 clamp, 6 repeat, 8 mirrored repeat
  VX_SAMPLER_LINEAR = 0x20     // CLK_FILTER_NEAREST is 0x10
};

#endif // VX_INTRINSICS_OPENCL_IMAGEFORMAT_H
