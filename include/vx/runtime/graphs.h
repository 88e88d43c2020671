// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs, stream capture, stream attributes, user objects and memory pools: the functions. Included
// by cuda_runtime_api.h inside extern "C"; VX_DEFAULT(value) is a default argument in C++.

#ifndef VX_RT_GRAPHS_H
#define VX_RT_GRAPHS_H

/* The forms that CUDA 12 has under the plain names. */
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2

/* Attributes of streams. */
extern cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
extern cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attr,
                                          cudaStreamAttrValue *value);
extern cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attr,
                                          const cudaStreamAttrValue *value);

/* Capture. */
extern cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
extern cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t *dependencies,
                                                 const cudaGraphEdgeData *dependencyData,
                                                 size_t numDependencies,
                                                 enum cudaStreamCaptureMode mode);
extern cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
extern cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
extern cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                               enum cudaStreamCaptureStatus *status,
                                               unsigned long long *id VX_DEFAULT(0),
                                               cudaGraph_t *graph VX_DEFAULT(0),
                                               const cudaGraphNode_t **dependencies VX_DEFAULT(0),
                                               size_t *numDependencies VX_DEFAULT(0));
extern cudaError_t cudaStreamGetCaptureInfo_v3(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id VX_DEFAULT(0),
    cudaGraph_t *graph VX_DEFAULT(0), const cudaGraphNode_t **dependencies VX_DEFAULT(0),
    const cudaGraphEdgeData **edgeData VX_DEFAULT(0), size_t *numDependencies VX_DEFAULT(0));
extern cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                       cudaGraphNode_t *dependencies,
                                                       size_t numDependencies,
                                                       unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                          cudaGraphNode_t *dependencies,
                                                          const cudaGraphEdgeData *dependencyData,
                                                          size_t numDependencies,
                                                          unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

/* Graphs and their structure. */
extern cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
extern cudaError_t cudaGraphDestroy(cudaGraph_t graph);
extern cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original);
extern cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
extern cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                            cudaGraph_t clone);
extern cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
extern cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes);
extern cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                         size_t *numNodes);
extern cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     size_t *numEdges);
extern cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from,
                                        cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                                        size_t *numEdges);
extern cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                                size_t *numDependencies);
extern cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node,
                                                   cudaGraphNode_t *dependencies,
                                                   cudaGraphEdgeData *edgeData,
                                                   size_t *numDependencies);
extern cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                                  size_t *numDependents);
extern cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
                                                     cudaGraphNode_t *dependents,
                                                     cudaGraphEdgeData *edgeData,
                                                     size_t *numDependents);
extern cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, size_t numDependencies);
extern cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to,
                                               const cudaGraphEdgeData *edgeData,
                                               size_t numDependencies);
extern cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t numDependencies);
extern cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                  const cudaGraphNode_t *to,
                                                  const cudaGraphEdgeData *edgeData,
                                                  size_t numDependencies);
extern cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);

/* Nodes of any type. */
extern cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t numDependencies,
                                    struct cudaGraphNodeParams *params);
extern cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies,
                                       const cudaGraphEdgeData *dependencyData,
                                       size_t numDependencies, struct cudaGraphNodeParams *params);
extern cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params);
extern cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                              struct cudaGraphNodeParams *params);

/* Kernel nodes. */
extern cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          size_t numDependencies,
                                          const struct cudaKernelNodeParams *params);
extern cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                struct cudaKernelNodeParams *params);
extern cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaKernelNodeParams *params);
extern cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaKernelNodeParams *params);
extern cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src);
extern cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attr,
                                                   cudaKernelNodeAttrValue *value);
extern cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attr,
                                                   const cudaKernelNodeAttrValue *value);

/* Copies and fills. */
extern cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          size_t numDependencies,
                                          const struct cudaMemcpy3DParms *params);
