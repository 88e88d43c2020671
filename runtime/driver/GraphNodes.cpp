// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of graphs. Where the parameters of a node name a context, it is the graph's.

#include "runtime/driver/ArrayFormat.h"
#include "runtime/driver/Modules.h"
#include "runtime/driver/SameLayout.h"

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

/// P as the runtime API has it. The function may be given as a kernel of a library.
template <typename Parameters> cudaKernelNodeParams toRuntime(const Parameters &p) {
  const void *function = p.func ? static_cast<const void *>(p.func) : p.kern;
  return {const_cast<void *>(function),
          dim3(p.gridDimX, p.gridDimY, p.gridDimZ),
          dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
          p.sharedMemBytes,
          p.kernelParams,
          p.extra};
}

/// Runs BODY(parameters) with those of a kernel that there is.
template <typename Parameters, typename Body>
CUresult callWithKernel(const Parameters *p, Body &&body) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  cudaKernelNodeParams same = toRuntime(*p);
  if (CUresult e = checkFunction(same.func); e != CUDA_SUCCESS)
    return e;
  return callInContext([&] { return body(same); });
}

template <typename Parameters> cudaMemsetParams fillToRuntime(const Parameters &p) {
  return {pointer(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}

/// Runs BODY(parameters) with those of a fill.
template <typename Body> CUresult callWithFill(const CUDA_MEMSET_NODE_PARAMS *p, Body &&body) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  cudaMemsetParams same = fillToRuntime(*p);
  return callInContext([&] { return body(same); });
}

/// Runs BODY(parameters) with those of a copy.
template <typename Body> CUresult callWithCopy(const CUDA_MEMCPY3D *p, Body &&body) {
  cudaMemcpy3DParms same{};
  if (!p || !vx::rt::driver::toRuntime(*p, same))
    return CUDA_ERROR_INVALID_VALUE;
  return callInContext([&] { return body(same); });
}

/// A copy of the runtime API as one of this API. Which side is the host's is in its kind.
CUDA_MEMCPY3D toDriver(const cudaMemcpy3DParms &p) {
  CUDA_MEMCPY3D copy{};
  bool known = p.kind != cudaMemcpyDefault;
  bool fromHost = p.kind == cudaMemcpyHostToDevice || p.kind == cudaMemcpyHostToHost;
  bool toHost = p.kind == cudaMemcpyDeviceToHost || p.kind == cudaMemcpyHostToHost;
  copy.srcMemoryType = !known     ? CU_MEMORYTYPE_UNIFIED
                       : fromHost ? CU_MEMORYTYPE_HOST
                                  : CU_MEMORYTYPE_DEVICE;
  copy.dstMemoryType = !known   ? CU_MEMORYTYPE_UNIFIED
                       : toHost ? CU_MEMORYTYPE_HOST
                                : CU_MEMORYTYPE_DEVICE;
  copy.srcXInBytes = p.srcPos.x;
  copy.srcY = p.srcPos.y;
  copy.srcZ = p.srcPos.z;
  copy.dstXInBytes = p.dstPos.x;
  copy.dstY = p.dstPos.y;
  copy.dstZ = p.dstPos.z;
  (fromHost ? copy.srcHost : reinterpret_cast<const void *&>(copy.srcDevice)) = p.srcPtr.ptr;
  (toHost ? copy.dstHost : reinterpret_cast<void *&>(copy.dstDevice)) = p.dstPtr.ptr;
  copy.srcPitch = p.srcPtr.pitch;
  copy.srcHeight = p.srcPtr.ysize;
  copy.dstPitch = p.dstPtr.pitch;
  copy.dstHeight = p.dstPtr.ysize;
  copy.WidthInBytes = p.extent.width;
  copy.Height = p.extent.height;
  copy.Depth = p.extent.depth;
  // Where arrays take part, the runtime's functions count in elements.
  if (p.srcArray) {
    size_t element = elementBytes(p.srcArray);
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = arrayOf(p.srcArray);
    copy.srcXInBytes *= element;
    copy.WidthInBytes = p.extent.width * element;
  }
  if (p.dstArray) {
    size_t element = elementBytes(p.dstArray);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = arrayOf(p.dstArray);
    copy.dstXInBytes *= element;
    copy.WidthInBytes = p.extent.width * element;
  }
  return copy;
}

/// A node's parameters of any kind as the runtime API has them, for BODY(parameters); what that
/// writes into them is taken over.
template <typename Body> CUresult callWithAny(CUgraphNodeParams *p, Body &&body) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  cudaGraphNodeParams same{};
  same.type = cudaGraphNodeType(p->type);
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: {
    cudaKernelNodeParams kernel = toRuntime(p->kernel);
    if (CUresult e = checkFunction(kernel.func); e != CUDA_SUCCESS)
      return e;
    same.kernel = {kernel.func,           kernel.gridDim,      kernel.blockDim,
                   kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
    break;
  }
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    if (!vx::rt::driver::toRuntime(p->memcpy.copyParams, same.memcpy.copyParams))
      return CUDA_ERROR_INVALID_VALUE;
    same.memcpy.flags = p->memcpy.flags;
    break;
  case CU_GRAPH_NODE_TYPE_MEMSET:
    same.memset = {pointer(p->memset.dst), p->memset.pitch, p->memset.value,
                   p->memset.elementSize,  p->memset.width, p->memset.height};
    break;
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    same.alloc = *as<cudaMemAllocNodeParamsV2>(&p->alloc);
    break;
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    same.conditional = {p->conditional.handle, cudaGraphConditionalNodeType(p->conditional.type),
                        p->conditional.size, p->conditional.phGraph_out};
    break;
  case CU_GRAPH_NODE_TYPE_HOST:
  case CU_GRAPH_NODE_TYPE_GRAPH:
  case CU_GRAPH_NODE_TYPE_EMPTY:
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
  case CU_GRAPH_NODE_TYPE_MEM_FREE:
    static_assert(sizeof(same.reserved1) == sizeof(p->reserved1));
    for (size_t i = 0; i < sizeof(same.reserved1) / sizeof(same.reserved1[0]); ++i)
      same.reserved1[i] = p->reserved1[i];
    break;
  default:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  CUresult e = callInContext([&] { return body(&same); });
  if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    p->alloc.dptr = CUdeviceptr(uintptr_t(same.alloc.dptr));
  if (p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    p->conditional.phGraph_out = same.conditional.phGraph_out;
  return e;
}

} // namespace

// Kernels.
extern "C" CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                         const CUgraphNode *dependencies, size_t count,
                                         const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return callWithKernel(parameters, [&](const cudaKernelNodeParams &same) {
    return cudaGraphAddKernelNode(node, graph, dependencies, count, &same);
  });
}

