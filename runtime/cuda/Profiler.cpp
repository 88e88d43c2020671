// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiler control: which part of the program the statistics of VX_STATS describe.

#include "runtime/cuda/Api.h"

using namespace vx::rt;

/// Is done after the work that was launched before; the program does not wait for it.
static cudaError_t setCounting(bool enable) {
  return callWithContext([&](Context &context) {
    enqueueInStream(context, context.scheduler().legacyStream(), [&context, enable] {
      context.device().enableCounters(enable);
      return cudaSuccess;
    });
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaProfilerStart() {
  return setCounting(true);
}

extern "C" cudaError_t cudaProfilerStop() {
  return setCounting(false);
}
