// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/WorkerPool.h"
#include <algorithm>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <system_error>

namespace vx::sim {

namespace {

/// Looks at a variable before a thread sleeps.
constexpr unsigned kLeastLooks = 50, kMostLooks = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Processes between the first one and this one: a child has none of the threads of its parent.
std::atomic<unsigned> forks = 0;

unsigned countForks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  return registered == 0 ? forks.load() : 0;
}

} // namespace

template <typename F> void WorkerPool::SpinWait::await(Signal &signal, F arrived) {
  for (unsigned i = 0; i < looks; ++i) {
    if (arrived(signal.value.load(std::memory_order_acquire))) {
      looks = std::min(looks + looks / 8, kMostLooks);
      return;
    }
    pause();
  }
  looks = std::max(looks / 4, kLeastLooks);
  signal.sleepers.fetch_add(1);
  for (uint32_t seen; !arrived(seen = signal.value.load());)
    signal.value.wait(seen);
  signal.sleepers.fetch_sub(1);
}

WorkerPool::WorkerPool(unsigned count) : madeIn(countForks()) {
  workers.reserve(count);
  try {
    for (unsigned number = 1; number < count; ++number)
      workers.emplace_back([this, number] { work(number); });
  } catch (const std::system_error &) {
    // the cores are shared out among those that there are
  }
}

bool WorkerPool::areHere() const {
  return forks.load(std::memory_order_relaxed) == madeIn;
}

WorkerPool::~WorkerPool() {
  if (!areHere()) {
    // A handle of a thread that this process does not have can neither be joined nor detached.
    for (std::thread &worker : workers)
      new (&worker) std::thread;
    return;
  }
  leaving = true;
  jobs.value.fetch_add(1);
  jobs.changed();
  for (std::thread &worker : workers)
    worker.join();
}

void WorkerPool::run(Part newPart, void *newJob) {
  if (!areHere()) [[unlikely]] {
    for (unsigned number = 0; number < count(); ++number)
      newPart(newJob, number);
    return;
  }
  part = newPart;
  job = newJob;
  done.value.store(0, std::memory_order_relaxed);
  jobs.value.fetch_add(1);
  jobs.changed();
  part(job, 0);
  spinWait.await(done, [this](uint32_t count) { return count == workers.size(); });
}

void WorkerPool::work(unsigned number) {
  SpinWait own;
  for (uint32_t seen = 0;; ++seen) { // no job begins before all have done the one before
    own.await(jobs, [seen](uint32_t count) { return count != seen; });
    if (leaving)
      return;
    part(job, number);
    if (done.value.fetch_add(1) + 1 == workers.size())
      done.changed();
  }
}

unsigned hostProcessors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return unsigned(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

} // namespace vx::sim
