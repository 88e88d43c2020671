// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts: primary ones, which the runtime API has too, and others. A handle is made of the
// context's slot (Runtime.h). Each thread has a stack of contexts; the top one is current in both
// APIs.

#include "runtime/driver/Modules.h"
#include "runtime/memory/DeviceMemory.h"
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace vx::rt::driver {

namespace {

std::atomic<bool> initialized{false};

/// Slots become handles that are neither small numbers nor null.
constexpr uint64_t kHandleUnit = 64, kHandleBase = 0x1000;

/// The slots below the current context in the calling thread's stack; 0: none was current.
thread_local std::vector<uint64_t> below;

struct OwnContext {
  unsigned flags = 0;
  CUdevice device = 0;
};

struct Contexts {
  std::mutex mutex;
  std::map<uint64_t, OwnContext> own; // by slot
  // Of primary contexts, by device.
  std::map<CUdevice, unsigned> retained, flags;
};

Contexts &contexts() {
  static auto *instance = new Contexts;
  return *instance;
}

bool areFlags(unsigned flags) {
  unsigned schedule = flags & 7;
  bool one = schedule == CU_CTX_SCHED_AUTO || schedule == CU_CTX_SCHED_SPIN ||
             schedule == CU_CTX_SCHED_YIELD || schedule == CU_CTX_SCHED_BLOCKING_SYNC;
  return one && !(flags & ~unsigned(CU_CTX_FLAGS_MASK));
}

/// Returns true if SLOT is a context that can be made current: one that exists, or a primary one.
bool isContext(uint64_t slot) {
  {
    std::lock_guard lock(contexts().mutex);
    if (contexts().own.count(slot))
      return true;
  }
  return bool(Runtime::get().find(slot));
}

unsigned flagsOf(uint64_t slot, CUdevice device) {
  std::lock_guard lock(contexts().mutex);
  auto it = contexts().own.find(slot);
  return it != contexts().own.end() ? it->second.flags : contexts().flags[device];
}

bool isOwn(uint64_t slot) {
  std::lock_guard lock(contexts().mutex);
  return contexts().own.count(slot) != 0;
}

} // namespace

CUcontext contextHandle(uint64_t slot) {
  return slot ? reinterpret_cast<CUcontext>(kHandleBase + slot * kHandleUnit) : nullptr;
}

uint64_t slotOf(CUcontext context) {
  auto value = reinterpret_cast<uintptr_t>(context);
  return value > kHandleBase && value % kHandleUnit == 0 ? (value - kHandleBase) / kHandleUnit : 0;
}

uint64_t currentSlot() {
  if (uint64_t chosen = Runtime::get().currentSlot())
    return chosen;
  // The runtime API has made its context current without having been asked.
  ContextUse implicit = Runtime::get().existing();
  return implicit && implicit->isUsedByRuntime() ? implicit.slotId() : 0;
}

CUresult checkInitialized() {
  // The runtime API calls cuInit for programs that use it first.
  if (!initialized && Runtime::get().existing())
    initialized = true;
  return initialized ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult checkContext() {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  return currentSlot() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult checkDevice(CUdevice device) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  return device >= 0 && unsigned(device) < Runtime::get().deviceCount() ? CUDA_SUCCESS
                                                                        : CUDA_ERROR_INVALID_DEVICE;
}

} // namespace vx::rt::driver

using namespace vx::rt;
using namespace vx::rt::driver;

extern "C" CUresult cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (Runtime::get().deviceCount() == 0)
    return CUDA_ERROR_NO_DEVICE;
  initialized = true;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  ContextUse primary = Runtime::get().primary(unsigned(device));
  if (!primary)
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  std::lock_guard lock(contexts().mutex);
  ++contexts().retained[device];
  *context = contextHandle(primary.slotId());
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  {
    std::lock_guard lock(contexts().mutex);
    unsigned &count = contexts().retained[device];
    if (count == 0)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (--count)
      return CUDA_SUCCESS;
  }
  // The runtime API keeps it as long as the process.
  ContextUse primary = Runtime::get().existingPrimary(unsigned(device));
  bool keep = !primary || primary->isUsedByRuntime();
  primary = {};
  if (!keep)
    Runtime::get().reset(unsigned(device));
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  if (Scheduler::inHostFunction())
    return CUDA_ERROR_NOT_PERMITTED;
  Runtime::get().reset(unsigned(device));
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  if (!areFlags(flags))
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(contexts().mutex);
  contexts().flags[device] = flags;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  *active = Runtime::get().existingPrimary(unsigned(device)) ? 1 : 0;
  std::lock_guard lock(contexts().mutex);
  *flags = contexts().flags[device];
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  if (!context || !areFlags(flags))
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t slot = Runtime::get().create(unsigned(device));
  if (!slot)
    return CUDA_ERROR_OUT_OF_MEMORY;
  {
    std::lock_guard lock(contexts().mutex);
    contexts().own[slot] = {flags, device};
  }
  below.push_back(currentSlot());
  Runtime::get().setCurrentSlot(slot);
  *context = contextHandle(slot);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *, int count,
                                   unsigned flags, CUdevice device) {
  return count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : cuCtxCreate(context, flags, device);
}

