// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The streams, events, arrays, textures and surfaces of a context. A handle is a number that is
// never used twice, in no context, so that a stale one is an error and nothing worse; only those of
// textures and surfaces are addresses, because kernels use them.

#ifndef VX_RUNTIME_CONTEXT_HANDLES_H
#define VX_RUNTIME_CONTEXT_HANDLES_H

#include "driver_types.h"
#include "runtime/context/Arrays.h"
#include "runtime/context/TextureObjects.h"
#include "runtime/core/Scheduler.h"
#include "runtime/core/SharedEvent.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace vx::rt {

struct StreamRecord {
  std::shared_ptr<Stream> stream;
  unsigned flags = 0;
};

class EventRecord {
public:
  /// SHARED: of an event of several processes; else null.
  explicit EventRecord(unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr)
      : flags(flags), sharedEvent(std::move(shared)) {}
  const unsigned flags;
  /// Its last recording was captured, and happens when a graph runs, if ever.
  std::atomic<bool> isOfCapture = false;
  const std::shared_ptr<SharedEvent> &shared() const { return sharedEvent; }

  /// The last recording; null: never recorded.
  std::shared_ptr<EventTicket> ticket() const {
    if (sharedEvent)
      return sharedEvent->ticket();
    std::lock_guard lock(mutex);
    return last;
  }
  /// A new recording takes the place of the last one.
  void record(std::shared_ptr<EventTicket> ticket) {
    isOfCapture = false;
    std::lock_guard lock(mutex);
    last = std::move(ticket);
  }

private:
  mutable std::mutex mutex; // threads may record and wait at the same time
  std::shared_ptr<EventTicket> last;
  const std::shared_ptr<SharedEvent> sharedEvent;
};

/// A number that was no handle before.
template <typename Handle> Handle newHandle() {
  static std::atomic<uintptr_t> next = 0x1000; // small numbers name the implicit streams
  return reinterpret_cast<Handle>(next.fetch_add(16));
}

/// Objects of one kind by their handles.
template <typename Handle, typename Object> class HandleTable {
public:
  Handle add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex);
    Handle handle = newHandle<Handle>();
    objects.emplace(handle, std::move(object));
    return handle;
  }
  void add(Handle handle, std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex);
    objects.insert_or_assign(handle, std::move(object));
  }
  std::shared_ptr<Object> find(Handle handle) {
    std::lock_guard lock(mutex);
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : it->second;
  }
  bool remove(Handle handle) {
    std::lock_guard lock(mutex);
    return objects.erase(handle) != 0;
  }

private:
  std::mutex mutex;
  std::map<Handle, std::shared_ptr<Object>> objects;
};

/// The attributes of streams that were set, by their ids.
class StreamAttributes {
public:
  using Values = std::map<int, cudaLaunchAttributeValue>;

  std::optional<cudaLaunchAttributeValue> get(uint64_t stream, int id) {
    std::lock_guard lock(mutex);
    Values &values = streams[stream];
    auto it = values.find(id);
    return it == values.end() ? std::nullopt : std::optional(it->second);
  }
  void set(uint64_t stream, int id, const cudaLaunchAttributeValue &value) {
    std::lock_guard lock(mutex);
    streams[stream][id] = value;
  }
  void copy(uint64_t to, uint64_t from) {
    std::lock_guard lock(mutex);
    streams[to] = Values(streams[from]);
  }
  void forget(uint64_t stream) {
    std::lock_guard lock(mutex);
    streams.erase(stream);
  }

private:
  std::mutex mutex;
  std::map<uint64_t, Values> streams;
};

struct Handles {
  StreamAttributes streamAttributes;
  HandleTable<cudaStream_t, StreamRecord> streams;
  HandleTable<cudaEvent_t, EventRecord> events;
  HandleTable<cudaArray_t, ArrayRecord> arrays;
  HandleTable<cudaMipmappedArray_t, MipmappedRecord> mipmappedArrays;
  HandleTable<cudaTextureObject_t, TextureObject> textures;
  HandleTable<cudaSurfaceObject_t, SurfaceObject> surfaces;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_HANDLES_H
