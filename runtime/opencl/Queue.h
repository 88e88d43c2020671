// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command queues and events. A queue has a thread that executes its commands, one at a time: in
// order, or whichever is ready first if the queue is out of order. A command is ready when the
// events it waits for have ended. Everything about commands and events is guarded by one mutex of
// the process; events and queues have a condition each, so that a change wakes only those it is
// for.

#ifndef VX_RUNTIME_OPENCL_QUEUE_H
#define VX_RUNTIME_OPENCL_QUEUE_H

#include "runtime/opencl/Context.h"
#include <condition_variable>
#include <deque>
#include <memory>
#include <thread>

struct _cl_event : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Event;
  _cl_event(cl_context context, cl_command_queue queue, cl_command_type type);
  ~_cl_event();

  struct Callback {
    cl_int when;
    std::function<void(cl_int status)> call;
  };

  vx::cl::Ref<_cl_context> context;
  cl_command_queue queue; ///< null: a user event. Kept alive by the event.
  cl_command_type type;
  cl_int status;
  cl_ulong times[5] = {}; ///< queued, submitted, start, end, complete; simulated nanoseconds
  std::vector<Callback> callbacks;
  std::condition_variable ended;
};

namespace vx::cl {

using Work = std::function<cl_int(CUstream)>;

struct Command {
  Ref<_cl_event> event;
  std::vector<Ref<_cl_event>> waits;
  Work work; ///< runs in the queue's thread with the device's context current
  std::string name;
  bool isBarrier = false;
};

/// The state that the thread of a queue works on; it outlives the handle until its commands are
/// done.
struct QueueState {
  cl_device_id device;
  bool outOfOrder = false;
  bool closing = false;
  std::deque<Command> commands; ///< waiting, in order
  unsigned running = 0;
  unsigned withWaits = 0;          ///< commands that are waiting and have a list of events
  std::condition_variable changed; ///< there is a command more, or less, or one may be ready
};

/// The description of a call that enqueues something.
struct Enqueue {
  cl_command_queue queue;
  cl_command_type type;
  cl_uint numWaits;
  const cl_event *waits;
  cl_event *event; ///< where the new event goes; may be null
  bool blocking = false;
  bool isBarrier = false;
  std::string name = "a command"; ///< for what the context's callback is told
};

/// The error of an enqueueing call whose queue or wait list is wrong.
cl_int checkEnqueue(const Enqueue &call);

/// Adds a command that checkEnqueue() has passed; waits for it if the call is blocking.
cl_int enqueue(const Enqueue &call, Work work);

/// Waits until EVENT has ended; its final status.
cl_int waitFor(cl_event event);

/// Advances the device's simulated time by what a kernel has taken.
void advanceSimulatedTime(cl_device_id device, cl_ulong nanoseconds);

} // namespace vx::cl

struct _cl_command_queue : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Queue;
  _cl_command_queue(cl_context context, cl_device_id device,
                    cl_command_queue_properties properties);
  ~_cl_command_queue();

  vx::cl::Ref<_cl_context> context;
  cl_device_id device;
  cl_command_queue_properties properties;
  std::vector<cl_queue_properties> given; ///< to clCreateCommandQueueWithProperties
  std::shared_ptr<vx::cl::QueueState> state;
};

#endif // VX_RUNTIME_OPENCL_QUEUE_H
