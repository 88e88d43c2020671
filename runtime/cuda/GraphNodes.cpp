// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that run kernels and host functions, embed graphs, or deal with events.

#include "runtime/cuda/GraphApi.h"
#include "runtime/launch/LaunchRequest.h"

using namespace vx::rt;

static cudaError_t makeKernelOf(Context &context, const cudaKernelNodeParams *params,
                                const std::map<int, cudaLaunchAttributeValue> &attributes,
                                NodeWork &work) {
  return params ? makeKernel(context, *params, attributes, work) : cudaErrorInvalidValue;
}

extern "C" cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies, size_t count,
                                              const cudaKernelNodeParams *params) {
  return addNode(node, graph, dependencies, count, [&](Context &context, Graph &, NodeWork &work) {
    return makeKernelOf(context, params, {}, work);
  });
}

extern "C" cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle,
                                                    cudaKernelNodeParams *params) {
  return callWithNode(handle, cudaGraphNodeTypeKernel,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!params)
                          return cudaErrorInvalidValue;
                        const KernelNode &kernel = *node.work->get<KernelNode>();
                        const LaunchRequest &request = kernel.request;
                        *params = {};
                        params->func = const_cast<void *>(kernel.function);
                        params->gridDim = {request.grid.x, request.grid.y, request.grid.z};
                        params->blockDim = {request.block.x, request.block.y, request.block.z};
                        params->sharedMemBytes = unsigned(request.dynSharedBytes);
                        if (kernel.extra)
                          params->extra = kernel.extra->list;
                        else if (!kernel.pointers.empty())
                          params->kernelParams = const_cast<void **>(kernel.pointers.data());
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                    const cudaKernelNodeParams *params) {
  return setNode(node, cudaGraphNodeTypeKernel,
                 [&](Context &context, const NodeWork &old, NodeWork &work) {
                   return makeKernelOf(context, params, old.get<KernelNode>()->attributes, work);
                 });
}

extern "C" cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaKernelNodeParams *params) {
  return setExecNode(exec, node, cudaGraphNodeTypeKernel,
                     [&](Context &context, const NodeWork &old, NodeWork &work) {
                       return makeKernelOf(context, params, old.get<KernelNode>()->attributes,
                                           work);
                     });
}

/// Work of KERNEL with other attributes.
static cudaError_t withAttributes(Context &context, const KernelNode &kernel,
                                  const std::map<int, cudaLaunchAttributeValue> &attributes,
                                  NodeWork &work) {
  cudaKernelNodeParams params{};
  params.func = const_cast<void *>(kernel.function);
  params.gridDim = {kernel.request.grid.x, kernel.request.grid.y, kernel.request.grid.z};
  params.blockDim = {kernel.request.block.x, kernel.request.block.y, kernel.request.block.z};
  params.sharedMemBytes = unsigned(kernel.request.dynSharedBytes);
  if (kernel.extra)
    params.extra = kernel.extra->list;
  else
    params.kernelParams = const_cast<void **>(kernel.pointers.data());
  return makeKernel(context, params, attributes, work);
}

extern "C" cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination,
                                                         cudaGraphNode_t sourceHandle) {
  return callWithNode(
      sourceHandle, cudaGraphNodeTypeKernel, [&](Context &, GraphTables &, GraphNode &source) {
        return setNode(destination, cudaGraphNodeTypeKernel,
                       [&](Context &context, const NodeWork &old, NodeWork &work) {
                         return withAttributes(context, *old.get<KernelNode>(),
                                               source.work->get<KernelNode>()->attributes, work);
                       });
      });
}

static bool isNodeAttribute(cudaKernelNodeAttrID id) {
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeCooperative:
  case cudaLaunchAttributeClusterDimension:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return true;
  default:
    return false;
  }
}

extern "C" cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle,
                                                       cudaKernelNodeAttrID id,
                                                       cudaKernelNodeAttrValue *value) {
  return callWithNode(handle, cudaGraphNodeTypeKernel,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!value || !isNodeAttribute(id))
                          return cudaErrorInvalidValue;
                        const auto &attributes = node.work->get<KernelNode>()->attributes;
                        auto it = attributes.find(id);
                        *value = it == attributes.end() ? cudaKernelNodeAttrValue{} : it->second;
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                                       cudaKernelNodeAttrID id,
                                                       const cudaKernelNodeAttrValue *value) {
  return setNode(node, cudaGraphNodeTypeKernel,
                 [&](Context &context, const NodeWork &old, NodeWork &work) {
                   if (!value || !isNodeAttribute(id))
                     return cudaErrorInvalidValue;
                   const KernelNode &kernel = *old.get<KernelNode>();
                   auto attributes = kernel.attributes;
                   attributes[id] = *value;
                   return withAttributes(context, kernel, attributes, work);
                 });
}