extern "C" CUresult cuGraphKernelNodeGetParams(CUgraphNode node,
                                               CUDA_KERNEL_NODE_PARAMS *parameters) {
  return callInContext([&] {
    cudaKernelNodeParams p{};
    cudaError_t e = parameters ? cudaGraphKernelNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
      *parameters = {static_cast<CUfunction>(p.func),
                     p.gridDim.x,
                     p.gridDim.y,
                     p.gridDim.z,
                     p.blockDim.x,
                     p.blockDim.y,
                     p.blockDim.z,
                     p.sharedMemBytes,
                     p.kernelParams,
                     p.extra,
                     nullptr,
                     contextHandle(currentSlot())};
    return e;
  });
}

extern "C" CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                               const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return callWithKernel(parameters, [&](const cudaKernelNodeParams &same) {
    return cudaGraphKernelNodeSetParams(node, &same);
  });
}

extern "C" CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return callWithKernel(parameters, [&](const cudaKernelNodeParams &same) {
    return cudaGraphExecKernelNodeSetParams(exec, node, &same);
  });
}

VX_CU_SAME(cuGraphKernelNodeCopyAttributes, (CUgraphNode to, CUgraphNode from),
           cudaGraphKernelNodeCopyAttributes(to, from))
VX_CU_SAME(cuGraphKernelNodeGetAttribute,
           (CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue *value),
           cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttrID(id),
                                           as<cudaKernelNodeAttrValue>(value)))
