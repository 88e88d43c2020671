// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API that have nothing here to work on: arrays and textures, other
// processes' memory, graphics, NVIDIA's own formats. They exist, so that programs can be linked and
// can ask.

#include "runtime/driver/Driver.h"

using vx::rt::driver::checkInitialized;

/// A function that says so.
#define VX_CU_UNSUPPORTED(name, parameters)                                                        \
  extern "C" CUresult name parameters {                                                            \
    CUresult e = checkInitialized();                                                               \
    return e == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : e;                                       \
  }

VX_CU_UNSUPPORTED(cuDeviceGetLuid, (char *, unsigned int *, CUdevice))
VX_CU_UNSUPPORTED(cuDeviceGetTexture1DLinearMaxWidth,
                  (size_t *, CUarray_format, unsigned, CUdevice))
VX_CU_UNSUPPORTED(cuDeviceGetNvSciSyncAttributes, (void *, CUdevice, int))
VX_CU_UNSUPPORTED(cuDeviceSetMemPool, (CUdevice, CUmemoryPool))
VX_CU_UNSUPPORTED(cuDeviceGetMemPool, (CUmemoryPool *, CUdevice))
VX_CU_UNSUPPORTED(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice))
VX_CU_UNSUPPORTED(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *))
VX_CU_UNSUPPORTED(cuModuleGetSurfRef, (CUsurfref *, CUmodule, const char *))
VX_CU_UNSUPPORTED(cuIpcGetEventHandle, (CUipcEventHandle *, CUevent))
VX_CU_UNSUPPORTED(cuIpcOpenEventHandle, (CUevent *, CUipcEventHandle))
VX_CU_UNSUPPORTED(cuIpcGetMemHandle, (CUipcMemHandle *, CUdeviceptr))
VX_CU_UNSUPPORTED(cuIpcOpenMemHandle, (CUdeviceptr *, CUipcMemHandle, unsigned int))
VX_CU_UNSUPPORTED(cuIpcCloseMemHandle, (CUdeviceptr))
VX_CU_UNSUPPORTED(cuMemcpyDtoA, (CUarray, size_t, CUdeviceptr, size_t))
VX_CU_UNSUPPORTED(cuMemcpyAtoD, (CUdeviceptr, CUarray, size_t, size_t))
VX_CU_UNSUPPORTED(cuMemcpyHtoA, (CUarray, size_t, const void *, size_t))
VX_CU_UNSUPPORTED(cuMemcpyAtoH, (void *, CUarray, size_t, size_t))
VX_CU_UNSUPPORTED(cuMemcpyAtoA, (CUarray, size_t, CUarray, size_t, size_t))
VX_CU_UNSUPPORTED(cuMemcpyHtoAAsync, (CUarray, size_t, const void *, size_t, CUstream))
VX_CU_UNSUPPORTED(cuMemcpyAtoHAsync, (void *, CUarray, size_t, size_t, CUstream))
VX_CU_UNSUPPORTED(cuArrayCreate, (CUarray *, const CUDA_ARRAY_DESCRIPTOR *))
VX_CU_UNSUPPORTED(cuArrayGetDescriptor, (CUDA_ARRAY_DESCRIPTOR *, CUarray))
VX_CU_UNSUPPORTED(cuArrayGetSparseProperties, (CUDA_ARRAY_SPARSE_PROPERTIES *, CUarray))
VX_CU_UNSUPPORTED(cuMipmappedArrayGetSparseProperties,
                  (CUDA_ARRAY_SPARSE_PROPERTIES *, CUmipmappedArray))
VX_CU_UNSUPPORTED(cuArrayGetMemoryRequirements,
                  (CUDA_ARRAY_MEMORY_REQUIREMENTS *, CUarray, CUdevice))
VX_CU_UNSUPPORTED(cuMipmappedArrayGetMemoryRequirements,
                  (CUDA_ARRAY_MEMORY_REQUIREMENTS *, CUmipmappedArray, CUdevice))
VX_CU_UNSUPPORTED(cuArrayGetPlane, (CUarray *, CUarray, unsigned int))
VX_CU_UNSUPPORTED(cuArrayDestroy, (CUarray))
VX_CU_UNSUPPORTED(cuArray3DCreate, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *))
VX_CU_UNSUPPORTED(cuArray3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray))
VX_CU_UNSUPPORTED(cuMipmappedArrayCreate,
                  (CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *, unsigned int))
