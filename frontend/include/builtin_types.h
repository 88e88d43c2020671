// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All types of the CUDA runtime API in one header.

#ifndef VX_CUDA_BUILTIN_TYPES_H
#define VX_CUDA_BUILTIN_TYPES_H

#include "driver_types.h"
#include "vector_types.h"

#endif // VX_CUDA_BUILTIN_TYPES_H
