// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events: the order in which work runs on the device.
//
// A stream is a FIFO of operations. An operation may start when it is the head of its stream and
//   - every event that it waits for has happened,
//   - legacy default stream: no other blocking stream still has an operation issued earlier,
//   - another blocking stream: the legacy default stream has no operation issued earlier.
// Operations that touch the device run one at a time, the one issued first (among those of the
// highest priority) first. They run on a worker thread, or on a thread that waits for them: waiting
// costs no switch of threads. Host functions run on a thread of their own, so that one that
// blocks holds up only its own stream.

#ifndef VX_RUNTIME_CORE_SCHEDULER_H
#define VX_RUNTIME_CORE_SCHEDULER_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace vx::rt {

/// One recording of an event.
struct EventTicket {
  bool done = false;            // guarded by the scheduler
  uint64_t hostNanoseconds = 0; // when it happened; both are set before `done`
  uint64_t deviceCycles = 0;
};

struct Operation {
  std::function<void()> run;
  std::shared_ptr<EventTicket> waitsFor; ///< may be null
  bool onHost = false;                   ///< runs on the host thread, without the device
  /// Done at the moment the operation leaves its stream; may be null.
  std::shared_ptr<EventTicket> completes = nullptr;
  std::optional<int> priority = std::nullopt; ///< in place of the stream's
};

class Stream {
public:
  Stream(uint64_t id, bool isBlocking, int priority)
      : id(id), isBlocking(isBlocking), priority(priority) {}

  const uint64_t id;
  const bool isBlocking; ///< synchronizes with the legacy default stream
  const int priority;    ///< lower runs earlier

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
  ~Scheduler() { finish(); }
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
  void wait(const EventTicket &ticket);
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

  /// Whether the calling thread runs a host function.
  static bool inHostFunction();

private:
  struct DeviceOwnership {
    explicit DeviceOwnership(Scheduler &scheduler);
    ~DeviceOwnership();
    Scheduler &scheduler;
    const Scheduler *previous; ///< whose device the thread held before
    bool taken;
  };
  using Lock = std::unique_lock<std::mutex>;

  Stream::Entry *findReady(bool onHost, std::shared_ptr<Stream> &stream);
  bool mayStart(const Stream &stream) const;
  bool runOne(Lock &lock, bool onHost);
  void waitUntil(Lock &lock, const std::function<bool()> &isDone);
  void workerLoop(bool onHost);
  void startThreads(bool needHost);

  std::mutex mutex;
  std::condition_variable workAdded, changed;
  std::shared_ptr<Stream> legacy;
  std::vector<std::shared_ptr<Stream>> busy; // streams with operations
  uint64_t nextSequence = 1, nextStreamId = 1;
  bool deviceBusy = false, stopping = false;
  std::thread deviceThread, hostThread;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_SCHEDULER_H