VX_CU_SAME(cuGraphKernelNodeSetAttribute,
           (CUgraphNode node, CUkernelNodeAttrID id, const CUkernelNodeAttrValue *value),
           cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttrID(id),
                                           as<cudaKernelNodeAttrValue>(value)))

// Copies.
extern "C" CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                                         const CUgraphNode *dependencies, size_t count,
                                         const CUDA_MEMCPY3D *copy, CUcontext) {
  return callWithCopy(copy, [&](const cudaMemcpy3DParms &same) {
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &same);
  });
}

extern "C" CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy) {
  return callInContext([&] {
    cudaMemcpy3DParms same{};
    cudaError_t e = copy ? cudaGraphMemcpyNodeGetParams(node, &same) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
      *copy = toDriver(same);
    return e;
  });
}

extern "C" CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  return callWithCopy(copy, [&](const cudaMemcpy3DParms &same) {
    return cudaGraphMemcpyNodeSetParams(node, &same);
  });
}

extern "C" CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                   const CUDA_MEMCPY3D *copy, CUcontext) {
  return callWithCopy(copy, [&](const cudaMemcpy3DParms &same) {
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &same);
  });
}

// Fills.
extern "C" CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                                         const CUgraphNode *dependencies, size_t count,
                                         const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext) {
  return callWithFill(parameters, [&](const cudaMemsetParams &same) {
    return cudaGraphAddMemsetNode(node, graph, dependencies, count, &same);
  });
}

VX_CU_SAME(cuGraphMemsetNodeGetParams, (CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *parameters),
           cudaGraphMemsetNodeGetParams(node, as<cudaMemsetParams>(parameters)))

extern "C" CUresult cuGraphMemsetNodeSetParams(CUgraphNode node,
                                               const CUDA_MEMSET_NODE_PARAMS *parameters) {
  return callWithFill(parameters, [&](const cudaMemsetParams &same) {
    return cudaGraphMemsetNodeSetParams(node, &same);
  });
}

extern "C" CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                   const CUDA_MEMSET_NODE_PARAMS *parameters,
                                                   CUcontext) {
  return callWithFill(parameters, [&](const cudaMemsetParams &same) {
    return cudaGraphExecMemsetNodeSetParams(exec, node, &same);
  });
}

// Host functions, embedded graphs, empty nodes, events.
VX_CU_SAME(cuGraphAddHostNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
            const CUDA_HOST_NODE_PARAMS *parameters),
           cudaGraphAddHostNode(node, graph, dependencies, count,
                                as<cudaHostNodeParams>(parameters)))
VX_CU_SAME(cuGraphHostNodeGetParams, (CUgraphNode node, CUDA_HOST_NODE_PARAMS *parameters),
           cudaGraphHostNodeGetParams(node, as<cudaHostNodeParams>(parameters)))
VX_CU_SAME(cuGraphHostNodeSetParams, (CUgraphNode node, const CUDA_HOST_NODE_PARAMS *parameters),
           cudaGraphHostNodeSetParams(node, as<cudaHostNodeParams>(parameters)))
VX_CU_SAME(cuGraphExecHostNodeSetParams,
           (CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *parameters),
           cudaGraphExecHostNodeSetParams(exec, node, as<cudaHostNodeParams>(parameters)))
VX_CU_SAME(cuGraphAddChildGraphNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
            CUgraph child),
           cudaGraphAddChildGraphNode(node, graph, dependencies, count, child))
