// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API: devices, contexts, code and launches, streams, events and graphs.

#ifndef VX_CUDA_CU_PROGRAM_CALLS_H
#define VX_CUDA_CU_PROGRAM_CALLS_H

#include "vx/driver/memory.h"
#include "vx/driver/versions.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Initialization, errors and entry points. */
extern CUresult cuGetErrorString(CUresult error, const char **pStr);
extern CUresult cuGetErrorName(CUresult error, const char **pStr);
extern CUresult cuInit(unsigned int Flags);
extern CUresult cuDriverGetVersion(int *driverVersion);
extern CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);
extern CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult *symbolStatus);
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
/* A name that says nothing about streams means the function that a call in this source means. */
static inline CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn, int cudaVersion,
                                                cuuint64_t flags,
                                                CUdriverProcAddressQueryResult *symbolStatus) {
  if (!(flags & CU_GET_PROC_ADDRESS_LEGACY_STREAM))
    flags |= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  return cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, symbolStatus);
}
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#endif
extern CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void *value, size_t *size);
extern CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void *value, size_t *size);
extern CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void *value, size_t *size);
extern CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void *value, size_t *size);
extern CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId);

/* Devices and primary contexts. */
extern CUresult cuDeviceGet(CUdevice *device, int ordinal);
extern CUresult cuDeviceGetCount(int *count);
extern CUresult cuDeviceGetName(char *name, int len, CUdevice dev);
extern CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);
extern CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev);
extern CUresult cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice dev);
extern CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev);
extern CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                   CUarray_format format, unsigned numChannels,
                                                   CUdevice dev);
extern CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);
extern CUresult cuDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, CUdevice dev, int flags);
extern CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev);
extern CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                           CUflushGPUDirectRDMAWritesScope scope);
extern CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);
extern CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);
extern CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);
extern CUresult cuDevicePrimaryCtxRelease(CUdevice dev);
extern CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
extern CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active);
extern CUresult cuDevicePrimaryCtxReset(CUdevice dev);
extern CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId);
extern CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev);
extern CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev);
extern CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib,
                                        CUdevice srcDevice, CUdevice dstDevice);

/* Contexts. */
extern CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev);
extern CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams,
                               unsigned int flags, CUdevice dev);
extern CUresult cuCtxDestroy(CUcontext ctx);
extern CUresult cuCtxPushCurrent(CUcontext ctx);
extern CUresult cuCtxPopCurrent(CUcontext *pctx);
extern CUresult cuCtxSetCurrent(CUcontext ctx);
extern CUresult cuCtxGetCurrent(CUcontext *pctx);
extern CUresult cuCtxGetDevice(CUdevice *device);
extern CUresult cuCtxGetFlags(unsigned int *flags);
extern CUresult cuCtxSetFlags(unsigned int flags);
extern CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId);
extern CUresult cuCtxSynchronize(void);
extern CUresult cuCtxSetLimit(CUlimit limit, size_t value);
extern CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit);
extern CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig);
extern CUresult cuCtxSetCacheConfig(CUfunc_cache config);
extern CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);
extern CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
extern CUresult cuCtxResetPersistingL2Cache(void);
extern CUresult cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type);
extern CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags);
extern CUresult cuCtxDetach(CUcontext ctx);
extern CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig);
extern CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
extern CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);
extern CUresult cuCtxDisablePeerAccess(CUcontext peerContext);

/* Modules, libraries and kernels. */
extern CUresult cuModuleLoad(CUmodule *module, const char *fname);
extern CUresult cuModuleLoadData(CUmodule *module, const void *image);
extern CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                                   CUjit_option *options, void **optionValues);
extern CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);
extern CUresult cuModuleUnload(CUmodule hmod);
extern CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
extern CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);
extern CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod,
                                  const char *name);
extern CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
                             CUlinkState *stateOut);
extern CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                              const char *name, unsigned int numOptions, CUjit_option *options,
                              void **optionValues);
extern CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                              unsigned int numOptions, CUjit_option *options, void **optionValues);
extern CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);
extern CUresult cuLinkDestroy(CUlinkState state);
extern CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name);
extern CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name);
extern CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                                  void **jitOptionsValues, unsigned int numJitOptions,
                                  CUlibraryOption *libraryOptions, void **libraryOptionValues,
                                  unsigned int numLibraryOptions);
extern CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
                                      CUjit_option *jitOptions, void **jitOptionsValues,
                                      unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                                      void **libraryOptionValues, unsigned int numLibraryOptions);
extern CUresult cuLibraryUnload(CUlibrary library);
extern CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name);
extern CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library);
extern CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel);
extern CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                                   const char *name);
extern CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                                    const char *name);
extern CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol);
extern CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel,
                                     CUdevice dev);