VX_CU_UNSUPPORTED(cuMipmappedArrayGetLevel, (CUarray *, CUmipmappedArray, unsigned int))
VX_CU_UNSUPPORTED(cuMipmappedArrayDestroy, (CUmipmappedArray))
VX_CU_UNSUPPORTED(cuMemGetHandleForAddressRange,
                  (void *, CUdeviceptr, size_t, CUmemRangeHandleType, unsigned long long))
VX_CU_UNSUPPORTED(cuMemMapArrayAsync, (CUarrayMapInfo *, unsigned int, CUstream))
VX_CU_UNSUPPORTED(cuMemExportToShareableHandle, (void *, CUmemGenericAllocationHandle,
                                                 CUmemAllocationHandleType, unsigned long long))
VX_CU_UNSUPPORTED(cuMemImportFromShareableHandle,
                  (CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType))
VX_CU_UNSUPPORTED(cuMemPoolTrimTo, (CUmemoryPool, size_t))
VX_CU_UNSUPPORTED(cuMemPoolSetAttribute, (CUmemoryPool, CUmemPool_attribute, void *))
VX_CU_UNSUPPORTED(cuMemPoolGetAttribute, (CUmemoryPool, CUmemPool_attribute, void *))
VX_CU_UNSUPPORTED(cuMemPoolSetAccess, (CUmemoryPool, const CUmemAccessDesc *, size_t))
VX_CU_UNSUPPORTED(cuMemPoolGetAccess, (CUmemAccess_flags *, CUmemoryPool, CUmemLocation *))
VX_CU_UNSUPPORTED(cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *))
VX_CU_UNSUPPORTED(cuMemPoolDestroy, (CUmemoryPool))
VX_CU_UNSUPPORTED(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream))
VX_CU_UNSUPPORTED(cuMemPoolExportToShareableHandle,
                  (void *, CUmemoryPool, CUmemAllocationHandleType, unsigned long long))
VX_CU_UNSUPPORTED(cuMemPoolImportFromShareableHandle,
                  (CUmemoryPool *, void *, CUmemAllocationHandleType, unsigned long long))
VX_CU_UNSUPPORTED(cuMemPoolExportPointer, (CUmemPoolPtrExportData *, CUdeviceptr))
VX_CU_UNSUPPORTED(cuMemPoolImportPointer, (CUdeviceptr *, CUmemoryPool, CUmemPoolPtrExportData *))
VX_CU_UNSUPPORTED(cuMulticastCreate,
                  (CUmemGenericAllocationHandle *, const CUmulticastObjectProp *))
VX_CU_UNSUPPORTED(cuMulticastAddDevice, (CUmemGenericAllocationHandle, CUdevice))
VX_CU_UNSUPPORTED(cuMulticastBindMem,
                  (CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle, size_t,
                   size_t, unsigned long long))
VX_CU_UNSUPPORTED(cuMulticastBindAddr,
                  (CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t, unsigned long long))
VX_CU_UNSUPPORTED(cuMulticastUnbind, (CUmemGenericAllocationHandle, CUdevice, size_t, size_t))
VX_CU_UNSUPPORTED(cuMulticastGetGranularity,
                  (size_t *, const CUmulticastObjectProp *, CUmulticastGranularity_flags))
VX_CU_UNSUPPORTED(cuMemRangeGetAttribute,
                  (void *, size_t, CUmem_range_attribute, CUdeviceptr, size_t))
VX_CU_UNSUPPORTED(cuMemRangeGetAttributes,
                  (void **, size_t *, CUmem_range_attribute *, size_t, CUdeviceptr, size_t))
VX_CU_UNSUPPORTED(cuStreamBeginCapture, (CUstream, CUstreamCaptureMode))
VX_CU_UNSUPPORTED(cuStreamBeginCaptureToGraph,
                  (CUstream, CUgraph, const CUgraphNode *, const CUgraphEdgeData *, size_t,
                   CUstreamCaptureMode))
VX_CU_UNSUPPORTED(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *))
VX_CU_UNSUPPORTED(cuStreamEndCapture, (CUstream, CUgraph *))
VX_CU_UNSUPPORTED(cuStreamIsCapturing, (CUstream, CUstreamCaptureStatus *))
VX_CU_UNSUPPORTED(cuStreamGetCaptureInfo, (CUstream, CUstreamCaptureStatus *, cuuint64_t *,
                                           CUgraph *, const CUgraphNode **, size_t *))
VX_CU_UNSUPPORTED(cuStreamGetCaptureInfo_v3,
                  (CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *, const CUgraphNode **,
                   const CUgraphEdgeData **, size_t *))
