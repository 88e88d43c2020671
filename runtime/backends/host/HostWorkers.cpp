// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/host/HostWorkers.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/Cluster.h"
#include "runtime/backends/host/HostMemorySpace.h"
#include "runtime/core/Pages.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <sched.h>
#include <sys/mman.h>
#include <ucontext.h>

namespace vx::rt {

using abi::HostWorker;
using abi::kHostWorkerBytes;

static constexpr size_t kSignalStackBytes = 64 * 1024;
/// Workers take their blocks in runs, so that they seldom meet at the counter, but in so many that
/// none is idle for long at the end.
static constexpr uint64_t kRunsPerWorker = 32, kLongestRun = 64;

struct HostWorkers::Worker {
  HostWorkers *pool = nullptr;
  uint32_t number = 0;
  void *area = nullptr; ///< aligned to its size: HostWorker, a page that faults, the stack
  std::unique_ptr<uint8_t[]> signalStack;
  pthread_t thread = {};
  bool started = false;
  uint64_t lastLaunch = 0;
  uint64_t block = 0, endBlock = 0; ///< the block that runs, and the end of those it has taken
  uint64_t turn = 0;                ///< of clusters
  sigjmp_buf leave;
  volatile sig_atomic_t inKernel = 0;
  Fault fault;

  HostWorker &shared() { return *static_cast<HostWorker *>(area); }
  ~Worker() {
    if (area)
      munmap(area, kHostWorkerBytes);
  }
};

/// The worker that this thread is, if any.
static thread_local HostWorkers::Worker *current = nullptr;

// --- What device code calls (HostWorker) ---

static void leaveKernel() {
  current->inKernel = 0;
  siglongjmp(current->leave, 1);
}

static void stopKernel(uint64_t reason) {
  Fault &fault = current->fault;
  fault.kind = reason == abi::kHostStopTrap ? FaultKind::Trap : FaultKind::Service;
  fault.cause = "breakpoint";
  fault.code = reason;
  fault.pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1;
  leaveKernel();
}

/// A worker that waits for others must not wait for ever when one of them has been stopped.
void HostWorkers::yieldToOthers() {
  if (current->pool->stopping)
    leaveKernel();
  sched_yield();
}

static uint64_t readClock() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// --- Signals ---

static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
static struct sigaction previousActions[std::size(kSignals)];

static FaultKind kindOf(int signal, const HostWorkers::Worker &worker, uint64_t address) {
  if (signal == SIGILL || signal == SIGFPE)
    return FaultKind::IllegalInstruction;
  uint64_t area = reinterpret_cast<uintptr_t>(worker.area);
  bool guard = address >= area + kPage && address < area + 2 * kPage;
  return guard ? FaultKind::StackOverflow : FaultKind::MemoryAccess;
}

static void handleSignal(int signal, siginfo_t *info, void *context) {
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  uint64_t pc = uint64_t(registers[REG_RIP]);
  HostWorkers::Worker *worker = current;
  // A jump to an address without code faults there; the pc says nothing then. (Of an instruction
  // that is illegal, the address is the pc, too.)
  bool isAccess = signal == SIGSEGV || signal == SIGBUS;
  bool jumped = worker && worker->inKernel && isAccess && uint64_t(info->si_addr) == pc;
  if (!worker || !worker->inKernel || !(HostMemorySpace::isCode(pc) || jumped)) {
    for (size_t i = 0; i < std::size(kSignals); ++i)
      if (kSignals[i] == signal)
        sigaction(signal, &previousActions[i], nullptr); // the access is tried again there
    return;
  }
  uint64_t address = uint64_t(info->si_addr);
  Fault &fault = worker->fault;
  fault.kind = jumped ? FaultKind::InvalidPc : kindOf(signal, *worker, address);
  fault.pc = pc;
  fault.address = address;
  fault.isWrite = registers[REG_ERR] & 2; // the page fault's error code
  leaveKernel();
}

static void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = handleSignal;
    // The signal stays unblocked, so that a jump out of the handler needs no system call for masks.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < std::size(kSignals); ++i)
      sigaction(kSignals[i], &action, &previousActions[i]);
  });
}

// --- Workers ---

