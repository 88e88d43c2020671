// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime for C++: the C API plus the typed conveniences.

#ifndef VX_CUDA_RUNTIME_H
#define VX_CUDA_RUNTIME_H

#include "host_defines.h"

#include "vector_types.h"

#include "cuda_runtime_api.h"

#include "vector_functions.h"

#if defined(__CUDA__)
// What a <<<...>>> becomes: the configuration is pushed, the stub pops it and launches.
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                __SIZE_TYPE__ sharedMem = 0, void *stream = 0);
#endif

#endif // VX_CUDA_RUNTIME_H