extern "C" CUresult cuCtxDestroy(CUcontext context) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  uint64_t slot = slotOf(context);
  {
    std::lock_guard lock(contexts().mutex);
    if (!contexts().own.erase(slot))
      return CUDA_ERROR_INVALID_CONTEXT;
  }
  // Of this thread, it is taken off the stack; of others, it stays current, and calls are errors.
  if (Runtime::get().currentSlot() == slot) {
    uint64_t next = below.empty() ? 0 : below.back();
    if (!below.empty())
      below.pop_back();
    Runtime::get().setCurrentSlot(next);
  }
  bool existed = Runtime::get().destroy(slot);
  Modules::get().removeOf(slot);
  return existed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

extern "C" CUresult cuCtxPushCurrent(CUcontext context) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  uint64_t slot = slotOf(context);
  if (!isContext(slot))
    return CUDA_ERROR_INVALID_CONTEXT;
  below.push_back(currentSlot());
  Runtime::get().setCurrentSlot(slot);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxPopCurrent(CUcontext *context) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (context)
    *context = contextHandle(currentSlot());
  Runtime::get().setCurrentSlot(below.empty() ? 0 : below.back());
  if (!below.empty())
    below.pop_back();
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxSetCurrent(CUcontext context) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  uint64_t slot = slotOf(context);
  if (context && !isContext(slot))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!context && !below.empty()) { // pops
    slot = below.back();
    below.pop_back();
  }
  Runtime::get().setCurrentSlot(slot);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxGetCurrent(CUcontext *context) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = contextHandle(currentSlot());
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxGetDevice(CUdevice *device) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = int(Runtime::get().currentDevice());
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxGetFlags(unsigned *flags) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = flagsOf(currentSlot(), int(Runtime::get().currentDevice()));
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxSetFlags(unsigned flags) {
  if (CUresult e = checkContext(); e != CUDA_SUCCESS)
    return e;
  if (!areFlags(flags))
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(contexts().mutex);
  auto it = contexts().own.find(currentSlot());
  if (it != contexts().own.end())
    it->second.flags = flags;
  else
    contexts().flags[int(Runtime::get().currentDevice())] = flags;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  uint64_t slot = context ? slotOf(context) : currentSlot();
  if (!isContext(slot))
    return context ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  ContextUse use = Runtime::get().find(slot);
  *id = use ? use->id() : slot;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  uint64_t slot = context ? slotOf(context) : currentSlot();
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isContext(slot))
    return CUDA_ERROR_INVALID_CONTEXT;
  *version = isOwn(slot) ? 3020 : 3010; // as NVIDIA's: cuCtxCreate_v2, and the first form
  return CUDA_SUCCESS;
}

extern "C" CUresult cuCtxSynchronize() {
  return callInContext([] { return cudaDeviceSynchronize(); });
}

static bool isLimit(CUlimit limit) {
  return limit >= CU_LIMIT_STACK_SIZE && limit <= CU_LIMIT_PERSISTING_L2_CACHE_SIZE;
}

extern "C" CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  if (!isLimit(limit))
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  return callInContext([&] { return cudaDeviceSetLimit(cudaLimit(limit), value); });
}

extern "C" CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  if (value && !isLimit(limit))
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  return callInContext([&] { return cudaDeviceGetLimit(value, cudaLimit(limit)); });
}

extern "C" CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  return callInContext(
      [&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache *>(config)); });
}

extern "C" CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return callInContext([&] { return cudaDeviceSetCacheConfig(cudaFuncCache(config)); });
}

extern "C" CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  return callInContext([&] {
    return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig *>(config));
  });
}

extern "C" CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return callInContext([&] { return cudaDeviceSetSharedMemConfig(cudaSharedMemConfig(config)); });
}

extern "C" CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return callInContext([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

extern "C" CUresult cuCtxResetPersistingL2Cache() {
  return callInContext([] { return cudaCtxResetPersistingL2Cache(); });
}

extern "C" CUresult cuCtxGetExecAffinity(CUexecAffinityParam *, CUexecAffinityType) {
  CUresult e = checkContext();
  return e == CUDA_SUCCESS ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : e;
}

/// cuCtxAttach and cuCtxDetach are from before contexts had stacks.
extern "C" CUresult cuCtxAttach(CUcontext *context, unsigned flags) {
  return flags ? CUDA_ERROR_INVALID_VALUE : cuCtxGetCurrent(context);
}

extern "C" CUresult cuCtxDetach(CUcontext context) {
  return cuCtxDestroy(context);
}

/// Runs BODY(current context, PEER's).
template <typename Body> static CUresult withPeer(CUcontext peer, Body &&body) {
  return withContext([&](Context &context) {
    ContextUse other = Runtime::get().find(slotOf(peer));
    return other && &*other != &context ? body(context, *other) : CUDA_ERROR_INVALID_CONTEXT;
  });
}

extern "C" CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  return withPeer(peer, [](Context &context, Context &other) {
    if (other.identity().number == context.identity().number) // a device is not its own peer
      return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    return fromRuntime(context.memory().enablePeer(other.memory()));
  });
}

extern "C" CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return withPeer(peer, [](Context &context, Context &other) {
    return fromRuntime(context.memory().disablePeer(other.memory()));
  });
}
