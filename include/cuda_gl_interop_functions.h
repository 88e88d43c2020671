// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of cuda_gl_interop.h, with OpenGL's types spelled out, so that the runtime needs
// no OpenGL.

#ifndef VX_CUDA_GL_INTEROP_FUNCTIONS_H
#define VX_CUDA_GL_INTEROP_FUNCTIONS_H

#include "cuda_runtime_api.h"

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3,
};

enum cudaGLMapFlags {
  cudaGLMapFlagsNone = 0,
  cudaGLMapFlagsReadOnly = 1,
  cudaGLMapFlagsWriteDiscard = 2,
};

#if defined(__cplusplus)
extern "C" {
#endif

/// cudaErrorNoDevice: no OpenGL context belongs to the device.
extern cudaError_t cudaGLGetDevices(unsigned int *count, int *devices, unsigned int capacity,
                                    enum cudaGLDeviceList list);
/// cudaErrorNotSupported.
extern cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource,
                                               unsigned int image, unsigned int target,
                                               unsigned int flags);
/// cudaErrorNotSupported.
extern cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource,
                                                unsigned int buffer, unsigned int flags);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // VX_CUDA_GL_INTEROP_FUNCTIONS_H
