// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event of several processes (cudaEventInterprocess): its recordings are counted in pages that
// the processes share, and each waits there for those of the others.

#ifndef VX_RUNTIME_CORE_SHAREDEVENT_H
#define VX_RUNTIME_CORE_SHAREDEVENT_H

#include "runtime/core/Scheduler.h"
#include "runtime/core/SharedPages.h"
#include <memory>
#include <mutex>

namespace vx::rt {

class SharedEvent {
public:
  static Result<std::shared_ptr<SharedEvent>> create();
  static Result<std::shared_ptr<SharedEvent>> open(const SharedPagesName &name);
  SharedPagesName name() const { return pages->name(); }

  /// A new recording, the last one from now on; its number.
  uint64_t beginRecording();
  /// It has happened.
  void endRecording(uint64_t number);
  /// Done when the last recording has happened; null: there has been none.
  std::shared_ptr<EventTicket> ticket();

private:
  struct State;
  explicit SharedEvent(std::shared_ptr<SharedPages> pages) : pages(std::move(pages)) {}
  static State &stateIn(const SharedPages &pages);
  static bool isDone(State &state, uint64_t number);
  static void watch(std::shared_ptr<SharedPages> pages, uint64_t number,
                    std::shared_ptr<EventTicket> ticket);

  std::shared_ptr<SharedPages> pages;
  std::mutex mutex; // the ticket that ticket() has returned last
  uint64_t lastNumber = 0;
  std::shared_ptr<EventTicket> lastTicket;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_SHAREDEVENT_H
