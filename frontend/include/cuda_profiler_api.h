// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaProfilerStart and cudaProfilerStop are declared with the rest of the runtime API.

#ifndef VX_CUDA_PROFILER_API_H
#define VX_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif // VX_CUDA_PROFILER_API_H
