// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that allocate and free memory, and conditional nodes.

#include "runtime/cuda/GraphApi.h"
#include "runtime/memory/DeviceMemory.h"

using namespace vx::rt;

extern "C" cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                const cudaGraphNode_t *dependencies, size_t count,
                                                cudaMemAllocNodeParams *params) {
  return addNode(node, graph, dependencies, count,
                 [&](Context &context, Graph &graph, NodeWork &work) {
                   std::vector<GraphNode *> before;
                   if (!params || !graphsOf(context).findNodes(graph, dependencies, count, before))
                     return cudaErrorInvalidValue;
                   return makeAllocation(context, graph, *params, work, before);
                 });
}

extern "C" cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                                      cudaMemAllocNodeParams *params) {
  return callWithNode(handle, cudaGraphNodeTypeMemAlloc,
                      [&](Context &, GraphTables &, GraphNode &node) {
                        if (!params)
                          return cudaErrorInvalidValue;
                        *params = node.work->get<AllocationNode>()->params;
                        return cudaSuccess;
                      });
}

extern "C" cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                               const cudaGraphNode_t *dependencies, size_t count,
                                               void *pointer) {
  return addNode(node, graph, dependencies, count,
                 [&](Context &context, Graph &graph, NodeWork &work) {
                   return makeRelease(context, graph, addressOf(pointer), work);
                 });
}

extern "C" cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void *pointer) {
  return callWithNode(
      handle, cudaGraphNodeTypeMemFree, [&](Context &, GraphTables &, GraphNode &node) {
        if (!pointer)
          return cudaErrorInvalidValue;
        *static_cast<void **>(pointer) = pointerTo(node.work->get<ReleaseNode>()->memory->address);
        return cudaSuccess;
      });
}

extern "C" cudaError_t cudaDeviceGraphMemTrim(int device) {
  return callWithDevice(device, [&](Context &context) {
    graphsOf(context).memory.trim();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType id,
                                                      void *value) {
  return callWithDevice(device, [&](Context &context) {
    if (!value || id < cudaGraphMemAttrUsedMemCurrent || id > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    const GraphMemory &memory = graphsOf(context).memory;
    GraphMemory::Usage usage =
        id <= cudaGraphMemAttrUsedMemHigh ? memory.used() : memory.reserved();
    bool isHigh = id == cudaGraphMemAttrUsedMemHigh || id == cudaGraphMemAttrReservedMemHigh;
    *static_cast<uint64_t *>(value) = isHigh ? usage.high : usage.current;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType id,
                                                      void *value) {
  return callWithDevice(device, [&](Context &context) {
    // The only change there is: a maximum starts anew.
    if (!value || *static_cast<uint64_t *>(value) != 0 ||
        (id != cudaGraphMemAttrUsedMemHigh && id != cudaGraphMemAttrReservedMemHigh))
      return cudaErrorInvalidValue;
    graphsOf(context).memory.resetHigh(id == cudaGraphMemAttrUsedMemHigh);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                                        cudaGraph_t graphHandle,
                                                        unsigned defaultValue, unsigned flags) {
  return callWithGraphsOf(graphHandle, [&](Context &context, GraphTables &tables) {
    std::shared_ptr<Graph> found = tables.find(graphHandle);
    if (!handle || !found || (flags & ~unsigned(cudaGraphCondAssignDefault)))
      return cudaErrorInvalidValue;
    ConditionWord condition;
    if (cudaError_t e = tables.memory.create(sizeof(uint64_t), condition.memory); e != cudaSuccess)
      return e;
    condition.address = condition.memory->address;
    condition.initial = defaultValue;
    condition.hasInitial = flags & cudaGraphCondAssignDefault;
    uint32_t zero = 0;
    cudaError_t e = context.scheduler().withDevice([&] {
      return context.memory().write(condition.address,
                                    {reinterpret_cast<const uint8_t *>(&zero), sizeof zero});
    });
    if (e != cudaSuccess)
      return e;
    *handle = condition.address;
    found->root().conditions.push_back(std::move(condition));
    return cudaSuccess;
  });
}
