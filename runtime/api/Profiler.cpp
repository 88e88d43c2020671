// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiler control: which part of the program the statistics of VX_STATS describe.

#include "runtime/api/Api.h"

using namespace vx::rt;

static cudaError_t setCounting(bool enable) {
  return callWithContext([&](Context &context) {
    cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
    if (e == cudaSuccess)
      context.scheduler().withDevice([&] { context.device().enableCounters(enable); });
    return e;
  });
}

extern "C" cudaError_t cudaProfilerStart() {
  return setCounting(true);
}

extern "C" cudaError_t cudaProfilerStop() {
  return setCounting(false);
}
