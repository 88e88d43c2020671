// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/PerThreadStreams.h"
#include "runtime/api/Api.h"
#include "runtime/driver/ForwardedCalls.h"

namespace {

/// Calls FUNCTION with the thread's own stream in the place of stream 0.
template <typename... Parameters>
CUresult onThreadStream(CUresult (*function)(Parameters...), Parameters... arguments) {
  bool before = vx::rt::callMode.perThreadStreams;
  vx::rt::callMode.perThreadStreams = true;
  CUresult result = function(arguments...);
  vx::rt::callMode.perThreadStreams = before;
  return result;
}

} // namespace

#define VX_CU_FUNCTION(name, symbol, version)
#define VX_CU_STREAM_FUNCTION(name, symbol, version, suffix, count)                                \
  extern "C" CUresult symbol##_##suffix(VX_CU_PARAMETERS_##count(decltype(symbol))) {              \
    return onThreadStream(symbol, VX_CU_ARGUMENTS_##count);                                        \
  }
#include "runtime/driver/Functions.def"
