// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of any type by one function each: to add, to change, and to change in an executable graph.

#include "runtime/cuda/GraphApi.h"
#include <algorithm>

using namespace vx::rt;

static cudaKernelNodeParams kernelOf(const cudaGraphNodeParams &params) {
  const cudaKernelNodeParamsV2 &p = params.kernel;
  return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}

static cudaMemsetParams fillOf(const cudaGraphNodeParams &params) {
  const cudaMemsetParamsV2 &p = params.memset;
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

static cudaError_t makeAllocationOf(Context &context, Graph &graph, cudaMemAllocNodeParamsV2 &p,
                                    NodeWork &work) {
  cudaMemAllocNodeParams params{p.poolProps, p.accessDescs, p.accessDescCount, p.bytesize, nullptr};
  cudaError_t e = makeAllocation(context, graph, params, work);
  p.dptr = params.dptr;
  return e;
}

/// Work that needs no more than its parameters, for a new node or in place of another's.
static cudaError_t makeSimple(Context &context, const cudaGraphNodeParams &params,
                              const NodeWork *old, NodeWork &work) {
  switch (params.type) {
  case cudaGraphNodeTypeKernel: {
    const KernelNode *kernel = old ? old->get<KernelNode>() : nullptr;
    return makeKernel(context, kernelOf(params),
                      kernel ? kernel->attributes : std::map<int, cudaLaunchAttributeValue>(),
                      work);
  }
  case cudaGraphNodeTypeMemcpy:
    return params.memcpy.flags == 0 ? makeCopy(context, params.memcpy.copyParams, work)
                                    : cudaErrorInvalidValue;
  case cudaGraphNodeTypeMemset:
    return makeFill(context, fillOf(params), work);
  case cudaGraphNodeTypeHost:
    return makeHost({params.host.fn, params.host.userData}, work);
  case cudaGraphNodeTypeWaitEvent:
    return makeEvent(context, params.eventWait.event, false, work);
  case cudaGraphNodeTypeEventRecord:
    return makeEvent(context, params.eventRecord.event, true, work);
  default:
    return cudaErrorInvalidValue;
  }
}

static bool isAllowedInBody(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
         type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeEmpty ||
         type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeConditional;
}

static cudaError_t makeAny(Context &context, Graph &graph, cudaGraphNodeParams &params,
                           NodeWork &work) {
  if (graph.isBody && !isAllowedInBody(params.type))
    return cudaErrorNotSupported;
  switch (params.type) {
  case cudaGraphNodeTypeEmpty:
    return cudaSuccess;
  case cudaGraphNodeTypeGraph:
    return makeChild(graphsOf(context), graph, params.graph.graph, work);
  case cudaGraphNodeTypeMemAlloc:
    return makeAllocationOf(context, graph, params.alloc, work);
  case cudaGraphNodeTypeMemFree:
    return makeRelease(context, graph, addressOf(params.free.dptr), work);
  case cudaGraphNodeTypeConditional:
    return makeConditional(graph, params.conditional, work);
  case cudaGraphNodeTypeExtSemaphoreSignal:
  case cudaGraphNodeTypeExtSemaphoreWait:
    return cudaErrorNotSupported;
  default:
    return makeSimple(context, params, nullptr, work);
  }
}

/// Tells the program the handles of the bodies of a conditional node.
static void giveBodies(GraphTables &tables, cudaGraphNode_t handle, cudaGraphNodeParams &params) {
  const ConditionalNode *node = tables.find(handle)->work->get<ConditionalNode>();
  if (!node)
    return;
  for (const std::shared_ptr<Graph> &body : node->bodies)
    node->handles->push_back(body->handle);
  params.conditional.phGraph_out = node->handles->data();
}

extern "C" cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           const cudaGraphEdgeData *data, size_t count,
                                           cudaGraphNodeParams *params) {
  if (!params)
    return recordError(cudaErrorInvalidValue);
  for (size_t i = 0; data && i < count; ++i)
    if (data[i].from_port || data[i].to_port || data[i].type)
      return recordError(cudaErrorNotSupported); // dependencies on parts of kernels
  return callWithGraphsOf(graph, [&](Context &, GraphTables &tables) {
    cudaError_t e = addNode(node, graph, dependencies, count,
                            [&](Context &context, Graph &graph, NodeWork &work) {
                              return makeAny(context, graph, *params, work);
                            });
    if (e == cudaSuccess)
      giveBodies(tables, *node, *params);
    return e;
  });
}

extern "C" cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t count,
                                        cudaGraphNodeParams *params) {
  return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}

extern "C" cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *params) {
  if (!params)
    return recordError(cudaErrorInvalidValue);
  return setNode(node, params->type, [&](Context &context, const NodeWork &old, NodeWork &work) {
    return makeSimple(context, *params, &old, work);
  });
}

extern "C" cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                  cudaGraphNodeParams *params) {
  if (!params)
    return recordError(cudaErrorInvalidValue);
  if (params->type == cudaGraphNodeTypeGraph)
    return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
  return setExecNode(exec, node, params->type,
                     [&](Context &context, const NodeWork &old, NodeWork &work) {
                       return makeSimple(context, *params, &old, work);
                     });
}
