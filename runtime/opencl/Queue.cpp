// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Queue.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Engine.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <unistd.h>

using namespace vx::cl;

namespace vx::cl {

// Threads may wait in them when the process ends, so they are never destroyed.
std::mutex &engineMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

/// The states of queues that have a thread.
static std::vector<std::weak_ptr<QueueState>> &activeQueues() {
  static auto *all = new std::vector<std::weak_ptr<QueueState>>;
  return *all;
}

void wakeWaitingQueues() {
  for (const std::weak_ptr<QueueState> &queue : activeQueues())
    if (std::shared_ptr<QueueState> state = queue.lock(); state && state->withWaits)
      state->changed.notify_all();
}

static std::map<cl_device_id, cl_ulong> &clocks() {
  static auto *all = new std::map<cl_device_id, cl_ulong>;
  return *all;
}
static std::mutex &clockMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

cl_ulong simulatedNanoseconds(cl_device_id device) {
  std::lock_guard lock(clockMutex());
  return clocks()[device];
}

void advanceSimulatedTime(cl_device_id device, cl_ulong nanoseconds) {
  std::lock_guard lock(clockMutex());
  clocks()[device] += nanoseconds;
}

cl_ulong hostNanoseconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return cl_ulong(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

namespace {

bool hasEnded(const Ref<_cl_event> &event) {
  return event->status <= CL_COMPLETE;
}

/// The command of STATE to execute now; end() if none is ready.
std::deque<Command>::iterator findReady(QueueState &state) {
  auto &commands = state.commands;
  for (auto c = commands.begin(); c != commands.end(); ++c) {
    bool first = c == commands.begin() && !state.running;
    bool ready = std::all_of(c->waits.begin(), c->waits.end(), hasEnded);
    if (ready && (first || (state.outOfOrder && !c->isBarrier)))
      return c;
    if (!state.outOfOrder || c->isBarrier)
      break;
  }
  return commands.end();
}

/// Tells the program, if it wants to know, that the driver has said ERROR of COMMAND.
void reportFailure(const Command &command, CUresult error) {
  const char *text = nullptr;
  if (cuGetErrorString(error, &text))
    text = "an error that the driver has no name for";
  command.event->context->report(command.name + " has failed: " + text);
}

cl_int execute(Command &command, QueueState &state, CUstream &stream) {
  for (const Ref<_cl_event> &event : command.waits)
    if (event->status < 0)
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (!command.work)
    return CL_SUCCESS;
  if (cl_int error = state.device->enter())
    return error;
  if (!stream)
    if (CUresult error = cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))
      return errorOf(error);
  cl_int error = command.work(stream);
  CUresult finished = cuStreamSynchronize(stream);
  if (finished)
    reportFailure(command, finished);
  else if (error)
    command.event->context->report(command.name + " has failed: error " + std::to_string(error));
  return error ? error : errorOf(finished);
}

thread_local bool isQueueThread = false;

/// Waits, when the program ends without, for commands that can be executed: also a program that
/// forgets clFinish gets its output, faults and statistics. Those that wait for events which are
/// not set any more are not waited for.
void finishAtExit() {
  if (isQueueThread)
    return; // it would wait for itself
  std::unique_lock lock(engineMutex());
  auto isBusy = [](QueueState &state) {
    return state.running || findReady(state) != state.commands.end();
  };
  for (;;) {
    std::shared_ptr<QueueState> busy;
    for (const std::weak_ptr<QueueState> &queue : activeQueues())
      if (std::shared_ptr<QueueState> state = queue.lock(); state && isBusy(*state))
        busy = state;
    if (!busy)
      return;
    busy->changed.wait(lock, [&] { return !isBusy(*busy); });
  }
}

/// The thread of a queue.
void run(const std::shared_ptr<QueueState> &state) {
  isQueueThread = true;
  CUstream stream = nullptr;
  std::unique_lock lock(engineMutex());
  for (;;) {
    auto next = findReady(*state);
    if (next == state->commands.end()) {
      if (state->closing && state->commands.empty())
        break;
      state->changed.wait(lock);
      continue;
    }
    Command command = std::move(*next);
    state->commands.erase(next);
    state->withWaits -= !command.waits.empty();
    ++state->running;
    setStatus(lock, *command.event, CL_SUBMITTED);
    setStatus(lock, *command.event, CL_RUNNING);
    lock.unlock();
    cl_int status = execute(command, *state, stream);
    // What the command refers to may be released with it, and take the lock; who waits for the
    // command finds nothing kept by it.
    command.work = nullptr;
    command.waits.clear();
    lock.lock();
    --state->running;
    setStatus(lock, *command.event, status ? status : CL_COMPLETE);
    lock.unlock();
    command.event = {};
    lock.lock();
    state->changed.notify_all();
  }
  lock.unlock();
  if (stream && !state->device->enter())
    cuStreamDestroy(stream);
}

/// Gives QUEUE its thread; engineMutex() is held.
void startThread(_cl_command_queue &queue) {
  queue.state = std::make_shared<QueueState>();
  queue.state->device = queue.device;
  queue.state->outOfOrder = queue.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  std::erase_if(activeQueues(), [](const auto &other) { return other.expired(); });
  activeQueues().push_back(queue.state);
  static const bool isRegistered = [] {
    // Child processes have the handler, too, but not the threads.
    static const pid_t process = getpid();
    return std::atexit([] {
             if (getpid() == process)
               finishAtExit();
           }) == 0;
  }();
  (void)isRegistered;
  std::thread([state = queue.state] { run(state); }).detach();
}

} // namespace

cl_int checkEnqueue(const Enqueue &call) {
  if (!isValid(call.queue))
    return CL_INVALID_COMMAND_QUEUE;
  if ((call.numWaits == 0) != (call.waits == nullptr))
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < call.numWaits; ++i) {
    if (!isValid(call.waits[i]))
      return CL_INVALID_EVENT_WAIT_LIST;
    if (call.waits[i]->context.get() != call.queue->context.get())
      return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

cl_int enqueue(const Enqueue &call, Work work) {
  cl_command_queue queue = call.queue;
  auto event = Ref<_cl_event>::adopt(new _cl_event(queue->context.get(), queue, call.type));
  event->times[0] = simulatedNanoseconds(queue->device);
  Command command;
  command.event = event;
  command.waits.assign(call.waits, call.waits + call.numWaits);
  command.work = std::move(work);
  command.isBarrier = call.isBarrier;
  command.name = call.name;
  {
    std::lock_guard lock(engineMutex());
    if (!queue->state)
      startThread(*queue);
    queue->state->withWaits += !command.waits.empty();
    queue->state->commands.push_back(std::move(command));
    queue->state->changed.notify_all();
  }
  if (call.event) {
    retain(event.get());
    *call.event = event.get();
  }
  if (!call.blocking)
    return CL_SUCCESS;
  cl_int status = waitFor(event.get());
  return status < 0 ? status : CL_SUCCESS;
}

} // namespace vx::cl

_cl_command_queue::_cl_command_queue(cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties)
    : Object(kKind), context(context), device(device), properties(properties) {}

_cl_command_queue::~_cl_command_queue() {
  std::lock_guard lock(engineMutex());
  if (!state)
    return;
  state->closing = true;
  state->changed.notify_all();
}

constexpr cl_command_queue_properties kQueueProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

extern "C" cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *code) {
  if (!isValid(context))
    return result<_cl_command_queue>(code, CL_INVALID_CONTEXT);
  if (!isValid(device) || !context->has(device))
    return result<_cl_command_queue>(code, CL_INVALID_DEVICE);
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> given;
  for (const cl_queue_properties *p = properties; p && *p; p += 2) {
    given.insert(given.end(), {p[0], p[1]});
    if (p[0] == CL_QUEUE_SIZE)
      return result<_cl_command_queue>(code, CL_INVALID_QUEUE_PROPERTIES);
    if (p[0] != CL_QUEUE_PROPERTIES)
      return result<_cl_command_queue>(code, CL_INVALID_VALUE);
    flags = p[1];
  }
  if (properties)
    given.push_back(0);
  if (flags & ~(kQueueProperties | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT))
    return result<_cl_command_queue>(code, CL_INVALID_VALUE);
  if (flags & ~kQueueProperties)
    return result<_cl_command_queue>(code, CL_INVALID_QUEUE_PROPERTIES);
  auto *queue = new _cl_command_queue(context, device, flags);
  queue->given = std::move(given);
  return result(code, CL_SUCCESS, queue);
}

