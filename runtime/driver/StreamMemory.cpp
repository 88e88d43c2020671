// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream memory operations: a stream that waits until a word in memory has a value, and that writes
// one. A wait is an event that a thread of its own completes, so that waiting streams do not
// hold up others.

#include "runtime/driver/Api.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/HostMemory.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <list>
#include <memory>
#include <thread>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

/// The word at an address, of 4 or 8 bytes; in host memory that the device shares, or the device's
/// own.
struct Word {
  CUdeviceptr address = 0;
  size_t size = 4;
  bool onHost = false;

  uint64_t load(Context &context) const {
    if (onHost)
      return size == 8
                 ? __atomic_load_n(static_cast<uint64_t *>(pointer(address)), __ATOMIC_ACQUIRE)
                 : __atomic_load_n(static_cast<uint32_t *>(pointer(address)), __ATOMIC_ACQUIRE);
    uint8_t bytes[8] = {};
    (void)context.scheduler().withDevice(
        [&] { return context.memory().read(address, {bytes, size}); });
    uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  cudaError_t store(Context &context, uint64_t value) const {
    if (onHost) {
      if (size == 8)
        __atomic_store_n(static_cast<uint64_t *>(pointer(address)), value, __ATOMIC_RELEASE);
      else
        __atomic_store_n(static_cast<uint32_t *>(pointer(address)), uint32_t(value),
                         __ATOMIC_RELEASE);
      return cudaSuccess;
    }
    uint8_t bytes[8];
    std::memcpy(bytes, &value, sizeof bytes);
    return context.memory().write(address, {bytes, size});
  }
};

bool compare(uint64_t have, uint64_t want, size_t size, unsigned flags) {
  if (size == 4) {
    have = uint32_t(have);
    want = uint32_t(want);
  }
  switch (flags) {
  case CU_STREAM_WAIT_VALUE_EQ:
    return have == want;
  case CU_STREAM_WAIT_VALUE_AND:
    return (have & want) != 0;
  case CU_STREAM_WAIT_VALUE_NOR:
    return size == 4 ? uint32_t(~(have | want)) != 0 : ~(have | want) != 0;
  default: // CU_STREAM_WAIT_VALUE_GEQ, cyclic
    return size == 4 ? int32_t(uint32_t(have) - uint32_t(want)) >= 0 : int64_t(have - want) >= 0;
  }
}

struct Wait {
  uint64_t slot = 0, context = 0;
  Word word;
  uint64_t value = 0;
  unsigned flags = 0;
  std::shared_ptr<EventTicket> ticket;
};

/// Looks at the words that streams wait for. Its thread runs while there are any.
class Watcher {
public:
  static Watcher &get() {
    static auto *watcher = new Watcher; // outlives every static object of the program
    return *watcher;
  }
  void add(Wait wait) {
    std::lock_guard lock(mutex);
    waits.push_back(std::move(wait));
    if (!running) {
      running = true;
      std::thread([this] { run(); }).detach();
    }
  }

private:
  /// Returns true if WAIT is over: its word has the value, or nothing more happens in its context.
  static bool isOver(const Wait &wait) {
    ContextUse use = Runtime::get().find(wait.slot);
    if (!use || use->id() != wait.context || use->stickyError() != cudaSuccess)
      return true;
    return compare(wait.word.load(*use), wait.value, wait.word.size, wait.flags);
  }
  void run() {
    std::unique_lock lock(mutex);
    while (!waits.empty()) {
      std::list<Wait> looked = std::move(waits);
      waits.clear();
      lock.unlock();
      for (auto it = looked.begin(); it != looked.end();) {
        if (!isOver(*it)) {
          ++it;
          continue;
        }
        for (const std::weak_ptr<SchedulerSignals> &listener : it->ticket->complete())
          if (std::shared_ptr<SchedulerSignals> other = listener.lock())
            other->wake();
        it = looked.erase(it);
      }
      if (!looked.empty())
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      lock.lock();
      waits.splice(waits.begin(), looked);
    }
    running = false;
  }

