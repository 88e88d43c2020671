// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the API keeps for each thread. Destructors of static objects use the API, too, and run when
// the thread_local objects of the main thread are gone.

#ifndef VX_RUNTIME_CUDA_PERTHREAD_H
#define VX_RUNTIME_CUDA_PERTHREAD_H

#include <utility>

namespace vx::rt {

/// One T for each thread, made at its first use and deleted with the thread. What is used after
/// that is made anew, and stays.
template <typename T> class PerThread {
public:
  static T &get() {
    if (!object) {
      object = new T;
      if (!hasEnded)
        owner.isNeeded = true;
    }
    return *object;
  }

private:
  struct Owner {
    bool isNeeded = false; // a use, without which it is not made
    ~Owner() {
      hasEnded = true;
      delete std::exchange(object, nullptr);
    }
  };
  static inline thread_local T *object = nullptr;
  static inline thread_local bool hasEnded = false;
  static inline thread_local Owner owner;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CUDA_PERTHREAD_H