VX_CU_UNSUPPORTED(cuStreamUpdateCaptureDependencies,
                  (CUstream, CUgraphNode *, size_t, unsigned int))
VX_CU_UNSUPPORTED(cuStreamUpdateCaptureDependencies_v2,
                  (CUstream, CUgraphNode *, const CUgraphEdgeData *, size_t, unsigned int))
VX_CU_UNSUPPORTED(cuStreamCopyAttributes, (CUstream, CUstream))
VX_CU_UNSUPPORTED(cuStreamGetAttribute, (CUstream, CUstreamAttrID, CUstreamAttrValue *))
VX_CU_UNSUPPORTED(cuStreamSetAttribute, (CUstream, CUstreamAttrID, const CUstreamAttrValue *))
VX_CU_UNSUPPORTED(cuImportExternalMemory,
                  (CUexternalMemory *, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *))
VX_CU_UNSUPPORTED(cuExternalMemoryGetMappedBuffer,
                  (CUdeviceptr *, CUexternalMemory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *))
VX_CU_UNSUPPORTED(cuExternalMemoryGetMappedMipmappedArray,
                  (CUmipmappedArray *, CUexternalMemory,
                   const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *))
VX_CU_UNSUPPORTED(cuDestroyExternalMemory, (CUexternalMemory))
VX_CU_UNSUPPORTED(cuImportExternalSemaphore,
                  (CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *))
VX_CU_UNSUPPORTED(cuSignalExternalSemaphoresAsync,
                  (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *,
                   unsigned int, CUstream))
VX_CU_UNSUPPORTED(cuWaitExternalSemaphoresAsync,
                  (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *,
                   unsigned int, CUstream))
VX_CU_UNSUPPORTED(cuDestroyExternalSemaphore, (CUexternalSemaphore))
VX_CU_UNSUPPORTED(cuLaunchCooperativeKernelMultiDevice,
                  (CUDA_LAUNCH_PARAMS *, unsigned int, unsigned int))