  std::mutex mutex;
  std::list<Wait> waits;
  bool running = false;
};

cudaError_t findWord(Context &context, CUdeviceptr address, size_t size, Word &word) {
  if (address % size)
    return cudaErrorInvalidValue;
  word.address = address;
  word.size = size;
  if (std::optional<HostRegion> region = HostMemory::get().find(pointer(address))) {
    word.onHost = true;
    return AddressRange{region->base, region->size}.contains(address, size) ? cudaSuccess
                                                                            : cudaErrorInvalidValue;
  }
  return context.isDeviceRange(address, size) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t enqueueWait(Context &context, CUstream handle, CUdeviceptr address, size_t size,
                        uint64_t value, unsigned flags) {
  StreamUse use = findStream(context, handle);
  if (!use.stream)
    return cudaErrorInvalidResourceHandle;
  unsigned kind = flags & ~unsigned(CU_STREAM_WAIT_VALUE_FLUSH);
  if (kind > CU_STREAM_WAIT_VALUE_NOR)
    return cudaErrorInvalidValue;
  Wait wait;
  if (cudaError_t e = findWord(*use.context, address, size, wait.word); e != cudaSuccess)
    return e;
  wait.value = value;
  wait.flags = kind;
  wait.slot = use.owner ? use.owner.slotId() : currentSlot();
  wait.context = use.context->id();
  wait.ticket = std::make_shared<EventTicket>();
  std::shared_ptr<EventTicket> ticket = wait.ticket;
  // The word counts from the moment on at which the stream gets here.
  enqueueInStream(*use.context, use.stream, [wait] {
    Watcher::get().add(wait);
    return cudaSuccess;
  });
  use.context->scheduler().enqueue(use.stream, {nullptr, ticket, false});
  return cudaSuccess;
}

cudaError_t enqueueWrite(Context &context, CUstream handle, CUdeviceptr address, size_t size,
                         uint64_t value, unsigned flags) {
  StreamUse use = findStream(context, handle);
  if (!use.stream)
    return cudaErrorInvalidResourceHandle;
  if (flags & ~unsigned(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER))
    return cudaErrorInvalidValue;
  Word word;
  if (cudaError_t e = findWord(*use.context, address, size, word); e != cudaSuccess)
    return e;
  Context &owner = *use.context;
  enqueueInStream(owner, use.stream, [word, value, &owner] { return word.store(owner, value); });
  return cudaSuccess;
}

/// One operation of cuStreamBatchMemOp. Operations of one stream are in order, so that barriers
/// hold.
cudaError_t enqueueOne(Context &context, CUstream stream, const CUstreamBatchMemOpParams &p) {
  switch (p.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    return enqueueWait(context, stream, p.waitValue.address, 4, p.waitValue.value,
                       p.waitValue.flags);
  case CU_STREAM_MEM_OP_WAIT_VALUE_64:
    return enqueueWait(context, stream, p.waitValue.address, 8, p.waitValue.value64,
                       p.waitValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    return enqueueWrite(context, stream, p.writeValue.address, 4, p.writeValue.value,
                        p.writeValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_64:
    return enqueueWrite(context, stream, p.writeValue.address, 8, p.writeValue.value64,
                        p.writeValue.flags);
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
  case CU_STREAM_MEM_OP_BARRIER:
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

} // namespace

extern "C" CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                        unsigned flags) {
  return withContext([&](Context &context) {
    return fromRuntime(enqueueWait(context, stream, address, 4, value, flags));
  });
}

extern "C" CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                        unsigned flags) {
  return withContext([&](Context &context) {
    return fromRuntime(enqueueWait(context, stream, address, 8, value, flags));
  });
}

extern "C" CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                         unsigned flags) {
  return withContext([&](Context &context) {
    return fromRuntime(enqueueWrite(context, stream, address, 4, value, flags));
  });
}

extern "C" CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                         unsigned flags) {
  return withContext([&](Context &context) {
    return fromRuntime(enqueueWrite(context, stream, address, 8, value, flags));
  });
}

extern "C" CUresult cuStreamBatchMemOp(CUstream stream, unsigned count,
                                       CUstreamBatchMemOpParams *operations, unsigned flags) {
  constexpr unsigned kMostOperations = 256;
  if (flags || count > kMostOperations || (count && !operations))
    return CUDA_ERROR_INVALID_VALUE;
  return withContext([&](Context &context) {
    for (unsigned i = 0; i < count; ++i)
      if (cudaError_t e = enqueueOne(context, stream, operations[i]); e != cudaSuccess)
        return fromRuntime(e);
    return CUDA_SUCCESS;
  });
}
