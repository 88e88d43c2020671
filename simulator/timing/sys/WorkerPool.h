// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of the host that do parts of one job together, many times per millisecond. A thread that
// waits looks for some microseconds and then sleeps; if it comes to that often, as on a busy host,
// it looks less long. In a process that was forked afterwards, the forking thread does all parts.

#ifndef VX_SIMULATOR_TIMING_SYS_WORKERPOOL_H
#define VX_SIMULATOR_TIMING_SYS_WORKERPOOL_H

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace vx::sim {

class WorkerPool {
public:
  /// The part of a job that thread NUMBER does.
  using Part = void (*)(void *job, unsigned number);

  /// COUNT threads, the caller among them; fewer, if the host has no more.
  explicit WorkerPool(unsigned count);
  ~WorkerPool();

  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  unsigned count() const { return unsigned(workers.size()) + 1; }
  /// Does all parts of JOB; the caller is thread 0. Returns when all are done.
  void run(Part part, void *job);

private:
  /// A counter that one thread changes and others wait for.
  struct alignas(64) Signal {
    std::atomic<uint32_t> value = 0;
    std::atomic<uint32_t> sleepers = 0;

    void changed() {
      if (sleepers.load()) // sequentially consistent: a sleeper sees the change, or is seen
        value.notify_all();
    }
  };
  /// Adapts how long a thread looks before it sleeps.
  class SpinWait {
  public:
    /// Waits until arrived(value of SIGNAL).
    template <typename F> void await(Signal &signal, F arrived);

  private:
    unsigned looks = 1000;
  };

  void work(unsigned number);
  /// Returns true if this is the process that has the workers.
  bool areHere() const;

  const unsigned madeIn; ///< which process: counts forks
  std::vector<std::thread> workers;
  Part part = nullptr;
  void *job = nullptr;
  bool leaving = false;
  SpinWait spinWait; ///< of thread 0
  Signal jobs;       ///< counts them
  Signal done;       ///< workers that have done their part
};

/// Processors of the host that this process may use.
unsigned hostProcessors();

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_WORKERPOOL_H
