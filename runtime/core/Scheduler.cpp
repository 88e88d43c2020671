// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Scheduler.h"
#include <algorithm>
#include <chrono>
#include <csignal>

namespace vx::rt {

/// A stream of more operations than this is long.
static constexpr size_t kLongStream = 1024;
/// How the worker dozes.
static constexpr std::chrono::microseconds kDoze{50};
static constexpr int kDozes = 10;

static thread_local bool insideHostFunction = false;
/// The scheduler whose device the calling thread holds.
static thread_local const Scheduler *deviceHolder = nullptr;

bool Scheduler::inHostFunction() {
  return insideHostFunction;
}

bool Scheduler::setInHostFunction(bool isInside) {
  return std::exchange(insideHostFunction, isInside);
}

Scheduler::Scheduler() {
  signals->owner = this;
  legacy = createStream(true, 0);
}

Scheduler::~Scheduler() {
  finish();
  Lock lock(mutex);
  signals->owner = nullptr;
}

void SchedulerSignals::wake() {
  std::lock_guard lock(mutex);
  if (!owner)
    return;
  owner->callWhoIsDone();
  owner->offerDevice();
  owner->offerHostThread();
}

void Scheduler::finish() {
  waitForAll();
  {
    Lock lock(mutex);
    stopping = true;
  }
  for (Worker *worker : {&deviceWorker, &hostWorker}) {
    worker->called.notify_all();
    if (worker->thread.joinable())
      worker->thread.join();
  }
}

std::shared_ptr<Stream> Scheduler::createStream(bool isBlocking, int priority) {
  static std::atomic<uint64_t> nextId = 1; // no two streams of the process have one number
  return std::make_shared<Stream>(nextId++, isBlocking, priority);
}

/// The threads are made when the first operation needs them. The program's signal handlers run on
/// the program's own threads.
void Scheduler::startThread(bool onHost) {
  std::thread &thread = (onHost ? hostWorker : deviceWorker).thread;
  if (thread.joinable())
    return;
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  thread = std::thread([this, onHost] { workerLoop(onHost); });
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

void Scheduler::enqueue(const std::shared_ptr<Stream> &stream, Operation operation) {
  if (operation.waitsFor)
    operation.waitsFor->addListener(signals);
  if (operation.parts)
    for (const std::shared_ptr<EventTicket> &ticket : operation.parts->awaited())
      ticket->addListener(signals);
  Lock lock(mutex);
  bool onHost = operation.onHost, usesHost = operation.usesHostThread();
  if (!onHost)
    startThread(false);
  if (usesHost)
    startThread(true);
  if (stream->queue.empty())
    busy.push_back(stream);
  stream->queue.push_back({nextSequence++, std::move(operation)});
  if (usesHost) {
    ++hostOperations;
    offerHostThread();
  }
  if (!onHost && !deviceBusy)
    call(deviceWorker, false);
  if (stream->queue.size() > kLongStream && !deviceHolder && !insideHostFunction)
    shorten(lock, *stream);
}

void Scheduler::runAndWait(const std::shared_ptr<Stream> &stream, std::function<void()> run) {
  Lock lock(mutex);
  if (stream->queue.empty())
    busy.push_back(stream);
  // The worker is not called: this thread runs it, unless one that has the device gets there first.
  uint64_t last = nextSequence++;
  stream->queue.push_back({last, {std::move(run), nullptr, false}});
  waitUntil(lock, [&] { return stream->queue.empty() || stream->queue.front().sequence > last; });
}

bool Scheduler::mayStart(const Stream &stream) const {
  const Stream::Entry &head = stream.queue.front();
  if (head.running)
    return false;
  if (head.operation.waitsFor && !head.operation.waitsFor->isDone())
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
    CompositeWork *parts = head.operation.parts.get();
    if ((!parts && head.operation.onHost != onHost) || !mayStart(*candidate) ||
        (parts && !parts->isReady(onHost)))
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

/// After PART of the operation at the head of STREAM: whether that was the last one.
bool Scheduler::endPart(Stream &stream, uint32_t part, Listeners &listeners) {
  CompositeWork &parts = *stream.queue.front().operation.parts;
  if (std::shared_ptr<EventTicket> ticket = parts.finish(part))
    listeners = ticket->complete();
  return parts.isDone();
}

/// Tells other schedulers that an event has happened.
void Scheduler::wakeOthers(Lock &lock, const Listeners &listeners) {
  if (listeners.empty())
    return;
  lock.unlock();
  for (const std::weak_ptr<SchedulerSignals> &listener : listeners)
    if (std::shared_ptr<SchedulerSignals> other = listener.lock(); other && other != signals)
      other->wake();
  lock.lock();
}

/// Runs one operation, or one part of one, that may start, if there is one.
bool Scheduler::runOne(Lock &lock, bool onHost) {
  if (!onHost && deviceBusy)
    return false;
  std::shared_ptr<Stream> stream;
  Stream::Entry *entry = findReady(onHost, stream);
  if (!entry)
    return false;
  std::shared_ptr<CompositeWork> parts = entry->operation.parts;
  uint32_t part = parts ? parts->take(onHost) : 0;
  entry->running = !parts;
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
  if (parts)
    parts->run(part);
  else if (run)
    run();
  run = nullptr;
  deviceHolder = previousHolder;
  insideHostFunction = wasInside;
  lock.lock();
  Listeners listeners;
  bool hasEnded = !parts || endPart(*stream, part, listeners);
  if (hasEnded) {
    // A stream whose last operation is an event's recording is idle once the event has happened.
    const Operation &ended = stream->queue.front().operation;
    if (ended.completes)
      listeners = ended.completes->complete();
    if (ended.usesHostThread())
      --hostOperations;
    stream->queue.pop_front();
    if (stream->queue.empty())
      std::erase(busy, stream);
  }
  if (onHost) {
    callWhoIsDone();
    offerDevice();
  } else {
    passDeviceOn();
    offerHostThread();
  }
  wakeOthers(lock, listeners);
  if (parts && hasEnded) { // its end may call functions of the program
    lock.unlock();
    parts = nullptr;
    lock.lock();
  }
  return true;
}

void Scheduler::sleep(Lock &lock, Sleepers &list, Sleeper &self) {
  list.push_back(&self);
  self.called.wait(lock, [&] { return self.awake; });
}

void Scheduler::call(Sleepers &list, size_t which) {
  Sleeper *sleeper = list[which];
  list.erase(list.begin() + ptrdiff_t(which));
  sleeper->awake = true;
  sleeper->called.notify_one(); // with the mutex held: the sleeper is gone soon after
}

/// A worker that dozes comes soon by itself.
void Scheduler::call(Worker &worker, bool isUrgent) {
  if (worker.state == Worker::Awake || (worker.state == Worker::Dozing && !isUrgent))
    return;
  worker.state = Worker::Awake;
  worker.called.notify_one();
}

void Scheduler::callWhoIsDone() {
  for (size_t i = waiting.size(); i-- > 0;)
    if ((*waiting[i]->isDone)())
      call(waiting, i);
}

/// Ends the thread's use of the device. It is the next one's at once if a thread waits for the
/// device itself, so that a long stream does not keep it away.
void Scheduler::passDeviceOn() {
  deviceBusy = !owners.empty();
  if (deviceBusy)
    call(owners, 0);
  callWhoIsDone();
}

/// Sees to it that some thread runs what may start, if none has the device.
void Scheduler::offerDevice() {
  std::shared_ptr<Stream> stream;
  if (deviceBusy || !findReady(false, stream))
    return;
  if (!waiting.empty())
    call(waiting, 0);
  else
    call(deviceWorker, false);
}

void Scheduler::offerHostThread() {
  std::shared_ptr<Stream> stream;
  if (hostOperations && hostWorker.state != Worker::Awake && findReady(true, stream))
    call(hostWorker, true);
}

/// Helps with the device's work until ISDONE.
void Scheduler::waitUntil(Lock &lock, const std::function<bool()> &isDone) {
  while (!isDone()) {
    if (runOne(lock, false))
      continue;
    Sleeper self;
    self.isDone = &isDone;
    sleep(lock, waiting, self);
  }
  offerDevice();
}

/// Programs may launch faster than the device works, for hours. A stream that has to wait, because
/// of an event or a host function, grows all the same: its program may have to do something first.
void Scheduler::shorten(Lock &lock, const Stream &stream) {
  waitUntil(lock, [&] {
    std::shared_ptr<Stream> any;
    return stream.queue.size() <= kLongStream / 2 || (!deviceBusy && !findReady(false, any));
  });
}

void Scheduler::workerLoop(bool onHost) {
  Worker &self = onHost ? hostWorker : deviceWorker;
  int dozes = 0;
  Lock lock(mutex);
  while (!stopping) {
    if (runOne(lock, onHost)) {
      dozes = 0;
    } else if (!onHost && dozes < kDozes) {
      ++dozes;
      self.state = Worker::Dozing;
      self.called.wait_for(lock, kDoze);
    } else {
      dozes = 0;
      self.state = Worker::Asleep;
      self.called.wait(lock);
    }
    self.state = Worker::Awake;
  }
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

void Scheduler::wait(EventTicket &ticket) {
  ticket.addListener(signals);
  Lock lock(mutex);
  waitUntil(lock, [&] { return ticket.isDone(); });
}

/// A caller that asks again and again waits, without helping: this lets the others continue.
bool Scheduler::answer(Lock &lock, bool isDone) {
  if (isDone)
    return true;
  if (!deviceBusy)
    call(deviceWorker, true);
  lock.unlock();
  std::this_thread::yield();
  return false;
}

bool Scheduler::isIdle(const Stream &stream) {
  Lock lock(mutex);
  // The legacy default stream stands for all that it waits for.
  bool isWaiting = &stream == legacy.get() &&
                   std::any_of(busy.begin(), busy.end(), [](const std::shared_ptr<Stream> &other) {
                     return other->isBlocking && !other->queue.empty();
                   });
  return answer(lock, !isWaiting && stream.queue.empty());
}

bool Scheduler::isDone(const EventTicket &ticket) {
  Lock lock(mutex);
  return answer(lock, ticket.isDone());
}

void Scheduler::takeDevice() {
  Lock lock(mutex);
  if (deviceBusy) { // who passes it on keeps it busy for this thread
    Sleeper self;
    sleep(lock, owners, self);
  }
  deviceBusy = true;
}

void Scheduler::yieldDevice() {
  Lock lock(mutex);
  passDeviceOn();
  offerDevice();
}

Scheduler::DeviceOwnership::DeviceOwnership(Scheduler &scheduler)
    : scheduler(scheduler), previous(deviceHolder), taken(previous != &scheduler) {
  if (!taken)
    return;
  scheduler.takeDevice();
  deviceHolder = &scheduler;
}

Scheduler::DeviceOwnership::~DeviceOwnership() {
  if (!taken)
    return;
  deviceHolder = previous;
  scheduler.yieldDevice();
}

Scheduler::DeviceAbsence::DeviceAbsence(Scheduler &scheduler) : scheduler(scheduler) {
  deviceHolder = nullptr;
  scheduler.yieldDevice();
}

Scheduler::DeviceAbsence::~DeviceAbsence() {
  scheduler.takeDevice();
  deviceHolder = &scheduler;
}

} // namespace vx::rt
