// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads that run blocks. Each has a stack in an area of its own, from whose lowest address
// device code finds what it needs (intrinsics/abi/HostWorker.h). Workers take the next block that
// no other has taken; a cooperative launch has a worker for each block.
//
// A fault in device code (a signal) or a stop that it asks for ends the worker's block by a jump
// out of it: such code holds nothing that would have to be released. Signals that come from
// anywhere else go to the handlers from before.

#ifndef VX_RUNTIME_BACKENDS_HOST_HOSTWORKERS_H
#define VX_RUNTIME_BACKENDS_HOST_HOSTWORKERS_H

#include "intrinsics/abi/HostWorker.h"
#include "runtime/core/Device.h"
#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <functional>
#include <mutex>
#include <pthread.h>

namespace vx::rt {

class HostWorkers {
public:
  /// Up to THREADS blocks run at a time, more in a cooperative launch. VECTORBITS: as HostWorker
  /// has it.
  explicit HostWorkers(unsigned threads, unsigned vectorBits = 256);
  ~HostWorkers();
  HostWorkers(const HostWorkers &) = delete;

  /// Runs all blocks of a launch; what stopped it first. Device code cannot be stopped from
  /// outside: once ISINTERRUPTED says so, the blocks that run are no longer waited for, and the
  /// process must end.
  Result<Fault> run(const abi::LaunchDescriptor &descriptor,
                    const std::function<bool()> &isInterrupted);
  void requestStop() { stopping = true; }

  struct Worker;

private:
  Result<void> grow(size_t count);
  static void *threadMain(void *worker);
  static void yieldToOthers();
  void work(Worker &worker);
  void runBlocks(Worker &worker);
  bool takeBlocks(Worker &worker);

  const unsigned usual, vectorBits;
  std::vector<std::unique_ptr<Worker>> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  uint64_t launches = 0;          // counts up: what a sleeping worker waits for
  size_t wanted = 0, running = 0; // workers of this launch, and those still in it
  bool ending = false;
  const abi::LaunchDescriptor *launch = nullptr;
  std::atomic<uint64_t> nextBlock{0};
  uint64_t runLength = 1; // blocks that a worker takes at a time
  std::atomic<bool> stopping{false};
  Fault fault;
};

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_HOST_HOSTWORKERS_H
