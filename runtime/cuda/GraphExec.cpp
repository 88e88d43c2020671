// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executable graphs: instantiation, update, launch.

#include "runtime/cuda/GraphApi.h"
#include "runtime/graphs/GraphRun.h"
#include "runtime/launch/LaunchRequest.h"
#include "runtime/launch/Launcher.h"
#include <algorithm>
#include <map>

using namespace vx::rt;

static constexpr unsigned long long kKnownFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

/// Returns a node on a cycle of GRAPH or of what it embeds; null if it has no cycles.
static const GraphNode *findCycle(const Graph &graph) {
  std::vector<GraphNode *> order = graph.inOrder();
  if (order.size() != graph.nodes.size())
    for (const std::unique_ptr<GraphNode> &node : graph.nodes)
      if (std::find(order.begin(), order.end(), node.get()) == order.end())
        return node.get();
  const GraphNode *found = nullptr;
  for (const std::unique_ptr<GraphNode> &node : graph.nodes)
    forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &embedded) {
      if (!found)
        found = findCycle(*embedded);
    });
  return found;
}

/// Checks each launch again: limits and attributes may have changed since the node was made.
static cudaError_t prepareKernels(Context &context, Graph &graph, const GraphNode *&culprit) {
  for (const std::unique_ptr<GraphNode> &node : graph.nodes) {
    cudaError_t e = cudaSuccess;
    if (const KernelNode *kernel = node->work->get<KernelNode>()) {
      LaunchRequest request = kernel->request;
      e = context.launcher().prepare(request);
      if (e == cudaSuccess) {
        auto work = std::make_shared<NodeWork>(NodeWork{node->work->type, *kernel});
        std::get<KernelNode>(work->what).request = std::move(request);
        node->work = std::move(work);
      }
    }
    forEachEmbedded(*node->work, [&](const std::shared_ptr<Graph> &embedded) {
      if (e == cudaSuccess)
        e = prepareKernels(context, *embedded, culprit);
    });
    if (e != cudaSuccess) {
      culprit = culprit ? culprit : node.get();
      return e;
    }
  }
  return cudaSuccess;
}

static cudaError_t upload(Context &context, ExecutableGraph &exec, cudaStream_t handle) {
  std::shared_ptr<Stream> stream = lookUpStream(context, handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t e = refuseWhileCapturing(context, stream); e != cudaSuccess)
    return e;
  // Everything that a launch needs is there; only the order counts.
  auto ticket = std::make_shared<EventTicket>();
  context.scheduler().enqueue(stream, {nullptr, exec.lastLaunch, false, ticket});
  exec.lastLaunch = std::move(ticket);
  return cudaSuccess;
}

