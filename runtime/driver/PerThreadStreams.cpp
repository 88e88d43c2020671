// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/PerThreadStreams.h"
#include "runtime/cuda/Api.h"
#include "runtime/cuda/ForwardedCalls.h"

#define VX_CU_FUNCTION(name, symbol, version)
#define VX_CU_STREAM_FUNCTION(name, symbol, version, suffix, count)                                \
  extern "C" CUresult symbol##_##suffix(VX_PARAMETERS_##count(decltype(symbol))) {                 \
    return vx::rt::onThreadStream(symbol, VX_ARGUMENTS_##count);                                   \
  }
#include "runtime/driver/Functions.def"