static cudaError_t makeHostOf(const cudaHostNodeParams *params, NodeWork &work) {
  return params ? makeHost(*params, work) : cudaErrorInvalidValue;
}

extern "C" cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies, size_t count,
                                            const cudaHostNodeParams *params) {
  return addNode(node, graph, dependencies, count, [&](Context &, Graph &graph, NodeWork &work) {
    return graph.isBody ? cudaErrorNotSupported : makeHostOf(params, work);
  });
}

extern "C" cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle,
                                                  cudaHostNodeParams *params) {
  return callWithNode(handle, cudaGraphNodeTypeHost,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!params)
                          return cudaErrorInvalidValue;
                        *params = node.work->get<HostNode>()->params;
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                  const cudaHostNodeParams *params) {
  return setNode(node, cudaGraphNodeTypeHost, [&](Context &, const NodeWork &, NodeWork &work) {
    return makeHostOf(params, work);
  });
}

extern "C" cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      const cudaHostNodeParams *params) {
  return setExecNode(
      exec, node, cudaGraphNodeTypeHost,
      [&](Context &, const NodeWork &, NodeWork &work) { return makeHostOf(params, work); });
}

extern "C" cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                  const cudaGraphNode_t *dependencies, size_t count,
                                                  cudaGraph_t childHandle) {
  return addNode(node, graph, dependencies, count,
                 [&](Context &context, Graph &parent, NodeWork &work) {
                   return makeChild(graphsOf(context), parent, childHandle, work);
                 });
}

extern "C" cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *graph) {
  return callWithNode(handle, cudaGraphNodeTypeGraph,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!graph)
                          return cudaErrorInvalidValue;
                        *graph = node.work->get<ChildNode>()->graph->handle;
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t execHandle,
                                                            cudaGraphNode_t handle,
                                                            cudaGraph_t childHandle) {
  return callWithGraphsOf(execHandle, [&](Context &, GraphTables &tables) {
    std::shared_ptr<ExecutableGraph> exec = tables.find(execHandle);
    std::shared_ptr<Graph> child = tables.find(childHandle);
    GraphNode *node = exec ? exec->counterpart(handle) : nullptr;
    if (!child || !node || node->work->type != cudaGraphNodeTypeGraph)
      return cudaErrorInvalidValue;
    return updateChild(*exec, *node, *child);
  });
}

extern "C" cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies, size_t count) {
  return addNode(node, graph, dependencies, count,
                 [](Context &, Graph &, NodeWork &) { return cudaSuccess; });
}

static cudaError_t addEventNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *dependencies, size_t count,
                                cudaEvent_t event, bool records) {
  return addNode(
      node, graph, dependencies, count, [&](Context &context, Graph &graph, NodeWork &work) {
        return graph.isBody ? cudaErrorNotSupported : makeEvent(context, event, records, work);
      });
}

static cudaError_t getEvent(cudaGraphNode_t handle, cudaGraphNodeType type, cudaEvent_t *event) {
  return callWithNode(handle, type, [&](Context &, GraphTables &, GraphNode &node) {
    if (!event)
      return cudaErrorInvalidValue;
    *event = node.work->get<EventNode>()->handle;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                   const cudaGraphNode_t *dependencies,
                                                   size_t count, cudaEvent_t event) {
  return addEventNode(node, graph, dependencies, count, event, true);
}

extern "C" cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(node, cudaGraphNodeTypeEventRecord, event);
}

extern "C" cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setNode(node, cudaGraphNodeTypeEventRecord,
                 [&](Context &context, const NodeWork &, NodeWork &work) {
                   return makeEvent(context, event, true, work);
                 });
}

extern "C" cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node,
                                                            cudaEvent_t event) {
  return setExecNode(exec, node, cudaGraphNodeTypeEventRecord,
                     [&](Context &context, const NodeWork &, NodeWork &work) {
                       return makeEvent(context, event, true, work);
                     });
}

extern "C" cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                 const cudaGraphNode_t *dependencies, size_t count,
                                                 cudaEvent_t event) {
  return addEventNode(node, graph, dependencies, count, event, false);
}

extern "C" cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(node, cudaGraphNodeTypeWaitEvent, event);
}

extern "C" cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setNode(node, cudaGraphNodeTypeWaitEvent,
                 [&](Context &context, const NodeWork &, NodeWork &work) {
                   return makeEvent(context, event, false, work);
                 });
}

extern "C" cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
                                                          cudaGraphNode_t node, cudaEvent_t event) {
  return setExecNode(exec, node, cudaGraphNodeTypeWaitEvent,
                     [&](Context &context, const NodeWork &, NodeWork &work) {
                       return makeEvent(context, event, false, work);
                     });
}
