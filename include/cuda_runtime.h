// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime for C++: the C API plus the typed conveniences.

#ifndef VX_CUDA_RUNTIME_H
#define VX_CUDA_RUNTIME_H

#include "host_defines.h"

#include "vector_types.h"

#include "cuda_runtime_api.h"

#include "channel_descriptor.h"
#include "library_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_functions.h"

// Programs ask with these whether CUDA's headers have been included.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#endif // VX_CUDA_RUNTIME_H
