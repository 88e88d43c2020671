// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Engine.h"
#include "runtime/opencl/Queue.h"
#include <algorithm>

using namespace vx::cl;

_cl_event::_cl_event(cl_context context, cl_command_queue queue, cl_command_type type)
    : Object(kKind), context(context), queue(queue), type(type),
      status(queue ? CL_QUEUED : CL_SUBMITTED) {
  if (queue)
    retain(queue);
}

_cl_event::~_cl_event() {
  if (queue)
    release(queue);
}

namespace vx::cl {

void setStatus(std::unique_lock<std::mutex> &lock, _cl_event &event, cl_int status) {
  if (event.status <= CL_COMPLETE)
    return;
  if (event.queue && status >= 0)
    event.times[CL_QUEUED - status] = simulatedNanoseconds(event.queue->device);
  event.status = status;
  if (status <= CL_COMPLETE) {
    event.ended.notify_all();
    wakeWaitingQueues();
  }
  std::vector<_cl_event::Callback> ready;
  auto isReady = [&](const _cl_event::Callback &c) { return status <= c.when; };
  std::copy_if(event.callbacks.begin(), event.callbacks.end(), std::back_inserter(ready), isReady);
  std::erase_if(event.callbacks, isReady);
  if (ready.empty())
    return;
  lock.unlock();
  for (const _cl_event::Callback &callback : ready)
    callback.call(status < 0 ? status : callback.when);
  lock.lock();
}

cl_int waitFor(cl_event event) {
  std::unique_lock lock(engineMutex());
  event->ended.wait(lock, [&] { return event->status <= CL_COMPLETE; });
  return event->status;
}

} // namespace vx::cl

VX_CL clWaitForEvents(cl_uint count, const cl_event *events) {
  if (!count || !events)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (!isValid(events[i]))
      return CL_INVALID_EVENT;
    if (events[i]->context.get() != events[0]->context.get())
      return CL_INVALID_CONTEXT;
  }
  bool failed = false;
  for (cl_uint i = 0; i < count; ++i)
    failed |= waitFor(events[i]) < 0;
  return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

VX_CL clGetEventInfo(cl_event event, cl_event_info name, size_t size, void *value, size_t *needed) {
  if (!isValid(event))
    return CL_INVALID_EVENT;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_EVENT_COMMAND_QUEUE:
    return out.number(event->queue);
  case CL_EVENT_CONTEXT:
    return out.number(event->context.get());
  case CL_EVENT_COMMAND_TYPE:
    return out.number(event->type);
  case CL_EVENT_COMMAND_EXECUTION_STATUS: {
    std::lock_guard lock(engineMutex());
    return out.number(event->status);
  }
  case CL_EVENT_REFERENCE_COUNT:
    return out.number(event->references.load());
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void *value,
                              size_t *needed) {
  if (!isValid(event))
    return CL_INVALID_EVENT;
  std::lock_guard lock(engineMutex());
  if (!event->queue || event->status != CL_COMPLETE ||
      !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE))
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_PROFILING_COMMAND_QUEUED:
    return out.number(event->times[0]);
  case CL_PROFILING_COMMAND_SUBMIT:
    return out.number(event->times[1]);
  case CL_PROFILING_COMMAND_START:
    return out.number(event->times[2]);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE:
    return out.number(event->times[3]);
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clRetainEvent(cl_event event) {
  return retainHandle(event, CL_INVALID_EVENT);
}
VX_CL clReleaseEvent(cl_event event) {
  return releaseHandle(event, CL_INVALID_EVENT);
}

extern "C" cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *code) {
  if (!isValid(context))
    return result<_cl_event>(code, CL_INVALID_CONTEXT);
  return result(code, CL_SUCCESS, new _cl_event(context, nullptr, CL_COMMAND_USER));
}

VX_CL clSetUserEventStatus(cl_event event, cl_int status) {
  if (!isValid(event) || event->queue)
    return CL_INVALID_EVENT;
  if (status > CL_COMPLETE)
    return CL_INVALID_VALUE;
  std::unique_lock lock(engineMutex());
  if (event->status <= CL_COMPLETE)
    return CL_INVALID_OPERATION;
  Ref<_cl_event> keep(event);
  setStatus(lock, *event, status);
  lock.unlock(); // before the event may go
  return CL_SUCCESS;
}

VX_CL clSetEventCallback(cl_event event, cl_int when,
                         void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *userData) {
  if (!isValid(event))
    return CL_INVALID_EVENT;
  if (!notify || (when != CL_SUBMITTED && when != CL_RUNNING && when != CL_COMPLETE))
    return CL_INVALID_VALUE;
  auto call = [=](cl_int status) { notify(event, status, userData); };
  std::unique_lock lock(engineMutex());
  if (event->status > when) {
    event->callbacks.push_back({when, call});
    return CL_SUCCESS;
  }
  cl_int status = event->status < 0 ? event->status : when;
  lock.unlock();
  call(status);
  return CL_SUCCESS;
}
