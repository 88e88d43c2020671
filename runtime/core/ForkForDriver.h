// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_CORE_FORKFORDRIVER_H
#define VX_RUNTIME_CORE_FORKFORDRIVER_H

namespace vx::rt {

/// While one exists, a process that this thread forks uses nothing of the runtime, whose locks may
/// be this thread's.
class ForkForDriver {
public:
  ForkForDriver() { active = true; }
  ~ForkForDriver() { active = false; }
  ForkForDriver(const ForkForDriver &) = delete;
  static bool isActive() { return active; }

private:
  static inline thread_local bool active = false;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_FORKFORDRIVER_H
