// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and events of other processes. Device memory is memory of a process: a handle tells where
// its pages are found.

#include "runtime/core/SharedEvent.h"
#include "runtime/cuda/Api.h"
#include "runtime/memory/DeviceMemory.h"
#include <cstring>
#include <map>
#include <unistd.h>

using namespace vx::rt;

namespace {

enum class HandleKind : uint32_t { Memory = 0x4d495856, Event = 0x45495856 };

/// The content of a handle.
struct HandleData {
  HandleKind kind;
  uint32_t reserved;
  SharedPagesName name;
  uint64_t size; ///< of the allocation, in bytes
};
static_assert(sizeof(HandleData) <= CUDA_IPC_HANDLE_SIZE);

template <typename Handle> void store(Handle &handle, const HandleData &data) {
  std::memset(&handle, 0, sizeof handle);
  std::memcpy(handle.reserved, &data, sizeof data);
}

template <typename Handle>
cudaError_t load(const Handle &handle, HandleKind kind, HandleData &data) {
  std::memcpy(&data, handle.reserved, sizeof data);
  if (data.kind != kind)
    return cudaErrorInvalidResourceHandle;
  // As on NVIDIA's devices: who has exported it has it already.
  return data.name.process == getpid() ? cudaErrorDeviceUninitialized : cudaSuccess;
}

/// The memory that a context has opened: opened again, it is the same.
struct Opened {
  SharedPagesName name;
  unsigned times = 0;
};
struct OpenedMemory {
  std::mutex mutex;
  std::map<std::pair<uint64_t, uint64_t>, Opened> opened; // by context and address
};

OpenedMemory &openedMemory() {
  static OpenedMemory *memory = new OpenedMemory;
  return *memory;
}

} // namespace

extern "C" cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  return callWithContext([&](Context &context) {
    uint64_t address = addressOf(pointer);
    if (!handle || !context.memory().isAllocation(address))
      return cudaErrorInvalidValue;
    if (!context.sharesMemory())
      return cudaErrorNotSupported;
    std::optional<AddressRange> range = context.findDeviceRange(address);
    std::shared_ptr<SharedPages> pages = context.memory().sharePages(address);
    if (!range || !pages)
      return cudaErrorMemoryAllocation;
    store(*handle, {HandleKind::Memory, 0, pages->name(), range->size});
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle,
                                            unsigned flags) {
  return callWithContext([&](Context &context) {
    if (!pointer || flags != cudaIpcMemLazyEnablePeerAccess)
      return cudaErrorInvalidValue;
    if (!context.sharesMemory())
      return cudaErrorNotSupported;
    HandleData data;
    if (cudaError_t e = load(handle, HandleKind::Memory, data); e != cudaSuccess)
      return e;
    OpenedMemory &memory = openedMemory();
    std::lock_guard lock(memory.mutex);
    for (auto &[key, opened] : memory.opened)
      if (key.first == context.id() && opened.name.inode == data.name.inode &&
          opened.name.device == data.name.device) {
        ++opened.times;
        *pointer = pointerTo(key.second);
        return cudaSuccess;
      }
    vx::Result<std::shared_ptr<SharedPages>> pages = SharedPages::open(data.name);
    if (!pages || data.size > (*pages)->size())
      return cudaErrorMapBufferObjectFailed;
    uint64_t address = 0;
    if (cudaError_t e = context.memory().importPages(*pages, data.size, address); e != cudaSuccess)
      return e;
    memory.opened[{context.id(), address}] = {data.name, 1};
    *pointer = pointerTo(address);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  return callWithContext([&](Context &context) {
    OpenedMemory &memory = openedMemory();
    std::lock_guard lock(memory.mutex);
    auto it = memory.opened.find({context.id(), addressOf(pointer)});
    if (it == memory.opened.end())
      return cudaErrorInvalidValue;
    if (--it->second.times)
      return cudaSuccess;
    memory.opened.erase(it);
    return context.memory().closeImport(addressOf(pointer));
  });
}

extern "C" cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  return callWithContext([&](Context &context) {
    EventUse use = findEvent(context, event);
    if (!handle || !use.event)
      return use.event ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    if (!use.event->shared())
      return cudaErrorInvalidResourceHandle;
    store(*handle, {HandleKind::Event, 0, use.event->shared()->name(), 0});
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  return callWithContext([&](Context &context) {
    if (!event)
      return cudaErrorInvalidValue;
    HandleData data;
    if (cudaError_t e = load(handle, HandleKind::Event, data); e != cudaSuccess)
      return e;
    vx::Result<std::shared_ptr<SharedEvent>> shared = SharedEvent::open(data.name);
    if (!shared)
      return cudaErrorMapBufferObjectFailed;
    unsigned flags = cudaEventInterprocess | cudaEventDisableTiming;
    *event = context.handles().events.add(std::make_shared<EventRecord>(flags, *shared));
    return cudaSuccess;
  });
}