extern CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                     CUdevice dev);
extern CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);
extern CUresult cuKernelGetName(const char **name, CUkernel hfunc);
extern CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset,
                                     size_t *paramSize);

/* Functions, launches and occupancy. */
extern CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc);
extern CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);
extern CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);
extern CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);
extern CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc);
extern CUresult cuFuncGetName(const char **name, CUfunction hfunc);
extern CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
                                   size_t *paramSize);
extern CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                               unsigned int gridDimZ, unsigned int blockDimX,
                               unsigned int blockDimY, unsigned int blockDimZ,
                               unsigned int sharedMemBytes, CUstream hStream, void **kernelParams,
                               void **extra);
extern CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
                                 void **extra);
extern CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                          unsigned int gridDimY, unsigned int gridDimZ,
                                          unsigned int blockDimX, unsigned int blockDimY,
                                          unsigned int blockDimZ, unsigned int sharedMemBytes,
                                          CUstream hStream, void **kernelParams);
extern CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList,
                                                     unsigned int numDevices, unsigned int flags);
extern CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);
extern CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);
extern CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);
extern CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes);
extern CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value);
extern CUresult cuParamSetf(CUfunction hfunc, int offset, float value);
extern CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes);
extern CUresult cuLaunch(CUfunction f);
extern CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height);
extern CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);
extern CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);
extern CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);
extern CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
                                                            int blockSize, size_t dynamicSMemSize);
extern CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                     CUfunction func, int blockSize,
                                                                     size_t dynamicSMemSize,
                                                                     unsigned int flags);
extern CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                                 CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                 size_t dynamicSMemSize, int blockSizeLimit);
extern CUresult
cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit,
                                          unsigned int flags);
extern CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func,
                                                        int numBlocks, int blockSize);
extern CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func,
                                                   const CUlaunchConfig *config);
extern CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func,
                                             const CUlaunchConfig *config);

/* Graphs and user objects. */
extern CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags);
extern CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                     const CUgraphNode *dependencies, size_t numDependencies,
                                     const CUDA_KERNEL_NODE_PARAMS *nodeParams);
extern CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams);
extern CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode,
                                           const CUDA_KERNEL_NODE_PARAMS *nodeParams);
extern CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                     const CUgraphNode *dependencies, size_t numDependencies,
                                     const CUDA_MEMCPY3D *copyParams, CUcontext ctx);
extern CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams);
extern CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams);
extern CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                     const CUgraphNode *dependencies, size_t numDependencies,
                                     const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx);
extern CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams);
extern CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode,
                                           const CUDA_MEMSET_NODE_PARAMS *nodeParams);
extern CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                   const CUgraphNode *dependencies, size_t numDependencies,
                                   const CUDA_HOST_NODE_PARAMS *nodeParams);
extern CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams);
extern CUresult cuGraphHostNodeSetParams(CUgraphNode hNode,
                                         const CUDA_HOST_NODE_PARAMS *nodeParams);
extern CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                         const CUgraphNode *dependencies, size_t numDependencies,
                                         CUgraph childGraph);
extern CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph);
extern CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                    const CUgraphNode *dependencies, size_t numDependencies);
extern CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                          const CUgraphNode *dependencies, size_t numDependencies,
                                          CUevent event);
extern CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out);
extern CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);
extern CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                        const CUgraphNode *dependencies, size_t numDependencies,
                                        CUevent event);
extern CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out);
extern CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);
extern CUresult
cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                       const CUgraphNode *dependencies, size_t numDependencies,
                                       const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
extern CUresult
cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode,
                                             CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out);
extern CUresult
cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                             const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
extern CUresult
cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                     const CUgraphNode *dependencies, size_t numDependencies,
                                     const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
extern CUresult
cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode,
                                           CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out);
extern CUresult
cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode,
                                           const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
extern CUresult cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                         const CUgraphNode *dependencies, size_t numDependencies,
                                         const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
extern CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
                                               CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out);
extern CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode,
                                               const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
extern CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
extern CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                       const CUgraphNode *dependencies, size_t numDependencies,
                                       CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams);
extern CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
                                             CUDA_MEM_ALLOC_NODE_PARAMS *params_out);
extern CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                      const CUgraphNode *dependencies, size_t numDependencies,
                                      CUdeviceptr dptr);
extern CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out);
extern CUresult cuDeviceGraphMemTrim(CUdevice device);
extern CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                             void *value);
extern CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                             void *value);
extern CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph);
extern CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
                                       CUgraph hClonedGraph);
extern CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type);
extern CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes);
extern CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes);
extern CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                                size_t *numEdges);
extern CUresult cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                                   CUgraphEdgeData *edgeData, size_t *numEdges);
extern CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                           size_t *numDependencies);
extern CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies,
                                              CUgraphEdgeData *edgeData, size_t *numDependencies);
