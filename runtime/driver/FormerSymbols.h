// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of former releases (FormerFunctions.def). In C++ their names begin with `former_`:
// without it they are macros of cuda.h.

#ifndef VX_RUNTIME_DRIVER_FORMERSYMBOLS_H
#define VX_RUNTIME_DRIVER_FORMERSYMBOLS_H

#include "runtime/driver/FormerTypes.h"
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

#define VX_CU_FORMER_FUNCTION(name, symbol, function, version, count)                              \
  using former_##symbol##_type = FormerFunction<decltype(function)>::Type;                         \
  extern "C" former_##symbol##_type former_##symbol __asm__(#symbol);
#include "runtime/driver/FormerFunctions.def"

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_FORMERSYMBOLS_H
