// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Scheduler.h"
#include <algorithm>
#include <csignal>

namespace vx::rt {

static thread_local bool insideHostFunction = false;
/// The scheduler whose device the calling thread holds.
static thread_local const Scheduler *deviceHolder = nullptr;

bool Scheduler::inHostFunction() {
  return insideHostFunction;
}

Scheduler::Scheduler() {
  legacy = createStream(true, 0);
}

void Scheduler::finish() {
  waitForAll();
  {
    Lock lock(mutex);
    stopping = true;
  }
  workAdded.notify_all();
  if (deviceThread.joinable())
    deviceThread.join();
  if (hostThread.joinable())
    hostThread.join();
}

std::shared_ptr<Stream> Scheduler::createStream(bool isBlocking, int priority) {
  Lock lock(mutex);
  return std::make_shared<Stream>(nextStreamId++, isBlocking, priority);
}

/// The threads are made when the first operation needs them. The program's signal handlers run on
/// the program's own threads.
void Scheduler::startThreads(bool needHost) {
  std::thread &thread = needHost ? hostThread : deviceThread;
  if (thread.joinable())
    return;
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  thread = std::thread([this, needHost] { workerLoop(needHost); });
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

void Scheduler::enqueue(const std::shared_ptr<Stream> &stream, Operation operation) {
  Lock lock(mutex);
  startThreads(operation.onHost);
  if (stream->queue.empty())
    busy.push_back(stream);
  stream->queue.push_back({nextSequence++, std::move(operation)});
  workAdded.notify_all();
}

void Scheduler::runAndWait(const std::shared_ptr<Stream> &stream, std::function<void()> run) {
  bool done = false;
  Lock lock(mutex);
  if (stream->queue.empty())
    busy.push_back(stream);
  auto whole = [&, body = std::move(run)] {
    body();
    Lock inner(mutex);
    done = true;
  };
  // No notification: this thread runs it, unless a worker that is awake gets there first.
  stream->queue.push_back({nextSequence++, {std::move(whole), nullptr, false}});
  waitUntil(lock, [&] { return done; });
}

bool Scheduler::mayStart(const Stream &stream) const {
  const Stream::Entry &head = stream.queue.front();
  if (head.running)
    return false;
  if (head.operation.waitsFor && !head.operation.waitsFor->done)
    return false;
  if (!stream.isBlocking)
    return true;
  if (&stream != legacy.get())
    return legacy->queue.empty() || legacy->queue.front().sequence > head.sequence;
  return std::all_of(busy.begin(), busy.end(), [&](const std::shared_ptr<Stream> &other) {
    return !other->isBlocking || other == legacy || other->queue.front().sequence > head.sequence;
  });
}

Stream::Entry *Scheduler::findReady(bool onHost, std::shared_ptr<Stream> &stream) {
  Stream::Entry *best = nullptr;
  int bestPriority = 0;
  for (const std::shared_ptr<Stream> &candidate : busy) {
    Stream::Entry &head = candidate->queue.front();
    if (head.operation.onHost != onHost || !mayStart(*candidate))
      continue;
    int priority = head.priorityIn(*candidate);
    if (best &&
        (priority > bestPriority || (priority == bestPriority && head.sequence > best->sequence)))
      continue;
    best = &head;
    bestPriority = priority;
    stream = candidate;
  }
  return best;
}

/// Runs one operation that may start, if there is one.
bool Scheduler::runOne(Lock &lock, bool onHost) {
  if (!onHost && deviceBusy)
    return false;
  std::shared_ptr<Stream> stream;
  Stream::Entry *entry = findReady(onHost, stream);
  if (!entry)
    return false;
  entry->running = true;
  if (!onHost)
    deviceBusy = true;
  // The entry stays at its place: a deque does not move elements when others are appended.
  std::function<void()> run = std::move(entry->operation.run);
  lock.unlock();
  bool wasInside = insideHostFunction;
  insideHostFunction = onHost;
  const Scheduler *previousHolder = deviceHolder;
  if (!onHost)
    deviceHolder = this;
  if (run)
    run();
  run = nullptr;
  deviceHolder = previousHolder;
  insideHostFunction = wasInside;
  lock.lock();
  if (!onHost)
    deviceBusy = false;
  // A stream whose last operation is an event's recording is idle once the event has happened.
  if (std::shared_ptr<EventTicket> ticket = stream->queue.front().operation.completes)
    ticket->done = true;
  stream->queue.pop_front();
  if (stream->queue.empty())
    std::erase(busy, stream);
  changed.notify_all();
  workAdded.notify_all();
  return true;
}

/// Helps with the device's work until ISDONE.
void Scheduler::waitUntil(Lock &lock, const std::function<bool()> &isDone) {
  while (!isDone())
    if (!runOne(lock, false))
      changed.wait(lock);
}

void Scheduler::workerLoop(bool onHost) {
  Lock lock(mutex);
  while (!stopping)
    if (!runOne(lock, onHost))
      workAdded.wait(lock);
}

void Scheduler::wait(const Stream &stream) {
  Lock lock(mutex);
  uint64_t last = nextSequence;
  waitUntil(lock, [&] { return stream.queue.empty() || stream.queue.front().sequence >= last; });
}

void Scheduler::waitForAll() {
  Lock lock(mutex);
  uint64_t last = nextSequence;
  waitUntil(lock, [&] {
    return std::all_of(busy.begin(), busy.end(), [&](const std::shared_ptr<Stream> &stream) {
      return stream->queue.front().sequence >= last;
    });
  });
}

void Scheduler::wait(const EventTicket &ticket) {
  Lock lock(mutex);
  waitUntil(lock, [&] { return ticket.done; });
}

bool Scheduler::isIdle(const Stream &stream) {
  Lock lock(mutex);
  return stream.queue.empty();
}

bool Scheduler::isDone(const EventTicket &ticket) {
  Lock lock(mutex);
  return ticket.done;
}

Scheduler::DeviceOwnership::DeviceOwnership(Scheduler &scheduler)
    : scheduler(scheduler), previous(deviceHolder), taken(previous != &scheduler) {
  if (!taken)
    return;
  Lock lock(scheduler.mutex);
  scheduler.changed.wait(lock, [&] { return !scheduler.deviceBusy; });
  scheduler.deviceBusy = true;
  deviceHolder = &scheduler;
}

Scheduler::DeviceOwnership::~DeviceOwnership() {
  if (!taken)
    return;
  deviceHolder = previous;
  {
    Lock lock(scheduler.mutex);
    scheduler.deviceBusy = false;
  }
  scheduler.changed.notify_all();
  scheduler.workAdded.notify_all();
}

} // namespace vx::rt
