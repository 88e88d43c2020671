// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: its begin and end, what it tells, and how events carry it to other streams.

#include "runtime/cuda/GraphApi.h"
#include <algorithm>

using namespace vx::rt;

template <typename Body> static cudaError_t callWithTables(cudaStream_t handle, Body &&body) {
  return callWithStream(handle, [&](Context &current, const std::shared_ptr<Stream> &stream) {
    return withTables(current, [&](Context &context, GraphTables &tables) {
      return body(context, tables, stream);
    });
  });
}

static cudaError_t beginCapture(Context &context, GraphTables &tables,
                                const std::shared_ptr<Stream> &stream, cudaStreamCaptureMode mode,
                                std::shared_ptr<Graph> graph,
                                const std::vector<GraphNode *> &dependencies) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (stream == context.scheduler().legacyStream())
    return cudaErrorStreamCaptureUnsupported;
  if (tables.captures.of(*stream))
    return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->id = Captures::nextId();
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream;
  capture->intoExisting = graph != nullptr;
  if (!graph) {
    graph = std::make_shared<Graph>();
    tables.add(graph);
  }
  capture->graph = std::move(graph);
  tables.captures.join(stream, std::move(capture)).dependencies = dependencies;
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return callWithTables(
      handle, [&](Context &context, GraphTables &tables, const std::shared_ptr<Stream> &stream) {
        return beginCapture(context, tables, stream, mode, nullptr, {});
      });
}

extern "C" cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graphHandle,
                                                     const cudaGraphNode_t *dependencies,
                                                     const cudaGraphEdgeData *data, size_t count,
                                                     cudaStreamCaptureMode mode) {
  return callWithTables(
      handle, [&](Context &context, GraphTables &tables, const std::shared_ptr<Stream> &stream) {
        std::shared_ptr<Graph> graph = tables.find(graphHandle);
        std::vector<GraphNode *> before;
        if (!graph || !tables.findNodes(*graph, dependencies, count, before))
          return cudaErrorInvalidValue;
        for (size_t i = 0; data && i < count; ++i)
          if (data[i].from_port || data[i].to_port || data[i].type)
            return cudaErrorNotSupported;
        return beginCapture(context, tables, stream, mode, graph, before);
      });
}

/// Returns true if some captured node comes neither before another one nor before the origin's next
/// one.
static bool hasUnjoinedWork(const Capture &capture, const StreamCapture &origin) {
  return std::any_of(capture.captured.begin(), capture.captured.end(), [&](GraphNode *node) {
    return node->dependents.empty() && !capture.released.contains(node) &&
           std::find(origin.dependencies.begin(), origin.dependencies.end(), node) ==
               origin.dependencies.end();
  });
}

extern "C" cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *result) {
  if (result)
    *result = nullptr;
  return callWithTables(
      handle, [&](Context &, GraphTables &tables, const std::shared_ptr<Stream> &stream) {
        StreamCapture *state = tables.captures.of(*stream);
        if (!state)
          return cudaErrorIllegalState;
        std::shared_ptr<Capture> capture = state->capture;
        if (capture->mode != cudaStreamCaptureModeRelaxed &&
            capture->thread != std::this_thread::get_id())
          return cudaErrorStreamCaptureWrongThread;
        if (capture->origin.lock() != stream) {
          capture->isInvalid = true;
          return cudaErrorStreamCaptureUnmatched;
        }
        cudaError_t e = capture->isInvalid                  ? cudaErrorStreamCaptureInvalidated
                        : hasUnjoinedWork(*capture, *state) ? cudaErrorStreamCaptureUnjoined
                                                            : cudaSuccess;
        tables.captures.end(*capture);
        if (e == cudaSuccess && result)
          *result = capture->graph->handle;
        if ((e != cudaSuccess || !result) && !capture->intoExisting)
          tables.forget(*capture->graph);
        return e;
      });
}

static cudaStreamCaptureStatus statusOf(const StreamCapture *state) {
  return !state                      ? cudaStreamCaptureStatusNone
         : state->capture->isInvalid ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
}

/// The state of a stream; the legacy default stream has none to tell while it would have to wait.
template <typename Body> static cudaError_t callWithState(cudaStream_t handle, Body &&body) {
  return callWithTables(
      handle, [&](Context &context, GraphTables &tables, const std::shared_ptr<Stream> &stream) {
        if (stream == context.scheduler().legacyStream() && tables.captures.withBlockingStream())
          return cudaErrorStreamCaptureImplicit;
        return body(tables, tables.captures.of(*stream));
      });
}

extern "C" cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return callWithState(stream, [&](GraphTables &, StreamCapture *state) {
    if (!status)
      return cudaErrorInvalidValue;
    *status = statusOf(state);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream,
                                                   cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **dependencies,
                                                   const cudaGraphEdgeData **data, size_t *count) {
  return callWithState(stream, [&](GraphTables &, StreamCapture *state) {
    if (!status || (data && !dependencies))
      return cudaErrorInvalidValue;
    *status = statusOf(state);
    if (*status != cudaStreamCaptureStatusActive)
      return cudaSuccess;
    if (id)
      *id = state->capture->id;
    if (graph)
      *graph = state->capture->graph->handle;
    state->handles.clear();
    for (const GraphNode *node : state->dependencies)
      state->handles.push_back(node->handle);
    state->edges.assign(state->handles.size(), {});
    if (dependencies)
      *dependencies = state->handles.data();
    if (data)
      *data = state->edges.data();
    if (count)
      *count = state->handles.size();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                   cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **dependencies,
                                                   size_t *count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}

extern "C" cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                              cudaGraphNode_t *dependencies,
                                                              const cudaGraphEdgeData *data,
                                                              size_t count, unsigned flags) {
  return callWithState(stream, [&](GraphTables &tables, StreamCapture *state) {
    if (!state)
      return cudaErrorIllegalState;
    if (state->capture->isInvalid)
      return cudaErrorStreamCaptureInvalidated;
    std::vector<GraphNode *> next;
    if (flags > cudaStreamSetCaptureDependencies ||
        !tables.findNodes(*state->capture->graph, dependencies, count, next))
      return cudaErrorInvalidValue;
    for (size_t i = 0; data && i < count; ++i)
      if (data[i].from_port || data[i].to_port || data[i].type)
        return cudaErrorNotSupported;
    if (flags == cudaStreamSetCaptureDependencies) {
      state->capture->released.insert(state->dependencies.begin(), state->dependencies.end());
      state->dependencies.clear();
    }
    state->add(next);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                           cudaGraphNode_t *dependencies,
                                                           size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}

extern "C" cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
    return recordError(cudaErrorInvalidValue);
  std::swap(*mode, threadCaptureMode);
  return cudaSuccess;
}
