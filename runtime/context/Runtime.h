// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices and contexts of the process. Each device (VX_DEVICES of them) has a primary context,
// which is made at the first use and ended by a reset; further contexts of a device can be made and
// destroyed by name. A context has a Device of its own under it: what is in one context is seen in
// another one only through copies and peer access. Each host thread has a current context, at first
// the primary one of the first device.

#ifndef VX_RUNTIME_CONTEXT_RUNTIME_H
#define VX_RUNTIME_CONTEXT_RUNTIME_H

#include "runtime/context/Context.h"
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace vx::rt {

/// Room for a context. Slots of primary contexts stay as long as the process; guarded by the
/// runtime, except what is const.
struct ContextSlot {
  const uint64_t id; ///< of the slot; handles of the driver API are made of it
  const DeviceIdentity identity;
  const bool isPrimary;
  std::unique_ptr<Context> context; ///< null: not made yet, or ended
  unsigned uses = 0;
  bool isEnding = false; ///< between the begin of its end and the end
  bool failed = false;   ///< the device could not be opened, which has been said
};

/// A call's use of a context, which lives at least as long. False: there is none.
class ContextUse {
public:
  ContextUse() = default;
  ContextUse(ContextUse &&other) noexcept : slot(std::exchange(other.slot, nullptr)) {}
  ContextUse &operator=(ContextUse &&other) noexcept {
    std::swap(slot, other.slot);
    return *this;
  }
  ~ContextUse();
  explicit operator bool() const { return slot != nullptr; }
  Context &operator*() const { return *slot->context; }
  Context *operator->() const { return slot->context.get(); }
  uint64_t slotId() const { return slot->id; }

private:
  friend class Runtime;
  explicit ContextUse(ContextSlot *slot) : slot(slot) {}
  ContextSlot *slot = nullptr;
};

class Runtime {
public:
  using Opener = std::function<Result<std::unique_ptr<Device>>(const DeviceIdentity &)>;
  static constexpr unsigned kMaxDevices = 64;

  static Runtime &get();
  /// Returns true if the process has begun to end: exit() has been called, or main has returned.
  static bool isExiting();

  /// How many devices there are: VX_DEVICES, which is 1 where it is not set. 0 (and a message,
  /// once) if it is not a number from 1 to kMaxDevices.
  unsigned deviceCount();

  /// The calling thread's current context; a primary one is made where there is none yet. None when
  /// its device could not be opened (the reason has been printed) or it has been destroyed. Waits
  /// while it is being ended.
  ContextUse context();
  /// The current context if there is one and it is not being ended.
  ContextUse existing();
  /// As context() and existing(), for the primary context of device NUMBER < deviceCount().
  ContextUse primary(unsigned number);
  ContextUse existingPrimary(unsigned number);
  /// As existing(), for the slot ID.
  ContextUse find(uint64_t id);
  /// One more use of CONTEXT, which the caller uses already.
  ContextUse find(const Context &context);
  /// All contexts that there are and that are not being ended.
  std::vector<ContextUse> all();
  /// The first of all contexts for which OWNS(context) holds.
  template <typename F> ContextUse findOwner(F &&owns) {
    for (ContextUse &use : all())
      if (owns(*use))
        return std::move(use);
    return {};
  }

  /// The device of the calling thread's current context.
  unsigned currentDevice();
  /// Makes the primary context of device NUMBER current for the calling thread.
  void setCurrentDevice(unsigned number);
  /// Sets the device of threads that have not chosen one.
  void setDefaultDevice(unsigned number);
  /// The slot of the current context; 0: the thread has not chosen one.
  uint64_t currentSlot();
  /// Makes the context of slot ID current for the calling thread; 0: none is chosen.
  void setCurrentSlot(uint64_t id);

  /// Makes another context of device NUMBER; the id of its slot, 0 if the device could not be
  /// opened.
  uint64_t create(unsigned number);
  /// Ends a context that create() made, as reset(); false if there is none.
  bool destroy(uint64_t id);
  /// Ends the primary context of device NUMBER, if there is one, with all work that was launched.
  /// Waits for the calls on other threads that use it.
  void reset(unsigned number);
  /// Until no context is being ended.
  void waitForReset();
  /// For tests: ends all contexts; there are COUNT devices from now on (0: as VX_DEVICES says), and
  /// OPENER opens them.
  void setOpener(Opener opener, unsigned count = 0);

private:
  friend class ContextUse;
  using Lock = std::unique_lock<std::mutex>;
  Runtime();
  void afterFork();
  unsigned countDevices();
  void makePrimarySlots();
  uint32_t freeWindow() const;
  ContextSlot *primarySlot(unsigned number);
  ContextSlot *current();
  ContextUse use(ContextSlot *slot);
  ContextUse useOrMake(Lock &lock, ContextSlot *slot);
  void end(Lock &lock, ContextSlot &slot);
  void endUse(ContextSlot &slot);

  std::mutex mutex;
  std::condition_variable changed; // uses, isEnding
  std::map<uint64_t, std::unique_ptr<ContextSlot>> slots;
  unsigned devices = 0; ///< 0: not counted yet, or VX_DEVICES is wrong
  bool countFailed = false;
  bool isOrphan =
      false; ///< a process forked from one that had contexts, whose threads are not here
  unsigned defaultDevice = 0;
  uint64_t nextSlot = 1, nextContext = 1;
  Opener opener;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_RUNTIME_H
