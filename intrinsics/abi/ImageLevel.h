// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of the elements of an image in device memory: one level of a CUDA array or of a
// texture. Plain C.

#ifndef VX_INTRINSICS_ABI_IMAGELEVEL_H
#define VX_INTRINSICS_ABI_IMAGELEVEL_H

#ifdef __OPENCL_C_VERSION__
#define VX_IMAGE_UINT uint
#define VX_IMAGE_ULONG ulong
#else
#include <stdint.h>
#define VX_IMAGE_UINT uint32_t
#define VX_IMAGE_ULONG uint64_t
#endif

/// Element (x, y, z) is at data + z * slicePitch + y * rowPitch + x * (bytes of an element).
struct VxImageLevel {
  VX_IMAGE_ULONG data;                 // device address
  VX_IMAGE_ULONG rowPitch, slicePitch; // bytes
  VX_IMAGE_UINT width, height;         // elements; 1 where there is no such dimension
  VX_IMAGE_UINT depth;                 // slices of 3D images, layers of arrays, faces of cube maps
  VX_IMAGE_UINT reserved;
};

#endif // VX_INTRINSICS_ABI_IMAGELEVEL_H
