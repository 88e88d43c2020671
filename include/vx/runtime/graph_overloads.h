// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ overloads for graphs, capture and memory pools: typed symbols and pointers, the forms of CUDA
// 11, and those of CUDA 13, whose argument lists differ from the ones of CUDA 12. Included by
// cuda_runtime_overloads.h.

#ifndef VX_RT_GRAPH_OVERLOADS_H
#define VX_RT_GRAPH_OVERLOADS_H

static inline cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, pool, stream);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}

template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                         const cudaGraphNode_t *dependencies,
                                                         size_t numDependencies, const T &symbol,
                                                         const void *src, size_t count,
                                                         size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, numDependencies,
                                          (const void *)&symbol, src, count, offset, kind);
}

template <class T>
static inline cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t numDependencies,
                                 void *dst, const T &symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, numDependencies, dst,
                                            (const void *)&symbol, count, offset, kind);
}

template <class T>
static inline cudaError_t
cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol, const void *src,
                                     size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, src, count, offset,
                                                kind);
}

template <class T>
static inline cudaError_t
cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const T &symbol,
                                       size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&symbol, count, offset,
                                                  kind);
}

template <class T>
static inline cudaError_t
cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                         const T &symbol, const void *src, size_t count,
                                         size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, (const void *)&symbol, src, count,
                                                    offset, kind);
}

template <class T>
static inline cudaError_t
cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                           const T &symbol, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, (const void *)&symbol, count,
                                                      offset, kind);
}

template <class T>
static inline cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, T *ptr,
                                               unsigned int initialRefcount, unsigned int flags) {
  return ::cudaUserObjectCreate(
      object, ptr, [](void *pointer) { delete reinterpret_cast<T *>(pointer); }, initialRefcount,
      flags);
}

/* The forms of CUDA 11. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *errorNode, char *logBuffer,
                                               size_t bufferSize) {
  (void)bufferSize;
  if (errorNode)
    *errorNode = nullptr;
  if (logBuffer && bufferSize)
    *logBuffer = 0;
  return ::cudaGraphInstantiate(exec, graph, 0);
}

static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t *errorNode,
                                              enum cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t status = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (result)
    *result = info.result;
  return status;
}

/* The forms of CUDA 13. */
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **dependencies,
                                                   const cudaGraphEdgeData **edgeData,
                                                   size_t *numDependencies) {
  return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edgeData,
                                       numDependencies);
}

static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                    unsigned int flags) {
  return ::cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData,
                                                  numDependencies, flags);
}

static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           const cudaGraphEdgeData *dependencyData,
                                           size_t numDependencies,
                                           struct cudaGraphNodeParams *params) {
  return ::cudaGraphAddNode_v2(node, graph, dependencies, dependencyData, numDependencies, params);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                            cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                                            size_t *numEdges) {
  return ::cudaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                       cudaGraphNode_t *dependencies,
                                                       cudaGraphEdgeData *edgeData,
                                                       size_t *numDependencies) {
  return ::cudaGraphNodeGetDependencies_v2(node, dependencies, edgeData, numDependencies);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t *dependents,
                                                         cudaGraphEdgeData *edgeData,
                                                         size_t *numDependents) {
  return ::cudaGraphNodeGetDependentNodes_v2(node, dependents, edgeData, numDependents);
}

static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *edgeData,
                                                   size_t numDependencies) {
  return ::cudaGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to,
                                                      const cudaGraphEdgeData *edgeData,
                                                      size_t numDependencies) {
  return ::cudaGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}

#if defined(__CUDACC__)
/* In kernels of a graph: what its conditional nodes go by. A handle is the address of a word. */
static inline __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                                      unsigned int value) {
  *(volatile unsigned int *)(size_t)handle = value;
}
#endif

#endif // VX_RT_GRAPH_OVERLOADS_H
