// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the parameters of a node, or of a captured call, to its work, with the checks that CUDA
// makes when a node is made.

#include "runtime/context/ArrayCopy.h"
#include "runtime/context/LaunchAttributes.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/LaunchRequest.h"
#include "runtime/launch/Launcher.h"
#include <algorithm>
#include <cstring>
#include <set>

namespace vx::rt {

// The keys in cudaKernelNodeParams::extra.
static void *const kBlockPointer = reinterpret_cast<void *>(1);
static void *const kBlockSize = reinterpret_cast<void *>(2);

/// Takes the arguments from a block of them.
static cudaError_t takeBlock(void **extra, const Kernel &kernel, std::vector<uint8_t> &arguments,
                             KernelNode::Block &block) {
  const void *bytes = nullptr;
  const size_t *size = nullptr;
  for (size_t i = 0; extra[i] && i < 4; i += 2) {
    if (extra[i] == kBlockPointer)
      bytes = extra[i + 1];
    else if (extra[i] == kBlockSize)
      size = static_cast<const size_t *>(extra[i + 1]);
    else
      return cudaErrorInvalidValue;
  }
  if (!size || (*size && !bytes) || *size < kernel.record.argBytes)
    return cudaErrorInvalidValue;
  arguments.resize(*size);
  if (*size)
    std::memcpy(arguments.data(), bytes, *size);
  block.bytes = *size;
  return cudaSuccess;
}

cudaError_t makeKernel(const void *function, LaunchRequest request, NodeWork &work) {
  KernelNode node;
  node.function = function;
  node.request = std::move(request);
  for (const abi::KernelParam &param : node.request.kernel->params)
    node.pointers.push_back(node.request.arguments.data() + param.offset);
  if (node.request.cooperative)
    node.attributes[cudaLaunchAttributeCooperative].cooperative = 1;
  if (const std::optional<Dim> &cluster = node.request.cluster)
    node.attributes[cudaLaunchAttributeClusterDimension].clusterDim = {cluster->x, cluster->y,
                                                                       cluster->z};
  if (node.request.priority)
    node.attributes[cudaLaunchAttributePriority].priority = *node.request.priority;
  work.type = cudaGraphNodeTypeKernel;
  work.what = std::move(node);
  return cudaSuccess;
}

/// Applies the attributes of a kernel node to its launch.
static cudaError_t applyAttributes(Context &context,
                                   const std::map<int, cudaLaunchAttributeValue> &attributes,
                                   LaunchRequest &request) {
  std::vector<cudaLaunchAttribute> list;
  for (const auto &[id, value] : attributes) {
    cudaLaunchAttribute &attribute = list.emplace_back();
    attribute.id = cudaLaunchAttributeID(id);
    attribute.val = value;
  }
  LaunchSettings settings;
  if (cudaError_t e = readLaunchAttributes(context, list.data(), unsigned(list.size()), settings);
      e != cudaSuccess)
    return e;
  if (!settings.events.empty())
    return cudaErrorNotSupported;
  request.cooperative = settings.cooperative;
  request.cluster = settings.cluster;
  request.priority = settings.priority;
  return cudaSuccess;
}

cudaError_t makeKernel(Context &context, const cudaKernelNodeParams &params,
                       const std::map<int, cudaLaunchAttributeValue> &attributes, NodeWork &work) {
  if (!params.func)
    return cudaErrorInvalidDeviceFunction;
  if (params.kernelParams && params.extra)
    return cudaErrorInvalidValue;
  LaunchRequest request;
  if (cudaError_t e = context.modules().findKernel(params.func, request.kernel); e != cudaSuccess)
    return e;
  request.grid = {params.gridDim.x, params.gridDim.y, params.gridDim.z};
  request.block = {params.blockDim.x, params.blockDim.y, params.blockDim.z};
  request.dynSharedBytes = params.sharedMemBytes;
  if (cudaError_t e = applyAttributes(context, attributes, request); e != cudaSuccess)
    return e;
  if (cudaError_t e = context.launcher().prepare(request); e != cudaSuccess)
    return e;
  KernelNode::Block block;
  if (params.extra) {
    if (cudaError_t e = takeBlock(params.extra, *request.kernel, request.arguments, block);
        e != cudaSuccess)
      return e;
  } else if (!request.kernel->packArguments(params.kernelParams, request.arguments)) {
    return cudaErrorInvalidValue;
  }
  if (cudaError_t e = makeKernel(params.func, std::move(request), work); e != cudaSuccess)
    return e;
  KernelNode &node = std::get<KernelNode>(work.what);
  node.attributes = attributes;
  if (params.extra) {
    node.extra = std::make_shared<KernelNode::Block>(block);
    void *list[] = {kBlockPointer, node.request.arguments.data(), kBlockSize, &node.extra->bytes,
                    nullptr};
    std::copy(std::begin(list), std::end(list), node.extra->list);
  }
  return cudaSuccess;
}

static cudaError_t finishCopy(Context &context, CopyNode node, NodeWork &work) {
  Copy asked = node.copy;
  if (cudaError_t e = resolveCopy(context, node.copy, node.params.kind); e != cudaSuccess)
    return e;
  if (!node.copy.uses.empty()) { // a graph does not keep other devices from being reset
    node.asked = std::make_shared<Copy>(std::move(asked));
    node.copy.uses.clear();
  }
  work.type = cudaGraphNodeTypeMemcpy;
  work.what = std::move(node);
  return cudaSuccess;
}

cudaError_t makeCopy(Context &context, const cudaMemcpy3DParms &params, NodeWork &work) {
  CopyNode node;
  node.params = params;
  if (cudaError_t e = describeCopy(context, params, node.copy); e != cudaSuccess)
    return e;
  return finishCopy(context, std::move(node), work);
}

static cudaPitchedPtr boxOf(const CopySide &side, const CopyExtent &extent) {
  uint64_t rows = side.slicePitch && side.pitch ? side.slicePitch / side.pitch : extent.height;
  return {pointerTo(side.address), side.pitch, extent.width, rows};
}

cudaError_t makeCopy(Context &context, Copy copy, cudaMemcpyKind kind, Module *module,
                     NodeWork &work) {
  CopyNode node;
  node.params.dstPtr = boxOf(copy.destination, copy.extent);
  node.params.srcPtr = boxOf(copy.source, copy.extent);
  node.params.extent = {copy.extent.width, copy.extent.height, copy.extent.depth};
  node.params.kind = kind;
  node.copy = copy;
  node.module = module;
  return finishCopy(context, std::move(node), work);
}

cudaError_t makeFill(Context &context, const cudaMemsetParams &params, NodeWork &work) {
  uint64_t bytes;
  if (params.elementSize != 1 && params.elementSize != 2 && params.elementSize != 4)
    return cudaErrorInvalidValue;
  if (addressOf(params.dst) % params.elementSize ||
      __builtin_mul_overflow(uint64_t(params.width), params.elementSize, &bytes) ||
      (params.height > 1 && (params.pitch < bytes || params.pitch % params.elementSize)))
    return cudaErrorInvalidValue;
  FillNode node;
  node.params = params;
  node.side = {addressOf(params.dst), params.height > 1 ? params.pitch : bytes, 0};
  CopyExtent extent{bytes, params.height, 1};
  ContextUses uses; // another device's memory
  if (!extent.empty())
    if (cudaError_t e = resolveDeviceSide(context, node.side, extent, uses); e != cudaSuccess)
      return e;
  if (!uses.empty())
    return cudaErrorNotSupported;
  work.type = cudaGraphNodeTypeMemset;
  work.what = node;
  return cudaSuccess;
}

/// Slices must follow each other: a node has rows only.
cudaError_t makeFill(Context &context, CopySide side, const CopyExtent &extent, uint32_t value,
                     unsigned elementBytes, NodeWork &work) {
  cudaMemsetParams params{pointerTo(side.address),     side.pitch,   value, elementBytes,
                          extent.width / elementBytes, extent.height};
  if (extent.depth > 1) {
    if (side.slicePitch != side.pitch * extent.height)
      return cudaErrorNotSupported;
    params.height *= extent.depth;
  }
  return makeFill(context, params, work);
}

cudaError_t makeHost(const cudaHostNodeParams &params, NodeWork &work) {
  if (!params.fn)
    return cudaErrorInvalidValue;
  work.type = cudaGraphNodeTypeHost;
  work.what = HostNode{params};
  return cudaSuccess;
}

cudaError_t makeEvent(Context &context, cudaEvent_t handle, bool records, NodeWork &work) {
  std::shared_ptr<EventRecord> event = context.handles().events.find(handle);
  if (!event)
    return cudaErrorInvalidValue;
  work.type = records ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent;
  work.what = EventNode{handle, std::move(event), records};
  return cudaSuccess;
}

cudaError_t makeChild(GraphTables &tables, Graph &parent, cudaGraph_t handle, NodeWork &work) {
  std::shared_ptr<Graph> child = tables.find(handle);
  if (!child || child->usesMemoryNodes() || child->contains(cudaGraphNodeTypeConditional))
    return cudaErrorInvalidValue;
  if (parent.isBody &&
      (child->contains(cudaGraphNodeTypeHost) || child->contains(cudaGraphNodeTypeEventRecord) ||
       child->contains(cudaGraphNodeTypeWaitEvent)))
    return cudaErrorNotSupported;
  std::shared_ptr<Graph> copy = child->clone();
  copy->isEmbedded = true;
  copy->isBody = parent.isBody;
  work.type = cudaGraphNodeTypeGraph;
  work.what = ChildNode{std::move(copy)};
  return cudaSuccess;
}

cudaError_t makeConditional(Graph &graph, const cudaConditionalNodeParams &params, NodeWork &work) {
  const std::vector<ConditionWord> &conditions = graph.root().conditions;
  bool isKnown =
      std::any_of(conditions.begin(), conditions.end(), [&](const ConditionWord &condition) {
        return condition.address == params.handle;
      });
  unsigned most = params.type == cudaGraphCondTypeIf      ? 2
                  : params.type == cudaGraphCondTypeWhile ? 1
                                                          : UINT32_MAX;
  if (!isKnown || params.type > cudaGraphCondTypeSwitch || params.size == 0 || params.size > most)
    return cudaErrorInvalidValue;
  ConditionalNode node;
  node.params = params;
  for (unsigned i = 0; i < params.size; ++i) {
    auto body = std::make_shared<Graph>();
    body->isEmbedded = body->isBody = true;
    node.bodies.push_back(std::move(body));
  }
  work.type = cudaGraphNodeTypeConditional;
  work.what = std::move(node);
  return cudaSuccess;
}

/// Memory of SIZE bytes that nodes up to BEFORE have allocated and freed; null if there is none.
static std::shared_ptr<GraphAllocation> findFreed(const Graph &root,
                                                  std::vector<GraphNode *> before, uint64_t size) {
  std::set<const GraphNode *> seen(before.begin(), before.end());
  while (!before.empty()) {
    GraphNode *node = before.back();
    before.pop_back();
    if (const ReleaseNode *release = node->work->get<ReleaseNode>()) {
      const GraphAllocation &memory = *release->memory;
      if (memory.size == size && memory.allocatedIn == &root && memory.freedIn == &root &&
          memory.reuses == release->reuses)
        return release->memory;
    }
    for (GraphNode *dependency : node->dependencies)
      if (seen.insert(dependency).second)
        before.push_back(dependency);
  }
  return nullptr;
}

cudaError_t makeAllocation(Context &context, Graph &graph, cudaMemAllocNodeParams &params,
                           NodeWork &work, const std::vector<GraphNode *> &before) {
  const cudaMemPoolProps &props = params.poolProps;
  if (params.bytesize == 0 || (params.accessDescCount && !params.accessDescs) ||
      props.allocType != cudaMemAllocationTypePinned ||
      props.location.type != cudaMemLocationTypeDevice)
    return cudaErrorInvalidValue;
  if (props.location.id < 0 || unsigned(props.location.id) >= Runtime::get().deviceCount())
    return cudaErrorInvalidDevice;
  // Graphs work on the device that they were made for.
  if (props.handleTypes != cudaMemHandleTypeNone || graph.isBody ||
      unsigned(props.location.id) != context.identity().number)
    return cudaErrorNotSupported;
  AllocationNode node;
  if ((node.memory = findFreed(graph.root(), before, params.bytesize))) {
    node.memory->freedIn = nullptr; // a later node may free it again
    ++node.memory->reuses;
  } else if (cudaError_t e = graphsOf(context).memory.create(params.bytesize, node.memory);
             e != cudaSuccess) {
    return e;
  }
  node.memory->allocatedIn = &graph.root();
  params.dptr = pointerTo(node.memory->address);
  node.params = params;
  node.access.assign(params.accessDescs, params.accessDescs + params.accessDescCount);
  node.params.accessDescs = node.access.empty() ? nullptr : node.access.data();
  work.type = cudaGraphNodeTypeMemAlloc;
  work.what = std::move(node);
  return cudaSuccess;
}

cudaError_t makeRelease(Context &context, Graph &graph, uint64_t address, NodeWork &work) {
  std::shared_ptr<GraphAllocation> memory = graphsOf(context).memory.find(address);
  if (!memory)
    return cudaErrorInvalidValue;
  if (graph.isBody)
    return cudaErrorNotSupported;
  // One graph frees an allocation, once: the one that allocates it or another.
  const void *root = &graph.root();
  if (memory->freedIn && (memory->freedIn == root || memory->freedIn == memory->allocatedIn ||
                          memory->allocatedIn == root))
    return cudaErrorInvalidValue;
  memory->freedIn = root;
  work.type = cudaGraphNodeTypeMemFree;
  unsigned reuses = memory->reuses;
  work.what = ReleaseNode{std::move(memory), reuses};
  return cudaSuccess;
}

} // namespace vx::rt
