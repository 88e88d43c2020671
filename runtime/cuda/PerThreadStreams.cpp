// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of programs with CUDA_API_PER_THREAD_DEFAULT_STREAM.

#include "runtime/cuda/Api.h"
#include "runtime/cuda/ForwardedCalls.h"

#define VX_STREAM_FUNCTION(name, suffix, count)                                                    \
  extern "C" cudaError_t name##_##suffix(VX_PARAMETERS_##count(decltype(name))) {                  \
    return vx::rt::onThreadStream(name, VX_ARGUMENTS_##count);                                     \
  }
#include "runtime/cuda/StreamFunctions.def"
