// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events. The time of an event is the device's: simulated cycles at the device's clock, in which
// kernels take time and copies take none. VX_EVENT_CLOCK=host takes the host's clock instead.

#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"
#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace vx::rt;

EventUse vx::rt::findEvent(Context &current, cudaEvent_t handle) {
  std::shared_ptr<EventRecord> event = current.handles().events.find(handle);
  if (event)
    return {event, &current, {}};
  ContextUse owner = Runtime::get().findOwner([&](Context &context) {
    event = context.handles().events.find(handle);
    return event != nullptr;
  });
  Context *context = owner ? &*owner : nullptr;
  return {event, context, std::move(owner)};
}

template <typename Body> static cudaError_t callWithEvent(cudaEvent_t handle, Body &&body) {
  return callWithContext([&](Context &current) {
    EventUse use = findEvent(current, handle);
    return use.event ? body(*use.context, *use.event) : cudaErrorInvalidResourceHandle;
  });
}

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags) {
  return callWithContext([&](Context &context) {
    constexpr unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!handle || (flags & ~known))
      return cudaErrorInvalidValue;
    std::shared_ptr<SharedEvent> shared;
    if (flags & cudaEventInterprocess) {
      if (!(flags & cudaEventDisableTiming))
        return cudaErrorInvalidValue;
      vx::Result<std::shared_ptr<SharedEvent>> made = SharedEvent::create();
      if (!made)
        return cudaErrorMemoryAllocation;
      shared = *made;
    }
    *handle = context.handles().events.add(std::make_shared<EventRecord>(flags, shared));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t *handle) {
  return cudaEventCreateWithFlags(handle, cudaEventDefault);
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return callWithEvent(handle, [&](Context &context, EventRecord &) {
    return context.handles().events.remove(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

void vx::rt::recordEvent(Context &context, EventRecord &event,
                         const std::shared_ptr<Stream> &stream) {
  auto ticket = std::make_shared<EventTicket>();
  event.record(ticket);
  uint64_t number = event.shared() ? event.shared()->beginRecording() : 0;
  auto run = [&context, ticket, shared = event.shared(), number] {
    ticket->hostNanoseconds =
        uint64_t(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
    ticket->deviceCycles = context.deviceCycles();
    if (shared)
      shared->endRecording(number);
  };
  context.scheduler().enqueue(stream, {run, nullptr, false, ticket});
}

extern "C" cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t streamHandle,
                                                unsigned flags) {
  return callWithContext([&](Context &current) {
    EventUse use = findEvent(current, handle);
    StreamUse streamUse = findStream(current, streamHandle);
    if (!use.event || !streamUse.stream || use.context != streamUse.context)
      return cudaErrorInvalidResourceHandle;
    Context &context = *use.context;
    if (flags & ~unsigned(cudaEventRecordExternal))
      return cudaErrorInvalidValue;
    bool isExternal = flags & cudaEventRecordExternal;
    if (std::optional<cudaError_t> captured =
            captureRecord(context, handle, use.event, streamUse.stream, isExternal))
      return *captured;
    if (isExternal)
      return cudaErrorIllegalState; // says how to capture
    recordEvent(context, *use.event, streamUse.stream);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  return cudaEventRecordWithFlags(handle, stream, cudaEventRecordDefault);
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return callWithEvent(handle, [](Context &context, EventRecord &event) {
    if (cudaError_t e = refuseCapturedEvent(context, event); e != cudaSuccess)
      return e;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    std::shared_ptr<EventTicket> ticket = event.ticket();
    if (ticket && !context.scheduler().isDone(*ticket))
      return cudaErrorNotReady;
    return context.stickyError();
  });
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return callWithEvent(handle, [](Context &context, EventRecord &event) {
    if (cudaError_t e = refuseCapturedEvent(context, event); e != cudaSuccess)
      return e;
    return synchronize(context, [&] {
      if (std::shared_ptr<EventTicket> ticket = event.ticket())
        context.scheduler().wait(*ticket);
    });
  });
}

static bool usesHostClock() {
  const char *clock = std::getenv("VX_EVENT_CLOCK");
  return clock && std::strcmp(clock, "host") == 0;
}

extern "C" cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t startHandle,
                                            cudaEvent_t endHandle) {
  return callWithContext([&](Context &current) {
    if (!milliseconds)
      return cudaErrorInvalidValue;
    EventUse first = findEvent(current, startHandle), second = findEvent(current, endHandle);
    if (!first.event || !second.event || first.context != second.context ||
        ((first.event->flags | second.event->flags) & cudaEventDisableTiming))
      return cudaErrorInvalidResourceHandle;
    Context &context = *first.context;
    for (const EventUse *use : {&first, &second})
      if (cudaError_t e = checkNotCaptured(context, *use->event); e != cudaSuccess)
        return e;
    std::shared_ptr<EventTicket> start = first.event->ticket(), end = second.event->ticket();
    if (!start || !end)
      return cudaErrorInvalidResourceHandle;
    if (!context.scheduler().isDone(*start) || !context.scheduler().isDone(*end))
      return cudaErrorNotReady;
    double span = 0;
    if (usesHostClock()) {
      span = double(int64_t(end->hostNanoseconds - start->hostNanoseconds)) / 1e6;
    } else {
      context.noteEventClock();
      span = double(int64_t(end->deviceCycles - start->deviceCycles)) / double(context.clockKHz());
    }
    *milliseconds = float(span);
    return cudaSuccess;
  });
}
