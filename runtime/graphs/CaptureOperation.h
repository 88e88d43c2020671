// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls that put work into streams, or wait, do about captures, and how the arguments of such
// calls become nodes.

#ifndef VX_RUNTIME_GRAPHS_CAPTUREOPERATION_H
#define VX_RUNTIME_GRAPHS_CAPTUREOPERATION_H

#include "runtime/graphs/GraphTables.h"
#include <functional>

namespace vx::rt {

using MakeWork = std::function<cudaError_t(Graph &, NodeWork &)>;

std::optional<cudaError_t>
captureOperationNow(Context &context, const std::shared_ptr<Stream> &stream, const MakeWork &make);

/// If STREAM is capturing: adds the node that MAKE describes; the result of the call. None: the
/// stream is to run the operation. An error if that would make the legacy default stream wait for a
/// capturing stream.
template <typename Make>
std::optional<cudaError_t> captureOperation(Context &context, const std::shared_ptr<Stream> &stream,
                                            Make &&make) {
  if (!graphsOf(context).captures.areThere())
    return std::nullopt;
  return captureOperationNow(context, stream, make);
}

/// The error of a call that is not possible with STREAM while it captures, and makes its capture
/// invalid.
cudaError_t refuseWhileCapturing(Context &context, const std::shared_ptr<Stream> &stream);
/// The error of a call that a capture does not see and may depend on, such as cudaMalloc.
cudaError_t refuseUnsafeCall(Context &context);
/// The error of a wait for all streams, some of which the calling thread captures in whatever mode.
cudaError_t refuseWaitForAll(Context &context);
/// The error of a query of an event that was last recorded in a capture.
cudaError_t refuseCapturedEvent(Context &context, const EventRecord &event);

/// Returns cudaErrorCapturedEvent for an event that was recorded in a capture that has not ended.
cudaError_t checkNotCaptured(Context &context, const EventRecord &event);
/// A launch into STREAM was wrong: its capture, if there is one, is invalid.
void invalidateCapture(Context &context, const std::shared_ptr<Stream> &stream);

/// Frees a live allocation of a graph; false if ADDRESS is none.
bool freeGraphMemory(Context &context, uint64_t address);
bool isGraphMemory(Context &context, uint64_t address);
/// STREAM, which may be null, is destroyed: it leaves its capture, and one that it began is gone.
void abandonCapture(Context &context, const std::shared_ptr<Stream> &stream);
/// cudaEventRecord and cudaStreamWaitEvent where a capture is concerned; none: nothing to do with
/// one.
std::optional<cudaError_t> captureRecord(Context &context, cudaEvent_t handle,
                                         const std::shared_ptr<EventRecord> &event,
                                         const std::shared_ptr<Stream> &stream, bool isExternal);
std::optional<cudaError_t> captureWait(Context &context, cudaEvent_t handle,
                                       const std::shared_ptr<EventRecord> &event,
                                       const std::shared_ptr<Stream> &stream, bool isExternal);

cudaError_t makeKernel(const void *function, LaunchRequest request, NodeWork &work);
cudaError_t makeKernel(Context &context, const cudaKernelNodeParams &params,
                       const std::map<int, cudaLaunchAttributeValue> &attributes, NodeWork &work);
cudaError_t makeCopy(Context &context, const cudaMemcpy3DParms &params, NodeWork &work);
cudaError_t makeCopy(Context &context, Copy copy, cudaMemcpyKind kind, Module *module,
                     NodeWork &work);
cudaError_t makeFill(Context &context, const cudaMemsetParams &params, NodeWork &work);
cudaError_t makeFill(Context &context, CopySide side, const CopyExtent &extent, uint32_t value,
                     unsigned elementBytes, NodeWork &work);
cudaError_t makeHost(const cudaHostNodeParams &params, NodeWork &work);
cudaError_t makeEvent(Context &context, cudaEvent_t handle, bool records, NodeWork &work);
/// Makes a node of PARENT with a copy of the graph that HANDLE names.
cudaError_t makeChild(GraphTables &tables, Graph &parent, cudaGraph_t handle, NodeWork &work);
/// A conditional node of GRAPH with empty bodies.
cudaError_t makeConditional(Graph &graph, const cudaConditionalNodeParams &params, NodeWork &work);
/// A node of GRAPH that allocates, after the nodes BEFORE; PARAMS says where, and gets the address.
cudaError_t makeAllocation(Context &context, Graph &graph, cudaMemAllocNodeParams &params,
                           NodeWork &work, const std::vector<GraphNode *> &before = {});
cudaError_t makeRelease(Context &context, Graph &graph, uint64_t address, NodeWork &work);

} // namespace vx::rt

#endif // VX_RUNTIME_GRAPHS_CAPTUREOPERATION_H
