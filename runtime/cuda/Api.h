// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all functions of the CUDA API share: the calling thread's last error, access to the context,
// and the handles of streams and events.

#ifndef VX_RUNTIME_CUDA_API_H
#define VX_RUNTIME_CUDA_API_H

#define __CUDA_API_NO_OVERLOADS__ // the functions are defined here, not called
#include "cuda_runtime_api.h"
#include "runtime/context/Runtime.h"
#include "runtime/core/Addresses.h"
#include "runtime/core/Reasons.h"
#include "runtime/memory/HostMemory.h"
#include <cstdint>
#include <memory>

namespace vx::rt {

struct Kernel;

/// How callers within the runtime change the functions that they call here.
struct CallMode {
  bool fromDriver = false;       ///< cudaGetLastError does not hear of it
  bool perThreadStreams = false; ///< stream 0 is the calling thread's own
};
extern thread_local CallMode callMode;

/// Calls FUNCTION with the thread's own stream in the place of stream 0.
template <typename R, typename... Parameters>
R onThreadStream(R (*function)(Parameters...), Parameters... arguments) {
  bool before = callMode.perThreadStreams;
  callMode.perThreadStreams = true;
  R result = function(arguments...);
  callMode.perThreadStreams = before;
  return result;
}

/// Keeps ERROR for cudaGetLastError and returns it.
cudaError_t recordError(cudaError_t error);
/// Reports ERROR, which a call of the program is about to return, if that is checked (VX_CHECK).
void reportFailedCall(cudaError_t error);

/// Runs BODY(context) if there is a context, and records what it returns.
template <typename Body> cudaError_t callWithAny(const ContextUse &context, Body &&body) {
  if (!context)
    return recordError(cudaErrorInitializationError);
  if (!callMode.fromDriver)
    context->noteRuntimeUse();
  return recordError(body(*context));
}

/// Runs BODY(CONTEXT) unless that is broken by a stopped kernel.
template <typename Body> cudaError_t unlessBroken(Context &context, Body &&body) {
  cudaError_t sticky = context.stickyError();
  return sticky != cudaSuccess ? sticky : body(context);
}

/// callWithAny() the calling thread's current context: for calls that a stopped kernel does not
/// concern.
template <typename Body> cudaError_t callWithAnyContext(Body &&body) {
  if (Scheduler::inHostFunction())
    return recordError(cudaErrorNotPermitted);
  return callWithAny(Runtime::get().context(), body);
}

/// Does the same unless the context is broken. Every API function that needs the device goes
/// through here.
template <typename Body> cudaError_t callWithContext(Body &&body) {
  return callWithAnyContext([&](Context &context) { return unlessBroken(context, body); });
}

/// Says that there is no device NUMBER.
std::string describeNoDevice(int number);

/// callWithAny() a context of device NUMBER: the current one if it is that device's, else the
/// primary one.
template <typename Body> cudaError_t callWithAnyDevice(int number, Body &&body) {
  if (Scheduler::inHostFunction())
    return recordError(cudaErrorNotPermitted);
  unsigned count = Runtime::get().deviceCount();
  if (count == 0)
    return recordError(cudaErrorInitializationError);
  if (number < 0 || unsigned(number) >= count)
    return recordError(because(cudaErrorInvalidDevice, describeNoDevice(number)));
  ContextUse use;
  if (Runtime::get().currentDevice() == unsigned(number))
    use = Runtime::get().context();
  if (!use) // the current context is another device's, or has ended
    use = Runtime::get().primary(unsigned(number));
  return callWithAny(use, body);
}

/// Does the same unless the context is broken.
template <typename Body> cudaError_t callWithDevice(int number, Body &&body) {
  return callWithAnyDevice(number, [&](Context &context) { return unlessBroken(context, body); });
}

/// For synchronize(): whether the call may wait while streams capture, and what pools do after it.
cudaError_t beginWait(Context &context);
void endWait(Context &context);

/// The part of cudaFuncGetAttributes and cudaFuncSetAttribute that is about clusters (Cluster.cpp).
void describeCluster(const Kernel &kernel, cudaFuncAttributes &attributes);
cudaError_t setClusterAttribute(Kernel &kernel, cudaFuncAttribute attribute, int value);

/// Waits for what WAIT waits for; an error of the work itself is the result.
template <typename Wait> cudaError_t synchronize(Context &context, Wait &&wait) {
  if (cudaError_t e = beginWait(context); e != cudaSuccess)
    return e;
  wait();
  endWait(context);
  return context.stickyError();
}

/// Says that HANDLE names no stream.
std::string describeNoStream(cudaStream_t handle);
/// Returns the stream of CONTEXT that HANDLE names; null if it has none.
std::shared_ptr<Stream> lookUpStream(Context &context, cudaStream_t handle);

/// A stream with its context.
struct StreamUse {
  std::shared_ptr<Stream> stream; ///< null: the handle is none
  Context *context = nullptr;
  ContextUse owner; ///< of another context than the current one
};
/// Returns the stream of any context that HANDLE names; the implicit ones are CURRENT's.
StreamUse findStream(Context &current, cudaStream_t handle);

/// Returns what BODY(context, stream) does for the stream that HANDLE names;
/// cudaErrorInvalidResourceHandle if it names none.
template <typename Body> cudaError_t callWithStream(cudaStream_t handle, Body &&body) {
  return callWithContext([&](Context &current) {
    StreamUse use = findStream(current, handle);
    return use.stream ? body(*use.context, use.stream)
                      : because(cudaErrorInvalidResourceHandle, describeNoStream(handle));
  });
}

/// An event with its context.
struct EventUse {
  std::shared_ptr<EventRecord> event; ///< null: the handle is none
  Context *context = nullptr;
  ContextUse owner; ///< of another context than the current one
};
/// Returns the event of any context that HANDLE names.
EventUse findEvent(Context &current, cudaEvent_t handle);

/// Runs an operation of the device in STREAM and waits; its result.
cudaError_t runInStream(Context &context, const std::shared_ptr<Stream> &stream,
                        std::function<cudaError_t()> operation);
/// Enqueues an operation whose failure, if any, breaks the context.
void enqueueInStream(Context &context, const std::shared_ptr<Stream> &stream,
                     std::function<cudaError_t()> operation);

/// The event happens when all that STREAM holds now has run.
void recordEvent(Context &context, EventRecord &event, const std::shared_ptr<Stream> &stream);

/// Host memory of the current context.
cudaError_t allocateHost(void **pointer, size_t size, HostRegionKind kind, unsigned flags);
/// Ends all use of the host memory at POINTER; false when there is none of one of KINDS, bits
/// (1 << HostRegionKind).
bool endHostRegion(void *pointer, unsigned kinds);

} // namespace vx::rt

#endif // VX_RUNTIME_CUDA_API_H
