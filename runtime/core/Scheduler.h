// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events: the order in which work runs on the device.
//
// A stream is a FIFO of operations. An operation may start when it is the head of its stream and
//   - every event that it waits for has happened,
//   - legacy default stream: no other blocking stream still has an operation issued earlier,
//   - another blocking stream: the legacy default stream has no operation issued earlier.
// Operations that touch the device run one at a time, the one issued first (among those of the
// highest priority) first; other streams have their turn between the parts of an operation that has
// parts. They run on a worker thread, or on a thread that waits for them: waiting
// costs no switch of threads. Host functions run on a thread of their own, so that one that
// blocks holds up only its own stream.
//
// Waking a thread takes longer than a small kernel, so it is avoided. Who has the device keeps it
// as long as it finds work and no thread waits for the device itself, then passes it on. A thread
// that waits sleeps until what it waits for has happened. The worker, when it has run out of work,
// looks again a few times at short intervals before it sleeps until it is called. A thread that
// adds to a stream that has become very long runs some of it, or waits until that is done.

#ifndef VX_RUNTIME_CORE_SCHEDULER_H
#define VX_RUNTIME_CORE_SCHEDULER_H

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace vx::rt {

class Scheduler;

/// A scheduler as others know it that have an event which it waits for. It may be gone.
class SchedulerSignals {
public:
  /// An event of another scheduler has happened; called without any scheduler's mutex.
  void wake();

private:
  friend class Scheduler;
  std::mutex mutex; // the scheduler's
  Scheduler *owner = nullptr;
};

/// One recording of an event. Several schedulers may wait for it.
class EventTicket {
public:
  uint64_t hostNanoseconds = 0; // when it happened; both are set before it is done
  uint64_t deviceCycles = 0;

  bool isDone() const { return done; }
  /// Marks it done. Returns whom to wake in addition to the scheduler whose operation this was.
  std::vector<std::weak_ptr<SchedulerSignals>> complete() {
    std::lock_guard lock(mutex);
    done = true;
    return std::exchange(listeners, {});
  }
  /// LISTENER is woken when it is done, unless it is already.
  void addListener(const std::shared_ptr<SchedulerSignals> &listener) {
    std::lock_guard lock(mutex);
    if (!done)
      listeners.push_back(listener);
  }

private:
  std::atomic<bool> done = false;
  std::mutex mutex; // listeners
  std::vector<std::weak_ptr<SchedulerSignals>> listeners;
};

/// The work of an operation that has parts, such as the nodes of a graph; parts of one operation
/// may run at the same time. Each part runs on the device or on the host thread. The scheduler
/// holds its mutex in all calls but run(). The last part, which ends the operation, runs on the
/// device.
class CompositeWork {
public:
  virtual ~CompositeWork() = default;
  /// Returns true if some part runs on the host thread.
  virtual bool hasHostParts() const = 0;
  /// The events that parts wait for; called before anything else.
  virtual std::vector<std::shared_ptr<EventTicket>> awaited() const = 0;
  /// Returns true if a part for the device (for the host thread) may start now.
  virtual bool isReady(bool onHost) = 0;
  /// Such a part; it counts as started.
  virtual uint32_t take(bool onHost) = 0;
  virtual void run(uint32_t part) = 0;
  /// The event, if any, that happens with PART.
  virtual std::shared_ptr<EventTicket> finish(uint32_t part) = 0;
  /// Returns true if all parts have run.
  virtual bool isDone() const = 0;
};

struct Operation {
  std::function<void()> run;
  std::shared_ptr<EventTicket> waitsFor; ///< may be null
  bool onHost = false;                   ///< runs on the host thread, without the device
  /// Done at the moment the operation leaves its stream; may be null.
  std::shared_ptr<EventTicket> completes = nullptr;
  std::optional<int> priority = std::nullopt;     ///< in place of the stream's
  std::shared_ptr<CompositeWork> parts = nullptr; ///< in place of `run`

  bool usesHostThread() const { return parts ? parts->hasHostParts() : onHost; }
};

/// The range of streams' priorities; lower numbers run earlier.
inline constexpr int kLeastPriority = 0, kGreatestPriority = -5;
/// A priority as CUDA takes it: those beyond the range mean the nearest in it.
inline int clampPriority(int priority) {
  return std::clamp(priority, kGreatestPriority, kLeastPriority);
}

class Stream {
public:
  Stream(uint64_t id, bool isBlocking, int priority)
      : id(id), isBlocking(isBlocking), priority(priority) {}

  const uint64_t id;
  const bool isBlocking;     ///< synchronizes with the legacy default stream
  std::atomic<int> priority; ///< lower runs earlier

private:
  friend class Scheduler;
  struct Entry {
    uint64_t sequence;
    Operation operation;
    bool running = false;
    int priorityIn(const Stream &stream) const {
      return operation.priority.value_or(stream.priority);
    }
  };
  std::deque<Entry> queue; // the head stays until it has run
};

class Scheduler {
public:
  Scheduler();
  ~Scheduler();
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// The legacy default stream.
  const std::shared_ptr<Stream> &legacyStream() const { return legacy; }
  std::shared_ptr<Stream> createStream(bool isBlocking, int priority);

  void enqueue(const std::shared_ptr<Stream> &stream, Operation operation);
  /// Enqueues and waits for it.
  void runAndWait(const std::shared_ptr<Stream> &stream, std::function<void()> run);

  /// Until all that was in the stream (in any stream) at the time of the call has run.
  void wait(const Stream &stream);
  void waitForAll();
  void wait(EventTicket &ticket);
  bool isIdle(const Stream &stream);
  bool isDone(const EventTicket &ticket);

  /// Waits for everything that was enqueued and ends the threads; nothing may be enqueued any more.
  void finish();

  /// Runs F while no operation uses the device; for calls that act at once, such as cudaMalloc.
  /// On a thread that runs a device operation already, F simply runs.
  template <typename F> auto withDevice(F &&f) {
    DeviceOwnership own(*this);
    return f();
  }

  /// In an operation on the device: runs F while other operations and calls may use the device,
  /// for F to use other devices. Two schedulers that want each other's device do not wait in vain.
  template <typename F> void withoutDevice(F &&f) {
    DeviceAbsence absence(*this);
    f();
  }

  /// Returns true if the calling thread runs a host function.
  static bool inHostFunction();
  /// Runs F so that it counts as one.
  template <typename F> static void runAsHostFunction(F &&f) {
    bool wasInside = setInHostFunction(true);
    f();
    setInHostFunction(wasInside);
  }

private:
  friend class SchedulerSignals;
  using Lock = std::unique_lock<std::mutex>;

  struct DeviceOwnership {
    explicit DeviceOwnership(Scheduler &scheduler);
    ~DeviceOwnership();
    Scheduler &scheduler;
    const Scheduler *previous; ///< whose device the thread held before
    bool taken;
  };
  struct DeviceAbsence {
    explicit DeviceAbsence(Scheduler &scheduler);
    ~DeviceAbsence();
    Scheduler &scheduler;
  };

  /// A thread that sleeps. Who calls it takes it out of its list.
  struct Sleeper {
    const std::function<bool()> *isDone = nullptr; ///< called with the mutex held
    std::condition_variable called;
    bool awake = false;
  };
  using Sleepers = std::vector<Sleeper *>; // in the order of their coming

  /// A thread of the scheduler's own.
  struct Worker {
    std::thread thread;
    std::condition_variable called;
    enum { Awake, Dozing, Asleep } state = Awake;
  };

  using Listeners = std::vector<std::weak_ptr<SchedulerSignals>>;

  static bool setInHostFunction(bool isInside); ///< what it was before
  bool endPart(Stream &stream, uint32_t part, Listeners &listeners);
  void wakeOthers(Lock &lock, const Listeners &listeners);
  Stream::Entry *findReady(bool onHost, std::shared_ptr<Stream> &stream);
  bool mayStart(const Stream &stream) const;
  bool runOne(Lock &lock, bool onHost);
  void sleep(Lock &lock, Sleepers &list, Sleeper &self);
  void call(Sleepers &list, size_t which);
  void call(Worker &worker, bool isUrgent);
  void callWhoIsDone();
  void takeDevice();
  void yieldDevice();
  void passDeviceOn();
  void offerDevice();
  void offerHostThread();
  void waitUntil(Lock &lock, const std::function<bool()> &isDone);
  void shorten(Lock &lock, const Stream &stream);
  bool answer(Lock &lock, bool isDone);
  void workerLoop(bool onHost);
  void startThread(bool onHost);

  const std::shared_ptr<SchedulerSignals> signals = std::make_shared<SchedulerSignals>();
  std::mutex &mutex = signals->mutex;
  std::shared_ptr<Stream> legacy;
  std::vector<std::shared_ptr<Stream>> busy; // streams with operations
  uint64_t nextSequence = 1;
  size_t hostOperations = 0; // that have not run, whole or parts of them
  bool deviceBusy = false, stopping = false;
  Sleepers waiting; // for something to happen; they can run operations of the device
  Sleepers owners;  // for the device itself
  Worker deviceWorker, hostWorker;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_SCHEDULER_H
