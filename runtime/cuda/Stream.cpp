// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams. Their order of execution is the Scheduler's.

#include "runtime/cuda/Api.h"
#include "runtime/cuda/PerThread.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/graphs/MemoryPools.h"
#include "runtime/launch/LaunchServices.h"
#include <algorithm>
#include <map>

using namespace vx::rt;

/// The calling thread's own default stream in CONTEXT. It ends with the thread; what is in it then
/// still runs.
static std::shared_ptr<Stream> perThreadStream(Context &context) {
  using Streams = std::map<uint64_t, std::shared_ptr<Stream>>; // by the contexts' numbers
  std::shared_ptr<Stream> &stream = PerThread<Streams>::get()[context.id()];
  if (!stream)
    stream = context.scheduler().createStream(true, 0);
  return stream;
}

std::shared_ptr<Stream> vx::rt::lookUpStream(Context &context, cudaStream_t handle) {
  if (handle == cudaStreamPerThread || (handle == nullptr && callMode.perThreadStreams))
    return perThreadStream(context);
  if (handle == nullptr || handle == cudaStreamLegacy)
    return context.scheduler().legacyStream();
  std::shared_ptr<StreamRecord> record = context.handles().streams.find(handle);
  return record ? record->stream : nullptr;
}

StreamUse vx::rt::findStream(Context &current, cudaStream_t handle) {
  if (std::shared_ptr<Stream> stream = lookUpStream(current, handle))
    return {stream, &current, {}};
  std::shared_ptr<Stream> stream;
  ContextUse owner = Runtime::get().findOwner([&](Context &context) {
    std::shared_ptr<StreamRecord> record = context.handles().streams.find(handle);
    stream = record ? record->stream : nullptr;
    return stream != nullptr;
  });
  Context *context = owner ? &*owner : nullptr;
  return {stream, context, std::move(owner)};
}

cudaError_t vx::rt::runInStream(Context &context, const std::shared_ptr<Stream> &stream,
                                std::function<cudaError_t()> operation) {
  cudaError_t result = cudaSuccess;
  context.scheduler().runAndWait(stream, [&] {
    // A kernel before this operation may have been stopped.
    result = context.stickyError() != cudaSuccess ? context.stickyError() : operation();
  });
  context.services().showPrinted();
  return result;
}

void vx::rt::enqueueInStream(Context &context, const std::shared_ptr<Stream> &stream,
                             std::function<cudaError_t()> operation) {
  auto run = [&context, operation = std::move(operation)] {
    if (context.stickyError() != cudaSuccess)
      return;
    if (cudaError_t e = operation(); e != cudaSuccess)
      context.setStickyError(e);
  };
  context.scheduler().enqueue(stream, {run, nullptr, false});
}

cudaError_t vx::rt::beginWait(Context &context) {
  return refuseUnsafeCall(context);
}

void vx::rt::endWait(Context &context) {
  context.services().showPrinted();
  poolsOf(context).trimAfterWait();
}

extern "C" cudaError_t cudaStreamCreateWithPriority(cudaStream_t *handle, unsigned flags,
                                                    int priority) {
  return callWithContext([&](Context &context) {
    if (!handle || (flags & ~unsigned(cudaStreamNonBlocking)))
      return cudaErrorInvalidValue;
    auto record = std::make_shared<StreamRecord>();
    record->flags = flags;
    record->stream =
        context.scheduler().createStream(!(flags & cudaStreamNonBlocking), clampPriority(priority));
    *handle = context.handles().streams.add(record);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t *handle, unsigned flags) {
  return cudaStreamCreateWithPriority(handle, flags, 0);
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t *handle) {
  return cudaStreamCreateWithPriority(handle, cudaStreamDefault, 0);
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return callWithStream(handle, [&](Context &context, const std::shared_ptr<Stream> &stream) {
    if (context.handles().streams.find(handle)) {
      abandonCapture(context, stream);
      context.handles().streamAttributes.forget(stream->id);
    }
    // What is in the stream still runs: the scheduler keeps it until then.
    return context.handles().streams.remove(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return callWithStream(handle, [](Context &context, const std::shared_ptr<Stream> &stream) {
    if (cudaError_t e = refuseWhileCapturing(context, stream); e != cudaSuccess)
      return e;
    return synchronize(context, [&] {
      // The legacy default stream also stands for the blocking streams before it.
      if (stream == context.scheduler().legacyStream())
        context.scheduler().runAndWait(stream, [] {});
      else
        context.scheduler().wait(*stream);
    });
  });
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return callWithStream(handle, [](Context &context, const std::shared_ptr<Stream> &stream) {
    if (cudaError_t e = refuseWhileCapturing(context, stream); e != cudaSuccess)
      return e;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    return context.scheduler().isIdle(*stream) ? context.stickyError() : cudaErrorNotReady;
  });
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t eventHandle,
                                           unsigned flags) {
  return callWithStream(handle, [&](Context &context, const std::shared_ptr<Stream> &stream) {
    if (flags & ~unsigned(cudaEventWaitExternal))
      return cudaErrorInvalidValue;
    bool isExternal = flags & cudaEventWaitExternal;
    std::shared_ptr<EventRecord> event = findEvent(context, eventHandle).event;
    if (!event)
      return cudaErrorInvalidResourceHandle;
    if (std::optional<cudaError_t> captured =
            captureWait(context, eventHandle, event, stream, isExternal))
      return *captured;
    if (isExternal)
      return cudaErrorIllegalState; // says how to capture
    // One that was never recorded is nothing to wait for.
    if (std::shared_ptr<EventTicket> ticket = event->ticket())
      context.scheduler().enqueue(stream, {nullptr, ticket, false});
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                             void *userData, unsigned flags) {
  return callWithStream(handle, [&](Context &context, const std::shared_ptr<Stream> &stream) {
    if (!callback || flags != 0)
      return cudaErrorInvalidValue;
    if (cudaError_t e = refuseWhileCapturing(context, stream); e != cudaSuccess)
      return e;
    auto run = [&context, handle, callback, userData] {
      callback(handle, context.stickyError(), userData);
    };
    context.scheduler().enqueue(stream, {run, nullptr, true});
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
  return callWithStream(handle, [&](Context &, const std::shared_ptr<Stream> &stream) {
    if (!priority)
      return cudaErrorInvalidValue;
    *priority = stream->priority;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
  return callWithStream(handle, [&](Context &, const std::shared_ptr<Stream> &stream) {
    if (!flags)
      return cudaErrorInvalidValue;
    *flags = stream->isBlocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
  return callWithStream(handle, [&](Context &, const std::shared_ptr<Stream> &stream) {
    if (!id)
      return cudaErrorInvalidValue;
    *id = stream->id;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device) {
  return callWithStream(handle, [&](Context &context, const std::shared_ptr<Stream> &) {
    if (!device)
      return cudaErrorInvalidValue;
    *device = int(context.identity().number);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return callWithContext([&](Context &) {
    if (least)
      *least = kLeastPriority;
    if (greatest)
      *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}
