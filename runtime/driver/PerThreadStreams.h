// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose stream 0 is the calling thread's own (CUDA_API_PER_THREAD_DEFAULT_STREAM).

#ifndef VX_RUNTIME_DRIVER_PERTHREADSTREAMS_H
#define VX_RUNTIME_DRIVER_PERTHREADSTREAMS_H

#include "cuda.h"

extern "C" {
#define VX_CU_FUNCTION(name, symbol, version)
#define VX_CU_STREAM_FUNCTION(name, symbol, version, suffix, count)                                \
  decltype(symbol) symbol##_##suffix;
#include "runtime/driver/Functions.def"
}

#endif // VX_RUNTIME_DRIVER_PERTHREADSTREAMS_H