extern "C" cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context,
                                                             cl_device_id device,
                                                             cl_command_queue_properties properties,
                                                             cl_int *code) {
  cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, code);
  if (queue)
    queue->given.clear();
  return queue;
}

VX_CL clRetainCommandQueue(cl_command_queue queue) {
  return retainHandle(queue, CL_INVALID_COMMAND_QUEUE);
}
VX_CL clReleaseCommandQueue(cl_command_queue queue) {
  return releaseHandle(queue, CL_INVALID_COMMAND_QUEUE);
}
VX_CL clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                cl_command_queue_properties *) {
  return isValid(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE; // gone since 1.1
}

VX_CL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size,
                            void *value, size_t *needed) {
  if (!isValid(queue))
    return CL_INVALID_COMMAND_QUEUE;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_QUEUE_CONTEXT:
    return out.number(queue->context.get());
  case CL_QUEUE_DEVICE:
    return out.number(queue->device);
  case CL_QUEUE_REFERENCE_COUNT:
    return out.number(queue->references.load());
  case CL_QUEUE_PROPERTIES:
    return out.number(queue->properties);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return out.list(queue->given);
  case CL_QUEUE_DEVICE_DEFAULT:
    return out.number(cl_command_queue(nullptr));
  case CL_QUEUE_SIZE:
    return CL_INVALID_COMMAND_QUEUE; // there are no queues on the device
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clFlush(cl_command_queue queue) {
  return isValid(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

VX_CL clFinish(cl_command_queue queue) {
  if (!isValid(queue))
    return CL_INVALID_COMMAND_QUEUE;
  std::unique_lock lock(engineMutex());
  if (std::shared_ptr<QueueState> state = queue->state)
    state->changed.wait(lock, [&] { return state->commands.empty() && !state->running; });
  return CL_SUCCESS;
}

VX_CL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint numWaits, const cl_event *waits,
                                  cl_event *event) {
  // Without a list it waits for all that came before, as a barrier does.
  Enqueue call{queue, CL_COMMAND_MARKER, numWaits, waits, event, false, numWaits == 0};
  if (cl_int error = checkEnqueue(call))
    return error;
  return enqueue(call, nullptr);
}
VX_CL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint numWaits, const cl_event *waits,
                                   cl_event *event) {
  Enqueue call{queue, CL_COMMAND_BARRIER, numWaits, waits, event, false, true};
  if (cl_int error = checkEnqueue(call))
    return error;
  return enqueue(call, nullptr);
}
VX_CL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
  return event ? clEnqueueMarkerWithWaitList(queue, 0, nullptr, event) : CL_INVALID_VALUE;
}
VX_CL clEnqueueBarrier(cl_command_queue queue) {
  return clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr);
}
VX_CL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events) {
  if (!count || !events)
    return CL_INVALID_VALUE;
  cl_int error = clEnqueueBarrierWithWaitList(queue, count, events, nullptr);
  return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}