static cudaError_t instantiate(Context &context, GraphTables &tables, cudaGraphExec_t *handle,
                               cudaGraph_t graphHandle, cudaGraphInstantiateParams &params) {
  std::shared_ptr<Graph> source = tables.find(graphHandle);
  params.errNode_out = nullptr;
  params.result_out = cudaGraphInstantiateError;
  if (!handle || !source || (params.flags & ~kKnownFlags))
    return cudaErrorInvalidValue;
  if (params.flags & cudaGraphInstantiateFlagDeviceLaunch) {
    params.result_out = cudaGraphInstantiateNodeOperationNotSupported;
    return cudaErrorNotSupported; // kernels cannot launch graphs
  }
  if (const GraphNode *node = findCycle(*source)) {
    params.result_out = cudaGraphInstantiateInvalidStructure;
    params.errNode_out = node->handle;
    return cudaErrorInvalidValue;
  }
  bool isOnly = source->usesMemoryNodes();
  for (const auto &[other, existing] : tables.executables)
    if (isOnly && existing->source.lock() == source)
      return cudaErrorNotSupported;
  auto exec = std::make_shared<ExecutableGraph>();
  exec->graph = source->clone();
  exec->source = source;
  exec->flags = params.flags;
  const GraphNode *culprit = nullptr;
  if (cudaError_t e = prepareKernels(context, *exec->graph, culprit); e != cudaSuccess) {
    params.errNode_out = culprit ? culprit->original : nullptr;
    return e;
  }
  exec->index(*exec->graph);
  exec->plan = GraphPlan::compile(*exec->graph);
  exec->plan->usesPriorities = params.flags & cudaGraphInstantiateFlagUseNodePriority;
  if (params.flags & cudaGraphInstantiateFlagUpload)
    if (cudaError_t e = upload(context, *exec, params.uploadStream); e != cudaSuccess)
      return e;
  *handle = newHandle<cudaGraphExec_t>();
  tables.executables.emplace(*handle, std::move(exec));
  params.result_out = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                      cudaGraphInstantiateParams *params) {
  return callWithGraphsOf(graph, [&](Context &context, GraphTables &tables) {
    return params ? instantiate(context, tables, exec, graph, *params) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                     unsigned long long flags) {
  return callWithGraphsOf(graph, [&](Context &context, GraphTables &tables) {
    cudaGraphInstantiateParams params{};
    params.flags = flags;
    if (flags & cudaGraphInstantiateFlagUpload) // there is no stream to upload in
      return cudaErrorInvalidValue;
    return instantiate(context, tables, exec, graph, params);
  });
}

extern "C" cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                            unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

template <typename Body> static cudaError_t callWithExec(cudaGraphExec_t handle, Body &&body) {
  return callWithGraphsOf(handle, [&](Context &context, GraphTables &tables) {
    std::shared_ptr<ExecutableGraph> exec = tables.find(handle);
    return exec ? body(context, tables, *exec) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return callWithAnyGraphsOf(handle, [&](Context &, GraphTables &tables) {
    // A launch that is under way keeps what it needs.
    return tables.executables.erase(handle) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags) {
  return callWithExec(handle, [&](Context &, GraphTables &, ExecutableGraph &exec) {
    if (!flags)
      return cudaErrorInvalidValue;
    *flags = exec.flags & ~uint64_t(cudaGraphInstantiateFlagUpload);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graphHandle,
                                           cudaGraphExecUpdateResultInfo *info) {
  return callWithExec(handle, [&](Context &context, GraphTables &tables, ExecutableGraph &exec) {
    std::shared_ptr<Graph> next = tables.find(graphHandle);
    if (!info || !next)
      return cudaErrorInvalidValue;
    *info = {cudaGraphExecUpdateError, nullptr, nullptr};
    const GraphNode *culprit = nullptr;
    std::shared_ptr<Graph> prepared = next->clone();
    if (prepareKernels(context, *prepared, culprit) != cudaSuccess) {
      info->errorNode = culprit ? culprit->original : nullptr;
      return cudaErrorGraphExecUpdateFailure;
    }
    return updateExecutable(exec, *prepared, *info);
  });
}

extern "C" cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t nodeHandle,
                                               unsigned isEnabled) {
  return callWithExec(handle, [&](Context &, GraphTables &, ExecutableGraph &exec) {
    GraphNode *node = exec.counterpart(nodeHandle);
    if (!node || node->work->type > cudaGraphNodeTypeMemset)
      return cudaErrorInvalidValue;
    exec.changeablePlan().enabled[exec.plan->shape->stepOf.at(node)] = isEnabled != 0;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t nodeHandle,
                                               unsigned *isEnabled) {
  return callWithExec(handle, [&](Context &, GraphTables &, ExecutableGraph &exec) {
    GraphNode *node = exec.counterpart(nodeHandle);
    if (!isEnabled || !node || node->work->type > cudaGraphNodeTypeMemset)
      return cudaErrorInvalidValue;
    *isEnabled = exec.plan->enabled[exec.plan->shape->stepOf.at(node)];
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return callWithExec(handle, [&](Context &context, GraphTables &, ExecutableGraph &exec) {
    return upload(context, exec, stream);
  });
}

/// Does what a launch does to the memory of allocation nodes, in the order of the calls.
static cudaError_t allocateForLaunch(GraphMemory &memory, const ExecutableGraph &exec) {
  const GraphPlan &plan = *exec.plan;
  bool frees = exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
  auto allocationOf = [&](uint32_t step) -> const std::shared_ptr<GraphAllocation> & {
    return plan.works[step]->get<AllocationNode>()->memory;
  };
  std::vector<uint32_t> allocations = plan.shape->allocations;
  for (uint32_t step : allocations)
    if (allocationOf(step)->isLive && !frees)
      return cudaErrorInvalidValue;
  for (uint32_t step : plan.shape->releases) {
    const std::shared_ptr<GraphAllocation> &freed = plan.works[step]->get<ReleaseNode>()->memory;
    bool isOwn = std::any_of(allocations.begin(), allocations.end(),
                             [&](uint32_t other) { return allocationOf(other) == freed; });
    if (!isOwn && !freed->isLive)
      return cudaErrorInvalidValue;
  }
  // Nodes that have the same memory one after the other allocate and free it more than once.
  std::map<std::shared_ptr<GraphAllocation>, int> lifetimes;
  for (uint32_t step : allocations) {
    memory.setLive(allocationOf(step), true);
    ++lifetimes[allocationOf(step)];
  }
  for (uint32_t step : plan.shape->releases) {
    const std::shared_ptr<GraphAllocation> &freed = plan.works[step]->get<ReleaseNode>()->memory;
    if (--lifetimes[freed] <= 0)
      memory.setLive(freed, false);
  }
  return cudaSuccess;
}

static cudaError_t launch(Context &context, GraphTables &tables, ExecutableGraph &exec,
                          const std::shared_ptr<Stream> &stream) {
  if (cudaError_t e = allocateForLaunch(tables.memory, exec); e != cudaSuccess)
    return e;
  auto ticket = std::make_shared<EventTicket>();
  Operation operation;
  operation.parts = std::make_shared<GraphRun>(context, exec.plan);
  exec.isPlanLaunched = true;
  operation.waitsFor = exec.lastLaunch; // launches of one executable graph do not overlap
  operation.completes = ticket;
  exec.lastLaunch = std::move(ticket);
  context.scheduler().enqueue(stream, std::move(operation));
  return cudaSuccess;
}

extern "C" cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t streamHandle) {
  return callWithExec(handle, [&](Context &context, GraphTables &tables, ExecutableGraph &exec) {
    std::shared_ptr<Stream> stream = lookUpStream(context, streamHandle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (std::optional<cudaError_t> captured =
            captureOperation(context, stream, [&](Graph &, NodeWork &work) {
              if (exec.graph->usesMemoryNodes() ||
                  exec.graph->contains(cudaGraphNodeTypeConditional))
                return cudaErrorNotSupported;
              std::shared_ptr<Graph> child = exec.graph->clone();
              child->isEmbedded = true;
              work.type = cudaGraphNodeTypeGraph;
              work.what = ChildNode{std::move(child)};
              return cudaSuccess;
            }))
      return *captured;
    return launch(context, tables, exec, stream);
  });
}
