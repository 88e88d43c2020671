// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all functions of the driver API share. It lies on the runtime API: a context, a stream, an
// event or a pointer is the same in both, and what both offer is done by the runtime's functions.

#ifndef VX_RUNTIME_DRIVER_API_H
#define VX_RUNTIME_DRIVER_API_H

#include "cuda.h"
#include "cudaProfiler.h"
#include "runtime/cuda/Api.h"
#include <cstdint>
#include <utility>

namespace vx::rt::driver {

/// Calls of the runtime API within it are not the program's.
class DriverCall {
public:
  DriverCall() : before(callMode.fromDriver) { callMode.fromDriver = true; }
  ~DriverCall() { callMode.fromDriver = before; }
  DriverCall(const DriverCall &) = delete;
  DriverCall &operator=(const DriverCall &) = delete;

private:
  bool before;
};

/// The driver API's code for an error of the runtime API.
CUresult fromRuntime(cudaError_t error);

/// The context of a slot (Runtime.h) as a handle, and back; 0 and null: none.
CUcontext contextHandle(uint64_t slot);
uint64_t slotOf(CUcontext context);
/// The slot of the calling thread's current context; 0: it has none.
uint64_t currentSlot();

/// CUDA_SUCCESS once cuInit has been called.
CUresult checkInitialized();
/// Checks that, and that the calling thread has a current context.
CUresult checkContext();
/// Checks that, and that DEVICE is one.
CUresult checkDevice(CUdevice device);

/// Returns what BODY does, which calls functions of the runtime API; reports an error, unless the
/// call is one of another call.
template <typename Body> CUresult asDriver(Body &&body) {
  CUresult result;
  {
    DriverCall guard;
    result = body();
  }
  if (!callMode.fromDriver)
    reportFailedCall(cudaError_t(result));
  return result;
}

/// Runs BODY, which returns a cudaError_t, for a program that has called cuInit.
template <typename Body> CUresult call(Body &&body) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  return asDriver([&] { return fromRuntime(body()); });
}

/// Does the same with a current context.
template <typename Body> CUresult callInContext(Body &&body) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  return asDriver([&] {
    cudaError_t e = body();
    bool isGone = e == cudaErrorInitializationError && !Runtime::get().find(currentSlot());
    return isGone ? CUDA_ERROR_CONTEXT_IS_DESTROYED : fromRuntime(e);
  });
}

/// Runs BODY(context) -> CUresult with the current context, unless that is broken.
template <typename Body> CUresult withContext(Body &&body) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (Scheduler::inHostFunction())
    return CUDA_ERROR_NOT_PERMITTED;
  return asDriver([&]() -> CUresult {
    ContextUse context = Runtime::get().context();
    if (!context)
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (cudaError_t sticky = context->stickyError(); sticky != cudaSuccess)
      return fromRuntime(sticky);
    return body(*context);
  });
}

inline void *pointer(CUdeviceptr address) {
  return reinterpret_cast<void *>(uintptr_t(address));
}

/// The function that SYMBOL names in a program for VERSION of CUDA, whose stream 0 is the thread's
/// own if PERTHREAD says so; null if there is none. ISKNOWN: a later release has it.
void *findFunction(const char *symbol, int version, bool perThread, bool &isKnown);

} // namespace vx::rt::driver

#endif // VX_RUNTIME_DRIVER_API_H
