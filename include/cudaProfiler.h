// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's profiler control.

#ifndef CUDAPROFILER_H
#define CUDAPROFILER_H

#include <cuda.h>

#if defined(__cplusplus)
extern "C" {
#endif

extern CUresult cuProfilerStart(void);
extern CUresult cuProfilerStop(void);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // CUDAPROFILER_H
