// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of earlier releases (LegacyFunctions.def). In C++ their names begin with `legacy_`:
// without it they are macros of cuda.h.

#ifndef VX_RUNTIME_DRIVER_LEGACYSYMBOLS_H
#define VX_RUNTIME_DRIVER_LEGACYSYMBOLS_H

#include "runtime/driver/LegacyTypes.h"
#include "runtime/driver/PerThreadStreams.h"

namespace vx::rt::driver {

// Forms with other parameters than today.
CUresult setTextureAddress(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR *format,
                           CUdeviceptr address, size_t pitch);
CUresult beginCapture(CUstream stream);
CUresult beginCapture_ptsz(CUstream stream);
CUresult getCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id);
CUresult getCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id);
CUresult instantiateGraph(CUgraphExec *made, CUgraph graph, CUgraphNode *errorNode, char *log,
                          size_t logSize);
CUresult updateGraph(CUgraphExec exec, CUgraph graph, CUgraphNode *errorNode,
                     CUgraphExecUpdateResult *result);
CUresult getProcAddress(const char *symbol, void **function, int version, cuuint64_t flags);

#define VX_CU_LEGACY_FUNCTION(name, symbol, function, version, count)                              \
  using legacy_##symbol##_type = LegacyFunction<decltype(function)>::Type;                         \
  extern "C" legacy_##symbol##_type legacy_##symbol __asm__(#symbol);
#include "runtime/driver/LegacyFunctions.def"

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_LEGACYSYMBOLS_H
