// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions for graphs share: the tables, locked, and the checks of handles.

#ifndef VX_RUNTIME_CUDA_GRAPHAPI_H
#define VX_RUNTIME_CUDA_GRAPHAPI_H

#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"

namespace vx::rt {

/// Runs BODY(context, tables) with the tables locked.
template <typename Body> cudaError_t withTables(Context &context, Body &&body) {
  std::lock_guard lock(graphsOf(context).mutex);
  return body(context, graphsOf(context));
}

/// Does the same for the current context, where something is to be created.
template <typename Body> cudaError_t callWithGraphs(Body &&body) {
  return callWithContext([&](Context &context) { return withTables(context, body); });
}

/// withTables() of the context, of any device, that HANDLE belongs to; of CURRENT if it is no
/// handle.
template <typename Handle, typename Body>
cudaError_t withTablesOf(Context &current, Handle handle, Body &&body) {
  auto has = [&](Context &context) {
    std::lock_guard lock(graphsOf(context).mutex);
    return graphsOf(context).has(handle);
  };
  if (has(current))
    return withTables(current, body);
  ContextUse owner = Runtime::get().findOwner(has);
  return withTables(owner ? *owner : current, body);
}

template <typename Handle, typename Body> cudaError_t callWithGraphsOf(Handle handle, Body &&body) {
  return callWithContext([&](Context &current) { return withTablesOf(current, handle, body); });
}

/// Does the same for calls that a stopped kernel does not concern.
template <typename Handle, typename Body>
cudaError_t callWithAnyGraphsOf(Handle handle, Body &&body) {
  return callWithAnyContext([&](Context &current) { return withTablesOf(current, handle, body); });
}

/// BODY(context, tables, node) for a node of TYPE.
template <typename Body>
cudaError_t callWithNode(cudaGraphNode_t handle, cudaGraphNodeType type, Body &&body) {
  return callWithGraphsOf(handle, [&](Context &context, GraphTables &tables) {
    GraphNode *node = tables.find(handle);
    return node && node->work->type == type ? body(context, tables, *node) : cudaErrorInvalidValue;
  });
}

/// Adds a node with the work that MAKE(context, graph, work) describes, in GRAPH after
/// DEPENDENCIES.
template <typename Make>
cudaError_t addNode(cudaGraphNode_t *result, cudaGraph_t graphHandle,
                    const cudaGraphNode_t *dependencies, size_t numDependencies, Make &&make) {
  return callWithGraphsOf(graphHandle, [&](Context &context, GraphTables &tables) {
    std::shared_ptr<Graph> graph = tables.find(graphHandle);
    std::vector<GraphNode *> before;
    if (!result || !graph || !tables.findNodes(*graph, dependencies, numDependencies, before))
      return cudaErrorInvalidValue;
    auto work = std::make_shared<NodeWork>();
    if (cudaError_t e = make(context, *graph, *work); e != cudaSuccess)
      return e;
    GraphNode *node = graph->add(std::move(work), before);
    tables.add(node);
    *result = node->handle;
    return cudaSuccess;
  });
}

/// Gives the node that HANDLE names, of TYPE, the work that MAKE(context, old work, new work)
/// describes.
template <typename Make>
cudaError_t setNode(cudaGraphNode_t handle, cudaGraphNodeType type, Make &&make) {
  return callWithNode(handle, type, [&](Context &context, GraphTables &, GraphNode &node) {
    auto work = std::make_shared<NodeWork>();
    cudaError_t e = make(context, *node.work, *work);
    if (e == cudaSuccess)
      node.work = std::move(work);
    return e;
  });
}

/// Does the same for the node's counterpart in an executable graph.
template <typename Make>
cudaError_t setExecNode(cudaGraphExec_t execHandle, cudaGraphNode_t handle, cudaGraphNodeType type,
                        Make &&make) {
  return callWithGraphsOf(execHandle, [&](Context &context, GraphTables &tables) {
    std::shared_ptr<ExecutableGraph> exec = tables.find(execHandle);
    GraphNode *node = exec ? exec->counterpart(handle) : nullptr;
    if (!node || node->work->type != type)
      return cudaErrorInvalidValue;
    auto work = std::make_shared<NodeWork>();
    cudaError_t e = make(context, *node->work, *work);
    if (e == cudaSuccess)
      e = mayReplace(*node->work, *work);
    if (e == cudaSuccess)
      exec->setWork(node, std::move(work));
    return e;
  });
}

/// Fills in RESULT for as many of VALUES as *COUNT says, the rest with null; without RESULT, or
/// where it has more room, *COUNT becomes the number of VALUES.
template <typename Handle>
cudaError_t giveHandles(const std::vector<Handle> &values, Handle *result, size_t *count) {
  if (!count)
    return cudaErrorInvalidValue;
  if (result)
    for (size_t i = 0; i < *count; ++i)
      result[i] = i < values.size() ? values[i] : nullptr;
  if (!result || *count > values.size())
    *count = values.size();
  return cudaSuccess;
}

} // namespace vx::rt

#endif // VX_RUNTIME_CUDA_GRAPHAPI_H