VX_CU_UNSUPPORTED(cuFuncSetBlockShape, (CUfunction, int, int, int))
VX_CU_UNSUPPORTED(cuFuncSetSharedSize, (CUfunction, unsigned int))
VX_CU_UNSUPPORTED(cuParamSetSize, (CUfunction, unsigned int))
VX_CU_UNSUPPORTED(cuParamSeti, (CUfunction, int, unsigned int))
VX_CU_UNSUPPORTED(cuParamSetf, (CUfunction, int, float))
VX_CU_UNSUPPORTED(cuParamSetv, (CUfunction, int, void *, unsigned int))
VX_CU_UNSUPPORTED(cuLaunch, (CUfunction))
VX_CU_UNSUPPORTED(cuLaunchGrid, (CUfunction, int, int))
VX_CU_UNSUPPORTED(cuLaunchGridAsync, (CUfunction, int, int, CUstream))
VX_CU_UNSUPPORTED(cuParamSetTexRef, (CUfunction, int, CUtexref))
VX_CU_UNSUPPORTED(cuGraphCreate, (CUgraph *, unsigned int))
VX_CU_UNSUPPORTED(cuGraphAddKernelNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                         const CUDA_KERNEL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphKernelNodeGetParams, (CUgraphNode, CUDA_KERNEL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphKernelNodeSetParams, (CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                         const CUDA_MEMCPY3D *, CUcontext))
VX_CU_UNSUPPORTED(cuGraphMemcpyNodeGetParams, (CUgraphNode, CUDA_MEMCPY3D *))
VX_CU_UNSUPPORTED(cuGraphMemcpyNodeSetParams, (CUgraphNode, const CUDA_MEMCPY3D *))
VX_CU_UNSUPPORTED(cuGraphAddMemsetNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                         const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
VX_CU_UNSUPPORTED(cuGraphMemsetNodeGetParams, (CUgraphNode, CUDA_MEMSET_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphMemsetNodeSetParams, (CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddHostNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                       const CUDA_HOST_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphHostNodeGetParams, (CUgraphNode, CUDA_HOST_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphHostNodeSetParams, (CUgraphNode, const CUDA_HOST_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddChildGraphNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph))
VX_CU_UNSUPPORTED(cuGraphChildGraphNodeGetGraph, (CUgraphNode, CUgraph *))
VX_CU_UNSUPPORTED(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t))
VX_CU_UNSUPPORTED(cuGraphAddEventRecordNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent))
VX_CU_UNSUPPORTED(cuGraphEventRecordNodeGetEvent, (CUgraphNode, CUevent *))
VX_CU_UNSUPPORTED(cuGraphEventRecordNodeSetEvent, (CUgraphNode, CUevent))
VX_CU_UNSUPPORTED(cuGraphAddEventWaitNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent))
VX_CU_UNSUPPORTED(cuGraphEventWaitNodeGetEvent, (CUgraphNode, CUevent *))
VX_CU_UNSUPPORTED(cuGraphEventWaitNodeSetEvent, (CUgraphNode, CUevent))
VX_CU_UNSUPPORTED(cuGraphAddExternalSemaphoresSignalNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                   const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExternalSemaphoresSignalNodeGetParams,
                  (CUgraphNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExternalSemaphoresSignalNodeSetParams,
                  (CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddExternalSemaphoresWaitNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                   const CUDA_EXT_SEM_WAIT_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExternalSemaphoresWaitNodeGetParams,
                  (CUgraphNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExternalSemaphoresWaitNodeSetParams,
                  (CUgraphNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddBatchMemOpNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                             const CUDA_BATCH_MEM_OP_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphBatchMemOpNodeGetParams, (CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphBatchMemOpNodeSetParams,
                  (CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExecBatchMemOpNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddMemAllocNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                           CUDA_MEM_ALLOC_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphMemAllocNodeGetParams, (CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphAddMemFreeNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUdeviceptr))
VX_CU_UNSUPPORTED(cuGraphMemFreeNodeGetParams, (CUgraphNode, CUdeviceptr *))
VX_CU_UNSUPPORTED(cuDeviceGraphMemTrim, (CUdevice))
VX_CU_UNSUPPORTED(cuDeviceGetGraphMemAttribute, (CUdevice, CUgraphMem_attribute, void *))
VX_CU_UNSUPPORTED(cuDeviceSetGraphMemAttribute, (CUdevice, CUgraphMem_attribute, void *))
VX_CU_UNSUPPORTED(cuGraphClone, (CUgraph *, CUgraph))
VX_CU_UNSUPPORTED(cuGraphNodeFindInClone, (CUgraphNode *, CUgraphNode, CUgraph))
VX_CU_UNSUPPORTED(cuGraphNodeGetType, (CUgraphNode, CUgraphNodeType *))
VX_CU_UNSUPPORTED(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *))
VX_CU_UNSUPPORTED(cuGraphGetRootNodes, (CUgraph, CUgraphNode *, size_t *))
VX_CU_UNSUPPORTED(cuGraphGetEdges, (CUgraph, CUgraphNode *, CUgraphNode *, size_t *))
VX_CU_UNSUPPORTED(cuGraphGetEdges_v2,
                  (CUgraph, CUgraphNode *, CUgraphNode *, CUgraphEdgeData *, size_t *))
VX_CU_UNSUPPORTED(cuGraphNodeGetDependencies, (CUgraphNode, CUgraphNode *, size_t *))
VX_CU_UNSUPPORTED(cuGraphNodeGetDependencies_v2,
                  (CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *))
VX_CU_UNSUPPORTED(cuGraphNodeGetDependentNodes, (CUgraphNode, CUgraphNode *, size_t *))
VX_CU_UNSUPPORTED(cuGraphNodeGetDependentNodes_v2,
                  (CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *))
VX_CU_UNSUPPORTED(cuGraphAddDependencies,
                  (CUgraph, const CUgraphNode *, const CUgraphNode *, size_t))
VX_CU_UNSUPPORTED(cuGraphAddDependencies_v2, (CUgraph, const CUgraphNode *, const CUgraphNode *,
                                              const CUgraphEdgeData *, size_t))
VX_CU_UNSUPPORTED(cuGraphRemoveDependencies,
                  (CUgraph, const CUgraphNode *, const CUgraphNode *, size_t))
VX_CU_UNSUPPORTED(cuGraphRemoveDependencies_v2, (CUgraph, const CUgraphNode *, const CUgraphNode *,
                                                 const CUgraphEdgeData *, size_t))
VX_CU_UNSUPPORTED(cuGraphDestroyNode, (CUgraphNode))
VX_CU_UNSUPPORTED(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))
VX_CU_UNSUPPORTED(cuGraphInstantiateWithParams,
                  (CUgraphExec *, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExecGetFlags, (CUgraphExec, cuuint64_t *))
VX_CU_UNSUPPORTED(cuGraphExecKernelNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExecMemcpyNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext))
VX_CU_UNSUPPORTED(cuGraphExecMemsetNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
VX_CU_UNSUPPORTED(cuGraphExecHostNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExecChildGraphNodeSetParams, (CUgraphExec, CUgraphNode, CUgraph))
VX_CU_UNSUPPORTED(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec, CUgraphNode, CUevent))
VX_CU_UNSUPPORTED(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec, CUgraphNode, CUevent))
VX_CU_UNSUPPORTED(cuGraphExecExternalSemaphoresSignalNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExecExternalSemaphoresWaitNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphNodeSetEnabled, (CUgraphExec, CUgraphNode, unsigned int))
VX_CU_UNSUPPORTED(cuGraphNodeGetEnabled, (CUgraphExec, CUgraphNode, unsigned int *))
VX_CU_UNSUPPORTED(cuGraphUpload, (CUgraphExec, CUstream))
VX_CU_UNSUPPORTED(cuGraphLaunch, (CUgraphExec, CUstream))
VX_CU_UNSUPPORTED(cuGraphExecDestroy, (CUgraphExec))
VX_CU_UNSUPPORTED(cuGraphDestroy, (CUgraph))
VX_CU_UNSUPPORTED(cuGraphExecUpdate, (CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo *))
VX_CU_UNSUPPORTED(cuGraphKernelNodeCopyAttributes, (CUgraphNode, CUgraphNode))
VX_CU_UNSUPPORTED(cuGraphKernelNodeGetAttribute,
                  (CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue *))
VX_CU_UNSUPPORTED(cuGraphKernelNodeSetAttribute,
                  (CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue *))
VX_CU_UNSUPPORTED(cuGraphDebugDotPrint, (CUgraph, const char *, unsigned int))
VX_CU_UNSUPPORTED(cuUserObjectCreate,
                  (CUuserObject *, void *, CUhostFn, unsigned int, unsigned int))
VX_CU_UNSUPPORTED(cuUserObjectRetain, (CUuserObject, unsigned int))
VX_CU_UNSUPPORTED(cuUserObjectRelease, (CUuserObject, unsigned int))
VX_CU_UNSUPPORTED(cuGraphRetainUserObject, (CUgraph, CUuserObject, unsigned int, unsigned int))
VX_CU_UNSUPPORTED(cuGraphReleaseUserObject, (CUgraph, CUuserObject, unsigned int))
VX_CU_UNSUPPORTED(cuGraphAddNode,
                  (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraphNodeParams *))
VX_CU_UNSUPPORTED(cuGraphAddNode_v2, (CUgraphNode *, CUgraph, const CUgraphNode *,
                                      const CUgraphEdgeData *, size_t, CUgraphNodeParams *))
VX_CU_UNSUPPORTED(cuGraphNodeSetParams, (CUgraphNode, CUgraphNodeParams *))
VX_CU_UNSUPPORTED(cuGraphExecNodeSetParams, (CUgraphExec, CUgraphNode, CUgraphNodeParams *))
VX_CU_UNSUPPORTED(cuGraphConditionalHandleCreate,
                  (CUgraphConditionalHandle *, CUgraph, CUcontext, unsigned int, unsigned int))
VX_CU_UNSUPPORTED(cuTexRefSetArray, (CUtexref, CUarray, unsigned int))
VX_CU_UNSUPPORTED(cuTexRefSetMipmappedArray, (CUtexref, CUmipmappedArray, unsigned int))
VX_CU_UNSUPPORTED(cuTexRefSetAddress, (size_t *, CUtexref, CUdeviceptr, size_t))
VX_CU_UNSUPPORTED(cuTexRefSetAddress2D,
                  (CUtexref, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t))
VX_CU_UNSUPPORTED(cuTexRefSetFormat, (CUtexref, CUarray_format, int))
VX_CU_UNSUPPORTED(cuTexRefSetAddressMode, (CUtexref, int, CUaddress_mode))
VX_CU_UNSUPPORTED(cuTexRefSetFilterMode, (CUtexref, CUfilter_mode))
VX_CU_UNSUPPORTED(cuTexRefSetMipmapFilterMode, (CUtexref, CUfilter_mode))
VX_CU_UNSUPPORTED(cuTexRefSetMipmapLevelBias, (CUtexref, float))
VX_CU_UNSUPPORTED(cuTexRefSetMipmapLevelClamp, (CUtexref, float, float))
VX_CU_UNSUPPORTED(cuTexRefSetMaxAnisotropy, (CUtexref, unsigned int))
VX_CU_UNSUPPORTED(cuTexRefSetBorderColor, (CUtexref, float *))
VX_CU_UNSUPPORTED(cuTexRefSetFlags, (CUtexref, unsigned int))
VX_CU_UNSUPPORTED(cuTexRefGetAddress, (CUdeviceptr *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetArray, (CUarray *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetMipmappedArray, (CUmipmappedArray *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetAddressMode, (CUaddress_mode *, CUtexref, int))
VX_CU_UNSUPPORTED(cuTexRefGetFilterMode, (CUfilter_mode *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetFormat, (CUarray_format *, int *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetMipmapFilterMode, (CUfilter_mode *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetMipmapLevelBias, (float *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetMipmapLevelClamp, (float *, float *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetMaxAnisotropy, (int *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetBorderColor, (float *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefGetFlags, (unsigned int *, CUtexref))
VX_CU_UNSUPPORTED(cuTexRefCreate, (CUtexref *))
VX_CU_UNSUPPORTED(cuTexRefDestroy, (CUtexref))
VX_CU_UNSUPPORTED(cuSurfRefSetArray, (CUsurfref, CUarray, unsigned int))
VX_CU_UNSUPPORTED(cuSurfRefGetArray, (CUarray *, CUsurfref))
VX_CU_UNSUPPORTED(cuTexObjectCreate, (CUtexObject *, const CUDA_RESOURCE_DESC *,
                                      const CUDA_TEXTURE_DESC *, const CUDA_RESOURCE_VIEW_DESC *))
VX_CU_UNSUPPORTED(cuTexObjectDestroy, (CUtexObject))
VX_CU_UNSUPPORTED(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC *, CUtexObject))
VX_CU_UNSUPPORTED(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *, CUtexObject))
VX_CU_UNSUPPORTED(cuTexObjectGetResourceViewDesc, (CUDA_RESOURCE_VIEW_DESC *, CUtexObject))
VX_CU_UNSUPPORTED(cuSurfObjectCreate, (CUsurfObject *, const CUDA_RESOURCE_DESC *))
VX_CU_UNSUPPORTED(cuSurfObjectDestroy, (CUsurfObject))
VX_CU_UNSUPPORTED(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC *, CUsurfObject))
VX_CU_UNSUPPORTED(cuTensorMapEncodeTiled,
                  (CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                   const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
                   CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                   CUtensorMapFloatOOBfill))
VX_CU_UNSUPPORTED(cuTensorMapEncodeIm2col,
                  (CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                   const cuuint64_t *, const int *, const int *, cuuint32_t, cuuint32_t,
                   const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                   CUtensorMapL2promotion, CUtensorMapFloatOOBfill))
VX_CU_UNSUPPORTED(cuTensorMapReplaceAddress, (CUtensorMap *, void *))
VX_CU_UNSUPPORTED(cuGraphicsUnregisterResource, (CUgraphicsResource))
VX_CU_UNSUPPORTED(cuGraphicsSubResourceGetMappedArray,
                  (CUarray *, CUgraphicsResource, unsigned int, unsigned int))
VX_CU_UNSUPPORTED(cuGraphicsResourceGetMappedMipmappedArray,
                  (CUmipmappedArray *, CUgraphicsResource))
VX_CU_UNSUPPORTED(cuGraphicsResourceGetMappedPointer, (CUdeviceptr *, size_t *, CUgraphicsResource))
VX_CU_UNSUPPORTED(cuGraphicsResourceSetMapFlags, (CUgraphicsResource, unsigned int))
VX_CU_UNSUPPORTED(cuGraphicsMapResources, (unsigned int, CUgraphicsResource *, CUstream))
VX_CU_UNSUPPORTED(cuGraphicsUnmapResources, (unsigned int, CUgraphicsResource *, CUstream))
VX_CU_UNSUPPORTED(cuCoredumpGetAttribute, (CUcoredumpSettings, void *, size_t *))
VX_CU_UNSUPPORTED(cuCoredumpGetAttributeGlobal, (CUcoredumpSettings, void *, size_t *))
VX_CU_UNSUPPORTED(cuCoredumpSetAttribute, (CUcoredumpSettings, void *, size_t *))
VX_CU_UNSUPPORTED(cuCoredumpSetAttributeGlobal, (CUcoredumpSettings, void *, size_t *))
VX_CU_UNSUPPORTED(cuGetExportTable, (const void **, const CUuuid *))
