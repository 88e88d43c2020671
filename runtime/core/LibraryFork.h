// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_CORE_LIBRARYFORK_H
#define VX_RUNTIME_CORE_LIBRARYFORK_H

namespace vx::rt {

/// While one exists, a process that this thread forks uses nothing of the runtime, whose locks may
/// be this thread's.
class LibraryFork {
public:
  LibraryFork() { active = true; }
  ~LibraryFork() { active = false; }
  LibraryFork(const LibraryFork &) = delete;
  static bool isActive() { return active; }

private:
  static inline thread_local bool active = false;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_LIBRARYFORK_H
