// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/LegacySymbols.h"
#include "runtime/cuda/ForwardedCalls.h"

namespace vx::rt::driver {

CUresult setTextureAddress(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR *format,
                           CUdeviceptr address, size_t pitch) {
  return cuTexRefSetAddress2D(texture, format, address, pitch);
}

CUresult beginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult beginCapture_ptsz(CUstream stream) {
  return cuStreamBeginCapture_v2_ptsz(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult getCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

CUresult getCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  return cuStreamGetCaptureInfo_v2_ptsz(stream, status, id, nullptr, nullptr, nullptr);
}

CUresult instantiateGraph(CUgraphExec *made, CUgraph graph, CUgraphNode *errorNode, char *log,
                          size_t logSize) {
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters = {};
  CUresult result = cuGraphInstantiateWithParams(made, graph, &parameters);
  if (errorNode)
    *errorNode = parameters.hErrNode_out;
  if (log && logSize)
    *log = 0;
  return result;
}

CUresult updateGraph(CUgraphExec exec, CUgraph graph, CUgraphNode *errorNode,
                     CUgraphExecUpdateResult *outcome) {
  CUgraphExecUpdateResultInfo info = {};
  CUresult result = cuGraphExecUpdate_v2(exec, graph, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (outcome)
    *outcome = info.result;
  return result;
}

CUresult getProcAddress(const char *symbol, void **function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

namespace {

/// Function with arguments of its former form.
template <auto Function> struct LegacyCall;
template <typename... P, CUresult (*Function)(P...)> struct LegacyCall<Function> {
  static CUresult call(typename LegacyArgument<P>::Type... given) {
    std::tuple<LegacyArgument<P>...> arguments(given...);
    return std::apply(
        [](auto &...argument) {
          CUresult result = Function(argument.pass()...);
          if (result == CUDA_SUCCESS)
            (argument.finish(), ...);
          return result;
        },
        arguments);
  }
};

} // namespace

#define VX_CU_LEGACY_FUNCTION(name, symbol, function, version, count)                              \
  extern "C" CUresult legacy_##symbol(VX_PARAMETERS_##count(legacy_##symbol##_type)) {             \
    return LegacyCall<function>::call(VX_ARGUMENTS_##count);                                       \
  }
#include "runtime/driver/LegacyFunctions.def"

} // namespace vx::rt::driver