/// An area of kHostWorkerBytes, aligned to that, with a page that faults below the stack.
static void *mapArea() {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *room = mmap(nullptr, 2 * kHostWorkerBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (room == MAP_FAILED)
    return nullptr;
  uint64_t first = reinterpret_cast<uintptr_t>(room);
  uint64_t base = (first + kHostWorkerBytes - 1) & ~(kHostWorkerBytes - 1);
  if (base > first)
    munmap(room, base - first);
  auto *area = reinterpret_cast<uint8_t *>(base);
  if (uint64_t rest = first + kHostWorkerBytes - base)
    munmap(area + kHostWorkerBytes, rest);
  mprotect(area + kPage, kPage, PROT_NONE);
  return area;
}

HostWorkers::HostWorkers(unsigned threads, unsigned vectorBits)
    : usual(threads), vectorBits(vectorBits) {}

HostWorkers::~HostWorkers() {
  {
    std::lock_guard lock(mutex);
    ending = true;
  }
  wake.notify_all();
  for (auto &worker : workers)
    if (worker->started)
      pthread_join(worker->thread, nullptr);
}

Result<void> HostWorkers::grow(size_t count) {
  installHandlers();
  while (workers.size() < count) {
    auto worker = std::make_unique<Worker>();
    worker->pool = this;
    worker->number = uint32_t(workers.size());
    worker->lastLaunch = launches;
    worker->area = mapArea();
    worker->signalStack = std::make_unique<uint8_t[]>(kSignalStackBytes);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    bool good = worker->area &&
                pthread_attr_setstack(&attributes, static_cast<uint8_t *>(worker->area) + 2 * kPage,
                                      kHostWorkerBytes - 2 * kPage) == 0 &&
                pthread_create(&worker->thread, &attributes, threadMain, worker.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (!good)
      return Failure{"the system gives no thread for a block"};
    worker->started = true;
    workers.push_back(std::move(worker));
  }
  return {};
}

void *HostWorkers::threadMain(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  current = &worker;
  stack_t stack = {};
  stack.ss_sp = worker.signalStack.get();
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
  // The thread that made this one may take no signals.
  sigset_t faults;
  sigemptyset(&faults);
  for (int signal : kSignals)
    sigaddset(&faults, signal);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
  worker.pool->work(worker);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  return nullptr;
}

void HostWorkers::work(Worker &worker) {
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock,
              [&] { return ending || (launches != worker.lastLaunch && worker.number < wanted); });
    if (ending)
      return;
    worker.lastLaunch = launches;
    lock.unlock();
    runBlocks(worker);
    lock.lock();
    if (worker.fault.kind != FaultKind::None && fault.kind == FaultKind::None)
      fault = worker.fault;
    if (--running == 0)
      done.notify_all();
  }
}

void HostWorkers::runBlocks(Worker &worker) {
  const abi::LaunchDescriptor &d = *launch;
  HostWorker &shared = worker.shared();
  shared.control.descriptor = reinterpret_cast<uintptr_t>(&d);
  shared.shared = d.sharedBase + uint64_t(worker.number) * d.sharedStride;
  shared.context = d.context + uint64_t(worker.number) * d.contextStride;
  shared.stop = reinterpret_cast<uintptr_t>(stopKernel);
  shared.clock = reinterpret_cast<uintptr_t>(readClock);
  shared.yield = reinterpret_cast<uintptr_t>(yieldToOthers);
  shared.vectorBits = vectorBits;
  worker.fault = {};
  worker.turn = 0;
  auto entry = reinterpret_cast<void (*)(const abi::LaunchDescriptor *)>(uintptr_t(d.kernelEntry));
  auto *cluster = reinterpret_cast<abi::ClusterState *>(uintptr_t(d.cluster));
  if (sigsetjmp(worker.leave, /*savemask=*/0) == 0)
    while (takeBlocks(worker))
      for (; worker.block < worker.endBlock && !stopping; ++worker.block) {
        shared.block = cluster ? abi::clusterBlock(d, *cluster, worker.block) : worker.block;
        worker.inKernel = 1;
        entry(&d);
        if (cluster)
          clusterEnd(*cluster, *clusterGroup(cluster, worker.number / cluster->blocks),
                     yieldToOthers);
        worker.inKernel = 0;
      }
  if (worker.fault.kind != FaultKind::None) {
    worker.fault.warp = worker.number;
    worker.fault.block = shared.block;
    stopping = true;
  }
}

/// Gives WORKER the next blocks to run. Returns false if there are none. The blocks of a cluster
/// have neighbouring workers, whose shared memory lies side by side. Others come in runs, which are
/// executed in order: the first block that has not ended never waits in a run for another.
bool HostWorkers::takeBlocks(Worker &worker) {
  const abi::LaunchDescriptor &d = *launch;
  if (d.cluster) {
    worker.block = d.firstBlock + worker.number + worker.turn++ * wanted;
    worker.endBlock = worker.block + 1;
  } else {
    worker.block = nextBlock.fetch_add(runLength, std::memory_order_relaxed);
    worker.endBlock = std::min(worker.block + runLength, d.numBlocks);
  }
  return worker.block < d.numBlocks && !stopping;
}

Result<Fault> HostWorkers::run(const abi::LaunchDescriptor &descriptor,
                               const std::function<bool()> &isInterrupted) {
  bool cooperative = descriptor.flags & abi::kLaunchCooperative;
  uint64_t most =
      cooperative ? descriptor.blocksPerCore : std::min(usual, descriptor.blocksPerCore);
  size_t count = size_t(std::min(descriptor.numBlocks - descriptor.firstBlock, most));
  if (auto *cluster = reinterpret_cast<abi::ClusterState *>(uintptr_t(descriptor.cluster))) {
    uint64_t atLeastOne = std::max<uint64_t>(1, most / cluster->blocks);
    cluster->groups = uint32_t(std::min(atLeastOne, descriptor.blocksAtOnce / cluster->blocks));
    count = size_t(cluster->groups) * cluster->blocks;
  }
  std::unique_lock lock(mutex);
  if (Result<void> r = grow(count); !r)
    return r.error();
  launch = &descriptor;
  fault = {};
  nextBlock = descriptor.firstBlock;
  uint64_t blocks = descriptor.numBlocks - descriptor.firstBlock;
  runLength = std::clamp<uint64_t>(blocks / (count * kRunsPerWorker), 1, kLongestRun);
  stopping = false;
  wanted = running = count;
  ++launches;
  wake.notify_all();
  constexpr std::chrono::milliseconds kLook(50); // a signal handler cannot notify
  while (!done.wait_for(lock, kLook, [&] { return running == 0; }))
    if (isInterrupted()) {
      Fault stopped;
      stopped.kind = FaultKind::Other;
      return stopped;
    }
  wanted = 0;
  return fault;
}

} // namespace vx::rt
