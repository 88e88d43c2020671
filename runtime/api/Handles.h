// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The streams and events of the program. A handle is a number that is never used twice, so that a
// stale one is an error and nothing worse.

#ifndef VX_RUNTIME_API_HANDLES_H
#define VX_RUNTIME_API_HANDLES_H

#include "runtime/api/Api.h"
#include <map>
#include <mutex>

namespace vx::rt {

struct StreamRecord {
  std::shared_ptr<Stream> stream;
  unsigned flags = 0;
};

struct EventRecord {
  unsigned flags = 0;
  std::shared_ptr<EventTicket> ticket; ///< of the last recording; null: never recorded
};

/// Objects of one kind by their handles.
template <typename Handle, typename Object> class HandleTable {
public:
  Handle add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex);
    Handle handle = reinterpret_cast<Handle>(next);
    next += 16;
    objects.emplace(handle, std::move(object));
    return handle;
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
  void clear() {
    std::lock_guard lock(mutex);
    objects.clear();
  }

private:
  std::mutex mutex;
  std::map<Handle, std::shared_ptr<Object>> objects;
  uintptr_t next = 0x1000; // small numbers name the implicit streams
};

HandleTable<cudaStream_t, StreamRecord> &streams();
HandleTable<cudaEvent_t, EventRecord> &events();

} // namespace vx::rt

#endif // VX_RUNTIME_API_HANDLES_H
