// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers and images of OpenGL as CUDA's: declared, and an error when called, because the device
// has no OpenGL. Programs that only use them in a window compile and run without one.

#ifndef VX_CUDA_GL_INTEROP_H
#define VX_CUDA_GL_INTEROP_H

#include "cuda_gl_interop_functions.h"

#include <GL/gl.h> // GLuint and GLenum are unsigned int

#endif // VX_CUDA_GL_INTEROP_H
