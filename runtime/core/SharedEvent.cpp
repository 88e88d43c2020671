// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/SharedEvent.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace vx::rt {

/// In the shared pages, all of it zero at first. Recordings are numbered from 1. Each has a place
/// among the last kPlaces; one that has lost its place is long past.
struct SharedEvent::State {
  static constexpr uint64_t kPlaces = 64;
  std::atomic<uint64_t> recorded;
  std::atomic<uint32_t> changes; ///< counts endings; what waiting threads sleep at
  struct Place {
    std::atomic<uint64_t> done; ///< the last recording of this place that has happened
    std::atomic<int32_t> process;
  } places[kPlaces];
};

SharedEvent::State &SharedEvent::stateIn(const SharedPages &pages) {
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  return *reinterpret_cast<State *>(pages.bytes());
}

Result<std::shared_ptr<SharedEvent>> SharedEvent::create() {
  Result<std::shared_ptr<SharedPages>> pages = SharedPages::create(sizeof(State));
  if (!pages)
    return pages.error();
  return std::shared_ptr<SharedEvent>(new SharedEvent(*pages));
}

Result<std::shared_ptr<SharedEvent>> SharedEvent::open(const SharedPagesName &name) {
  Result<std::shared_ptr<SharedPages>> pages = SharedPages::open(name);
  if (!pages)
    return pages.error();
  if ((*pages)->size() < sizeof(State))
    return Failure{"these pages hold no event"};
  return std::shared_ptr<SharedEvent>(new SharedEvent(*pages));
}

uint64_t SharedEvent::beginRecording() {
  State &state = stateIn(*pages);
  uint64_t number = ++state.recorded;
  state.places[number % State::kPlaces].process = getpid();
  return number;
}

void SharedEvent::endRecording(uint64_t number) {
  State &state = stateIn(*pages);
  std::atomic<uint64_t> &done = state.places[number % State::kPlaces].done;
  uint64_t before = done;
  while (before < number && !done.compare_exchange_weak(before, number)) {
  }
  ++state.changes;
  syscall(SYS_futex, &state.changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool SharedEvent::isDone(State &state, uint64_t number) {
  State::Place &place = state.places[number % State::kPlaces];
  if (place.done >= number)
    return true;
  // A process that has ended records nothing any more.
  int32_t process = place.process;
  return process != 0 && process != getpid() && kill(process, 0) != 0 && errno == ESRCH;
}

void SharedEvent::watch(std::shared_ptr<SharedPages> pages, uint64_t number,
                        std::shared_ptr<EventTicket> ticket) {
  State &state = stateIn(*pages);
  for (;;) {
    uint32_t seen = state.changes;
    if (isDone(state, number))
      break;
    timespec timeout{0, 100'000'000}; // to look for a process that has ended
    syscall(SYS_futex, &state.changes, FUTEX_WAIT, seen, &timeout, nullptr, 0);
  }
  for (const std::weak_ptr<SchedulerSignals> &listener : ticket->complete())
    if (std::shared_ptr<SchedulerSignals> signals = listener.lock())
      signals->wake();
}

std::shared_ptr<EventTicket> SharedEvent::ticket() {
  State &state = stateIn(*pages);
  uint64_t number = state.recorded;
  if (number == 0)
    return nullptr;
  std::lock_guard lock(mutex);
  if (number == lastNumber)
    return lastTicket;
  auto ticket = std::make_shared<EventTicket>();
  if (isDone(state, number)) {
    (void)ticket->complete();
  } else {
    sigset_t all, previous; // the program's signal handlers run on its own threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    std::thread(watch, pages, number, ticket).detach();
    pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  }
  lastNumber = number;
  lastTicket = ticket;
  return ticket;
}

} // namespace vx::rt