extern cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies,
                                            size_t numDependencies, void *dst, const void *src,
                                            size_t count, enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                  const cudaGraphNode_t *dependencies,
                                                  size_t numDependencies, const void *symbol,
                                                  const void *src, size_t count, size_t offset,
                                                  enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                    const cudaGraphNode_t *dependencies,
                                                    size_t numDependencies, void *dst,
                                                    const void *symbol, size_t count, size_t offset,
                                                    enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                struct cudaMemcpy3DParms *params);
extern cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaMemcpy3DParms *params);
extern cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                                  size_t count, enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                        const void *src, size_t count,
                                                        size_t offset, enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                          const void *symbol, size_t count,
                                                          size_t offset, enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaMemcpy3DParms *params);
extern cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      void *dst, const void *src, size_t count,
                                                      enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node,
                                                            const void *symbol, const void *src,
                                                            size_t count, size_t offset,
                                                            enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                              cudaGraphNode_t node, void *dst,
                                                              const void *symbol, size_t count,
                                                              size_t offset,
                                                              enum cudaMemcpyKind kind);
extern cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          size_t numDependencies,
                                          const struct cudaMemsetParams *params);
extern cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                struct cudaMemsetParams *params);
extern cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaMemsetParams *params);
extern cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaMemsetParams *params);

/* Host functions, embedded graphs, empty nodes, events. */
extern cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t numDependencies,
                                        const struct cudaHostNodeParams *params);
extern cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                              struct cudaHostNodeParams *params);
extern cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                              const struct cudaHostNodeParams *params);
extern cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                  const struct cudaHostNodeParams *params);
extern cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies,
                                              size_t numDependencies, cudaGraph_t child);
extern cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph);
extern cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        cudaGraph_t child);
extern cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *dependencies,
                                         size_t numDependencies);
extern cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                               const cudaGraphNode_t *dependencies,
                                               size_t numDependencies, cudaEvent_t event);
extern cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
extern cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
extern cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        cudaEvent_t event);
extern cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies,
                                             size_t numDependencies, cudaEvent_t event);
extern cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
extern cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
extern cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      cudaEvent_t event);

/* Memory nodes. */
extern cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies,
                                            size_t numDependencies,
                                            struct cudaMemAllocNodeParams *params);
extern cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                  struct cudaMemAllocNodeParams *params);
extern cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           size_t numDependencies, void *dptr);
extern cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr);
extern cudaError_t cudaDeviceGraphMemTrim(int device);
extern cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                  void *value);
extern cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                  void *value);

/* Conditions. */
extern cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                                    cudaGraph_t graph,
                                                    unsigned int defaultLaunchValue VX_DEFAULT(0),
                                                    unsigned int flags VX_DEFAULT(0));

/* Executable graphs. */
extern cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        unsigned long long flags VX_DEFAULT(0));
extern cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                 unsigned long long flags VX_DEFAULT(0));
extern cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams *params);
extern cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
extern cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *resultInfo);
extern cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           unsigned int isEnabled);
extern cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           unsigned int *isEnabled);
extern cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
extern cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
extern cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

/* User objects. */
extern cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr, cudaHostFn_t destroy,
                                        unsigned int initialRefcount, unsigned int flags);
extern cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count VX_DEFAULT(1));
extern cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count VX_DEFAULT(1));
extern cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                             unsigned int count VX_DEFAULT(1),
                                             unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                              unsigned int count VX_DEFAULT(1));

/* Memory pools. */
extern cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
extern cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
extern cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
extern cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
extern cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
extern cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t minBytesToKeep);
extern cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                           void *value);
extern cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                           void *value);
extern cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *descs,
                                        size_t count);
extern cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                        struct cudaMemLocation *location);
extern cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream);
extern cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                                      enum cudaMemAllocationHandleType handleType,
                                                      unsigned int flags);
extern cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                        enum cudaMemAllocationHandleType handleType,
                                                        unsigned int flags);
extern cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr);
extern cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool,
                                            struct cudaMemPoolPtrExportData *data);

#endif // VX_RT_GRAPHS_H
