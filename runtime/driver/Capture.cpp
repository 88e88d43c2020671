// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture and attributes of streams: those of the runtime API.

#include "runtime/driver/SameLayout.h"

using namespace vx::rt;
using namespace vx::rt::driver;

VX_CU_SAME(cuStreamBeginCapture, (CUstream stream, CUstreamCaptureMode mode),
           cudaStreamBeginCapture(stream, cudaStreamCaptureMode(mode)))
VX_CU_SAME(cuStreamBeginCaptureToGraph,
           (CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
            const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode),
           cudaStreamBeginCaptureToGraph(stream, graph, dependencies, as<cudaGraphEdgeData>(data),
                                         count, cudaStreamCaptureMode(mode)))
VX_CU_SAME(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode * mode),
           cudaThreadExchangeStreamCaptureMode(as<cudaStreamCaptureMode>(mode)))
VX_CU_SAME(cuStreamEndCapture, (CUstream stream, CUgraph *graph),
           cudaStreamEndCapture(stream, graph))
VX_CU_SAME(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status),
           cudaStreamIsCapturing(stream, as<cudaStreamCaptureStatus>(status)))
VX_CU_SAME(cuStreamGetCaptureInfo,
           (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
            const CUgraphNode **dependencies, size_t *count),
           cudaStreamGetCaptureInfo_v2(stream, as<cudaStreamCaptureStatus>(status),
                                       as<unsigned long long>(id), graph, dependencies, count))
VX_CU_SAME(cuStreamGetCaptureInfo_v3,
           (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
            const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count),
           cudaStreamGetCaptureInfo_v3(stream, as<cudaStreamCaptureStatus>(status),
                                       as<unsigned long long>(id), graph, dependencies,
                                       reinterpret_cast<const cudaGraphEdgeData **>(data), count))
VX_CU_SAME(cuStreamUpdateCaptureDependencies,
           (CUstream stream, CUgraphNode *dependencies, size_t count, unsigned flags),
           cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags))
VX_CU_SAME(cuStreamUpdateCaptureDependencies_v2,
           (CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data, size_t count,
            unsigned flags),
           cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, as<cudaGraphEdgeData>(data),
                                                  count, flags))

VX_CU_SAME(cuStreamCopyAttributes, (CUstream to, CUstream from), cudaStreamCopyAttributes(to, from))
VX_CU_SAME(cuStreamGetAttribute, (CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value),
           cudaStreamGetAttribute(stream, cudaStreamAttrID(id), as<cudaStreamAttrValue>(value)))
VX_CU_SAME(cuStreamSetAttribute,
           (CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value),
           cudaStreamSetAttribute(stream, cudaStreamAttrID(id), as<cudaStreamAttrValue>(value)))
