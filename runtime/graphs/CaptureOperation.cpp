// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/CaptureOperation.h"

namespace vx::rt {

namespace {

/// The tables, which are locked if any stream captures; false: none does.
class CaptureLock {
public:
  explicit CaptureLock(Context &context) : tables(graphsOf(context)) {
    if (tables.captures.areThere())
      lock = std::unique_lock(tables.mutex);
  }
  explicit operator bool() const { return lock.owns_lock(); }

  GraphTables &tables;

private:
  std::unique_lock<std::recursive_mutex> lock;
};

} // namespace

/// The legacy default stream waits for blocking streams, which a capturing one cannot promise.
static cudaError_t refuseOnLegacyStream(Context &context, const std::shared_ptr<Stream> &stream) {
  if (stream != context.scheduler().legacyStream())
    return cudaSuccess;
  Capture *capture = graphsOf(context).captures.withBlockingStream();
  if (!capture)
    return cudaSuccess;
  capture->isInvalid = true;
  return cudaErrorStreamCaptureImplicit;
}

std::optional<cudaError_t>
captureOperationNow(Context &context, const std::shared_ptr<Stream> &stream, const MakeWork &make) {
  GraphTables &tables = graphsOf(context);
  std::lock_guard lock(tables.mutex);
  StreamCapture *state = tables.captures.of(*stream);
  if (!state) {
    cudaError_t e = refuseOnLegacyStream(context, stream);
    return e == cudaSuccess ? std::nullopt : std::optional(e);
  }
  Capture &capture = *state->capture;
  if (capture.isInvalid)
    return cudaErrorStreamCaptureInvalidated;
  auto work = std::make_shared<NodeWork>();
  if (cudaError_t e = make(*capture.graph, *work); e != cudaSuccess) {
    // A mistake in the arguments is an error of that call only.
    capture.isInvalid = e == cudaErrorNotSupported || e == cudaErrorStreamCaptureUnsupported;
    return e;
  }
  GraphNode *node = capture.graph->add(std::move(work), state->dependencies);
  tables.add(node);
  capture.captured.insert(node);
  state->dependencies = {node};
  return cudaSuccess;
}

cudaError_t refuseWhileCapturing(Context &context, const std::shared_ptr<Stream> &stream) {
  CaptureLock lock(context);
  if (!lock)
    return cudaSuccess;
  GraphTables &tables = lock.tables;
  StreamCapture *state = tables.captures.of(*stream);
  if (!state)
    return refuseOnLegacyStream(context, stream);
  if (state->capture->isInvalid)
    return cudaErrorStreamCaptureInvalidated;
  state->capture->isInvalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t refuseUnsafeCall(Context &context) {
  CaptureLock lock(context);
  if (!lock)
    return cudaSuccess;
  GraphTables &tables = lock.tables;
  return tables.captures.refuseUnsafeCall() ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t refuseWaitForAll(Context &context) {
  CaptureLock lock(context);
  bool refused = lock && lock.tables.captures.refuseWaitForAll();
  return refused ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

void invalidateCapture(Context &context, const std::shared_ptr<Stream> &stream) {
  CaptureLock lock(context);
  if (!lock)
    return;
  if (StreamCapture *state = lock.tables.captures.of(*stream))
    state->capture->isInvalid = true;
}

bool isGraphMemory(Context &context, uint64_t address) {
  return graphsOf(context).memory.find(address) != nullptr;
}

bool freeGraphMemory(Context &context, uint64_t address) {
  GraphMemory &memory = graphsOf(context).memory;
  std::shared_ptr<GraphAllocation> allocation = memory.find(address);
  if (!allocation || !allocation->isLive)
    return false;
  memory.setLive(allocation, false);
  return true;
}

void abandonCapture(Context &context, const std::shared_ptr<Stream> &stream) {
  GraphTables &tables = graphsOf(context);
  if (!stream || !tables.captures.areThere())
    return;
  std::lock_guard lock(tables.mutex);
  StreamCapture *state = tables.captures.of(*stream);
  if (!state)
    return;
  std::shared_ptr<Capture> capture = state->capture;
  if (capture->origin.lock() != stream) // its work must be joined by the end, as ever
    return tables.captures.leave(*stream);
  tables.captures.end(*capture);
  if (!capture->intoExisting)
    tables.forget(*capture->graph);
}

std::optional<cudaError_t> captureRecord(Context &context, cudaEvent_t handle,
                                         const std::shared_ptr<EventRecord> &event,
                                         const std::shared_ptr<Stream> &stream, bool isExternal) {
  CaptureLock lock(context);
  if (!lock)
    return std::nullopt;
  StreamCapture *state = lock.tables.captures.of(*stream);
  if (!state) {
    lock.tables.captures.events.erase(event.get()); // what it stands for now is outside
    cudaError_t e = refuseOnLegacyStream(context, stream);
    return e == cudaSuccess ? std::nullopt : std::optional(e);
  }
  if (state->capture->isInvalid)
    return cudaErrorStreamCaptureInvalidated;
  if (isExternal)
    return captureOperationNow(context, stream, [&](Graph &graph, NodeWork &work) {
      return graph.isBody ? cudaErrorNotSupported : makeEvent(context, handle, true, work);
    });
  event->isOfCapture = true;
  lock.tables.captures.events[event.get()] = {event, state->capture, state->dependencies};
  return cudaSuccess;
}

std::optional<cudaError_t> captureWait(Context &context, cudaEvent_t handle,
                                       const std::shared_ptr<EventRecord> &event,
                                       const std::shared_ptr<Stream> &stream, bool isExternal) {
  CaptureLock lock(context);
  if (!lock)
    return event->isOfCapture ? std::optional(cudaErrorInvalidValue) : std::nullopt;
  Captures &captures = lock.tables.captures;
  StreamCapture *state = captures.of(*stream);
  if (state && state->capture->isInvalid)
    return cudaErrorStreamCaptureInvalidated;
  if (state && isExternal)
    return captureOperationNow(context, stream, [&](Graph &graph, NodeWork &work) {
      return graph.isBody ? cudaErrorNotSupported : makeEvent(context, handle, false, work);
    });
  auto it = captures.events.find(event.get());
  std::shared_ptr<Capture> source =
      it == captures.events.end() ? nullptr : it->second.capture.lock();
  if (!source) {
    if (!state && event->isOfCapture)
      return cudaErrorInvalidValue;
    if (!state) {
      cudaError_t e = refuseOnLegacyStream(context, stream);
      return e == cudaSuccess ? std::nullopt : std::optional(e);
    }
    // The graph would depend on work that is not part of it.
    state->capture->isInvalid = true;
    return cudaErrorStreamCaptureIsolation;
  }
  if (source->isInvalid)
    return cudaErrorStreamCaptureInvalidated;
  if (stream == context.scheduler().legacyStream()) {
    source->isInvalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  if (!state)
    state = &captures.join(stream, source);
  if (state->capture != source) {
    state->capture->isInvalid = source->isInvalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  state->add(it->second.nodes);
  return cudaSuccess;
}

cudaError_t checkNotCaptured(Context &context, const EventRecord &event) {
  CaptureLock lock(context);
  bool isCaptured = lock && lock.tables.captures.events.contains(&event);
  return isCaptured ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t refuseCapturedEvent(Context &context, const EventRecord &event) {
  CaptureLock lock(context);
  auto outside = [&] { return event.isOfCapture ? cudaErrorInvalidValue : cudaSuccess; };
  if (!lock)
    return outside();
  GraphTables &tables = lock.tables;
  auto it = tables.captures.events.find(&event);
  if (it == tables.captures.events.end())
    return outside();
  if (std::shared_ptr<Capture> capture = it->second.capture.lock())
    capture->isInvalid = true;
  return cudaErrorCapturedEvent;
}

} // namespace vx::rt
