// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime for C++: the C API plus the typed conveniences.

#ifndef VX_CUDA_RUNTIME_H
#define VX_CUDA_RUNTIME_H

#include "host_defines.h"

#include "vector_types.h"

#include "cuda_runtime_api.h"

#include "vector_functions.h"

#endif // VX_CUDA_RUNTIME_H