extern CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                             size_t *numDependentNodes);
extern CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                                CUgraphEdgeData *edgeData,
                                                size_t *numDependentNodes);
extern CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from,
                                       const CUgraphNode *to, size_t numDependencies);
extern CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
                                          const CUgraphNode *to, const CUgraphEdgeData *edgeData,
                                          size_t numDependencies);
extern CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                          const CUgraphNode *to, size_t numDependencies);
extern CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
                                             const CUgraphNode *to, const CUgraphEdgeData *edgeData,
                                             size_t numDependencies);
extern CUresult cuGraphDestroyNode(CUgraphNode hNode);
extern CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
                                            unsigned long long flags);
extern CUresult cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                             CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
extern CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags);
extern CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS *nodeParams);
extern CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_MEMCPY3D *copyParams, CUcontext ctx);
extern CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                                               CUcontext ctx);
extern CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                             const CUDA_HOST_NODE_PARAMS *nodeParams);
extern CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   CUgraph childGraph);
extern CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   CUevent event);
extern CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                 CUevent event);
extern CUresult
cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                 const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
extern CUresult
cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
extern CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      unsigned int isEnabled);
extern CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      unsigned int *isEnabled);
extern CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);
extern CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);
extern CUresult cuGraphExecDestroy(CUgraphExec hGraphExec);
extern CUresult cuGraphDestroy(CUgraph hGraph);
extern CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                                  CUgraphExecUpdateResultInfo *resultInfo);
extern CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
extern CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                              CUkernelNodeAttrValue *value_out);
extern CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                              const CUkernelNodeAttrValue *value);
extern CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags);
extern CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy,
                                   unsigned int initialRefcount, unsigned int flags);
extern CUresult cuUserObjectRetain(CUuserObject object, unsigned int count);
extern CUresult cuUserObjectRelease(CUuserObject object, unsigned int count);
extern CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                        unsigned int flags);
extern CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);
extern CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                               const CUgraphNode *dependencies, size_t numDependencies,
                               CUgraphNodeParams *nodeParams);
extern CUresult cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph,
                                  const CUgraphNode *dependencies,
                                  const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                  CUgraphNodeParams *nodeParams);
extern CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams);
extern CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                         CUgraphNodeParams *nodeParams);
extern CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out,
                                               CUgraph hGraph, CUcontext ctx,
                                               unsigned int defaultLaunchValue, unsigned int flags);

/* Streams and events. */
extern CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags);
extern CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority);
extern CUresult cuStreamGetPriority(CUstream hStream, int *priority);
extern CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags);
extern CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId);
extern CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx);
extern CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);
extern CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
                                    unsigned int flags);
extern CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);
extern CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                            const CUgraphNode *dependencies,
                                            const CUgraphEdgeData *dependencyData,
                                            size_t numDependencies, CUstreamCaptureMode mode);
extern CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph);
extern CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus);
extern CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                       cuuint64_t *id_out, CUgraph *graph_out,
                                       const CUgraphNode **dependencies_out,
                                       size_t *numDependencies_out);
extern CUresult cuStreamGetCaptureInfo_v3(CUstream hStream,
                                          CUstreamCaptureStatus *captureStatus_out,
                                          cuuint64_t *id_out, CUgraph *graph_out,
                                          const CUgraphNode **dependencies_out,
                                          const CUgraphEdgeData **edgeData_out,
                                          size_t *numDependencies_out);
extern CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                                  size_t numDependencies, unsigned int flags);
extern CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode *dependencies,
                                                     const CUgraphEdgeData *dependencyData,
                                                     size_t numDependencies, unsigned int flags);
extern CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
                                       unsigned int flags);
extern CUresult cuStreamQuery(CUstream hStream);
extern CUresult cuStreamSynchronize(CUstream hStream);
extern CUresult cuStreamDestroy(CUstream hStream);
extern CUresult cuStreamCopyAttributes(CUstream dst, CUstream src);
extern CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
                                     CUstreamAttrValue *value_out);
extern CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                                     const CUstreamAttrValue *value);
extern CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags);
extern CUresult cuEventRecord(CUevent hEvent, CUstream hStream);
extern CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);
extern CUresult cuEventQuery(CUevent hEvent);
extern CUresult cuEventSynchronize(CUevent hEvent);
extern CUresult cuEventDestroy(CUevent hEvent);
extern CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);
extern CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                    unsigned int flags);
extern CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                    unsigned int flags);
extern CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                     unsigned int flags);
extern CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                     unsigned int flags);
extern CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                   CUstreamBatchMemOpParams *paramArray, unsigned int flags);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // VX_CUDA_CU_PROGRAM_CALLS_H