VX_CU_SAME(cuGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *graph),
           cudaGraphChildGraphNodeGetGraph(node, graph))
VX_CU_SAME(cuGraphExecChildGraphNodeSetParams, (CUgraphExec exec, CUgraphNode node, CUgraph child),
           cudaGraphExecChildGraphNodeSetParams(exec, node, child))
VX_CU_SAME(cuGraphAddEmptyNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count),
           cudaGraphAddEmptyNode(node, graph, dependencies, count))
VX_CU_SAME(cuGraphAddEventRecordNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
            CUevent event),
           cudaGraphAddEventRecordNode(node, graph, dependencies, count, event))
VX_CU_SAME(cuGraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent *event),
           cudaGraphEventRecordNodeGetEvent(node, event))
VX_CU_SAME(cuGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent event),
           cudaGraphEventRecordNodeSetEvent(node, event))
VX_CU_SAME(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec exec, CUgraphNode node, CUevent event),
           cudaGraphExecEventRecordNodeSetEvent(exec, node, event))
VX_CU_SAME(cuGraphAddEventWaitNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
            CUevent event),
           cudaGraphAddEventWaitNode(node, graph, dependencies, count, event))
VX_CU_SAME(cuGraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent *event),
           cudaGraphEventWaitNodeGetEvent(node, event))
VX_CU_SAME(cuGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent event),
           cudaGraphEventWaitNodeSetEvent(node, event))
VX_CU_SAME(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec exec, CUgraphNode node, CUevent event),
           cudaGraphExecEventWaitNodeSetEvent(exec, node, event))

// Memory.
VX_CU_SAME(cuGraphAddMemAllocNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
            CUDA_MEM_ALLOC_NODE_PARAMS *parameters),
           cudaGraphAddMemAllocNode(node, graph, dependencies, count,
                                    as<cudaMemAllocNodeParams>(parameters)))
VX_CU_SAME(cuGraphMemAllocNodeGetParams, (CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *parameters),
           cudaGraphMemAllocNodeGetParams(node, as<cudaMemAllocNodeParams>(parameters)))
VX_CU_SAME(cuGraphAddMemFreeNode,
           (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
            CUdeviceptr address),
           cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer(address)))
VX_CU_SAME(cuGraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr *address),
           cudaGraphMemFreeNodeGetParams(node, address))
VX_CU_SAME(cuDeviceGraphMemTrim, (CUdevice device), cudaDeviceGraphMemTrim(device))
VX_CU_SAME(cuDeviceGetGraphMemAttribute, (CUdevice device, CUgraphMem_attribute id, void *value),
           cudaDeviceGetGraphMemAttribute(device, cudaGraphMemAttributeType(id), value))
VX_CU_SAME(cuDeviceSetGraphMemAttribute, (CUdevice device, CUgraphMem_attribute id, void *value),
           cudaDeviceSetGraphMemAttribute(device, cudaGraphMemAttributeType(id), value))

// Nodes of any kind.
extern "C" CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count,
                                   CUgraphNodeParams *parameters) {
  return callWithAny(parameters, [&](cudaGraphNodeParams *same) {
    return cudaGraphAddNode(node, graph, dependencies, count, same);
  });
}

extern "C" CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph,
                                      const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                      size_t count, CUgraphNodeParams *parameters) {
  return callWithAny(parameters, [&](cudaGraphNodeParams *same) {
    return cudaGraphAddNode_v2(node, graph, dependencies, as<cudaGraphEdgeData>(data), count, same);
  });
}

extern "C" CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *parameters) {
  return callWithAny(parameters,
                     [&](cudaGraphNodeParams *same) { return cudaGraphNodeSetParams(node, same); });
}

extern "C" CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             CUgraphNodeParams *parameters) {
  return callWithAny(parameters, [&](cudaGraphNodeParams *same) {
    return cudaGraphExecNodeSetParams(exec, node, same);
  });
}
