// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API that have nothing here to work on: texture references, external
// memory, graphics, NVIDIA's own formats. They exist, so that programs can be linked and can ask.

#include "runtime/driver/Api.h"

using vx::rt::driver::checkInitialized;

/// A function that says so.
#define VX_CU_UNSUPPORTED(name, parameters)                                                        \
  extern "C" CUresult name parameters {                                                            \
    CUresult e = checkInitialized();                                                               \
    return e == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : e;                                       \
  }

VX_CU_UNSUPPORTED(cuDeviceGetLuid, (char *, unsigned int *, CUdevice))
VX_CU_UNSUPPORTED(cuDeviceGetNvSciSyncAttributes, (void *, CUdevice, int))
VX_CU_UNSUPPORTED(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *))
VX_CU_UNSUPPORTED(cuModuleGetSurfRef, (CUsurfref *, CUmodule, const char *))
VX_CU_UNSUPPORTED(cuMemGetHandleForAddressRange,
                  (void *, CUdeviceptr, size_t, CUmemRangeHandleType, unsigned long long))
VX_CU_UNSUPPORTED(cuMemMapArrayAsync, (CUarrayMapInfo *, unsigned int, CUstream))
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
VX_CU_UNSUPPORTED(cuGraphExecExternalSemaphoresSignalNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *))
VX_CU_UNSUPPORTED(cuGraphExecExternalSemaphoresWaitNodeSetParams,
                  (CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *))
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
