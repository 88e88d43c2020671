// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Managed memory: its allocation, and what the program says about its use.

#include "runtime/cuda/Api.h"
#include "runtime/memory/HostMemory.h"
#include "runtime/memory/MemoryAdvice.h"
#include <algorithm>
#include <span>

using namespace vx::rt;

extern "C" cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return recordError(cudaErrorInvalidValue);
  return allocateHost(pointer, size, HostRegionKind::Managed, flags);
}

namespace {

bool isManagedRange(const void *pointer, size_t size) {
  std::optional<HostRegion> region = HostMemory::get().find(pointer);
  return region && region->kind == HostRegionKind::Managed && size > 0 &&
         AddressRange{region->base, region->size}.contains(addressOf(pointer), size);
}

bool isPlace(int device) {
  return device == cudaCpuDeviceId ||
         (device >= 0 && unsigned(device) < Runtime::get().deviceCount());
}

cudaError_t advise(const void *pointer, size_t size, const std::function<void(Advice &)> &change) {
  if (!isManagedRange(pointer, size))
    return cudaErrorInvalidValue;
  MemoryAdvice::get().change(addressOf(pointer), size, change);
  return cudaSuccess;
}

} // namespace

extern "C" cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device,
                                            cudaStream_t stream) {
  return callWithContext([&](Context &context) {
    if (!isPlace(device))
      return cudaErrorInvalidDevice;
    if (!findStream(context, stream).stream)
      return cudaErrorInvalidResourceHandle;
    return advise(pointer, size, [&](Advice &advice) { advice.lastPrefetch = device; });
  });
}

extern "C" cudaError_t cudaMemAdvise(const void *pointer, size_t size, cudaMemoryAdvise what,
                                     int device) {
  bool needsPlace = what == cudaMemAdviseSetPreferredLocation ||
                    what == cudaMemAdviseSetAccessedBy || what == cudaMemAdviseUnsetAccessedBy;
  return callWithContext([&](Context &) {
    if (what < cudaMemAdviseSetReadMostly || what > cudaMemAdviseUnsetAccessedBy)
      return cudaErrorInvalidValue;
    if (needsPlace && !isPlace(device))
      return cudaErrorInvalidValue;
    return advise(pointer, size, [&](Advice &advice) {
      switch (what) {
      case cudaMemAdviseSetReadMostly:
      case cudaMemAdviseUnsetReadMostly:
        advice.readMostly = what == cudaMemAdviseSetReadMostly;
        break;
      case cudaMemAdviseSetPreferredLocation:
        advice.preferredLocation = device;
        break;
      case cudaMemAdviseUnsetPreferredLocation:
        advice.preferredLocation = Advice::kNowhere;
        break;
      case cudaMemAdviseSetAccessedBy:
        advice.accessedBy.insert(device);
        break;
      case cudaMemAdviseUnsetAccessedBy:
        advice.accessedBy.erase(device);
        break;
      }
    });
  });
}

/// LOCATION as a device's number, cudaCpuDeviceId for the host; false if it is none.
static bool readLocation(const cudaMemLocation &location, int &device) {
  switch (location.type) {
  case cudaMemLocationTypeDevice:
    device = location.id;
    return device >= 0;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    device = cudaCpuDeviceId;
    return true;
  default:
    return false;
  }
}

extern "C" cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t size,
                                               cudaMemLocation location, unsigned flags,
                                               cudaStream_t stream) {
  int device = 0;
  if (flags || !readLocation(location, device))
    return recordError(cudaErrorInvalidValue);
  return cudaMemPrefetchAsync(pointer, size, device, stream);
}

extern "C" cudaError_t cudaMemAdvise_v2(const void *pointer, size_t size, cudaMemoryAdvise what,
                                        cudaMemLocation location) {
  bool needsPlace = what == cudaMemAdviseSetPreferredLocation ||
                    what == cudaMemAdviseSetAccessedBy || what == cudaMemAdviseUnsetAccessedBy;
  int device = 0;
  if (!readLocation(location, device) && needsPlace)
    return recordError(cudaErrorInvalidValue);
  return cudaMemAdvise(pointer, size, what, device);
}

namespace {

/// Returns the FIELD that all of the pages have; kNowhere where they differ.
int commonPlace(const std::vector<Advice> &pages, int Advice::*field) {
  for (const Advice &page : pages)
    if (page.*field != pages.front().*field)
      return Advice::kNowhere;
  return pages.front().*field;
}

/// cudaMemLocationType: of nothing, of a device, of the host.
int kindOfPlace(int place) {
  return place == Advice::kNowhere ? 0 : place == cudaCpuDeviceId ? 2 : 1;
}

/// The devices that all of the pages name, then cudaInvalidDeviceId.
void listAccessors(const std::vector<Advice> &pages, std::span<int> list) {
  std::set<int> common = pages.front().accessedBy;
  for (const Advice &page : pages)
    std::erase_if(common, [&](int device) { return !page.accessedBy.contains(device); });
  auto next = common.begin();
  for (int &entry : list)
    entry = next == common.end() ? cudaInvalidDeviceId : *next++;
}

cudaError_t readAttribute(const std::vector<Advice> &pages, void *data, size_t size,
                          cudaMemRangeAttribute attribute) {
  int *value = static_cast<int *>(data);
  if (!data || size == 0 || size % sizeof(int) ||
      (attribute != cudaMemRangeAttributeAccessedBy && size != sizeof(int)))
    return cudaErrorInvalidValue;
  int preferred = commonPlace(pages, &Advice::preferredLocation);
  int prefetched = commonPlace(pages, &Advice::lastPrefetch);
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    *value = std::all_of(pages.begin(), pages.end(), [](const Advice &a) { return a.readMostly; });
    return cudaSuccess;
  case cudaMemRangeAttributePreferredLocation:
    *value = preferred;
    return cudaSuccess;
  case cudaMemRangeAttributeAccessedBy:
    listAccessors(pages, {value, size / sizeof(int)});
    return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocation:
    *value = prefetched;
    return cudaSuccess;
  case cudaMemRangeAttributePreferredLocationType:
    *value = kindOfPlace(preferred);
    return cudaSuccess;
  case cudaMemRangeAttributePreferredLocationId:
    *value = preferred < 0 ? 0 : preferred;
    return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocationType:
    *value = kindOfPlace(prefetched);
    return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocationId:
    *value = prefetched < 0 ? 0 : prefetched;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

} // namespace

extern "C" cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                                 cudaMemRangeAttribute *attributes, size_t count,
                                                 const void *pointer, size_t size) {
  return callWithContext([&](Context &) {
    if (!data || !sizes || !attributes || count == 0 || !isManagedRange(pointer, size))
      return cudaErrorInvalidValue;
    std::vector<Advice> pages = MemoryAdvice::get().find(addressOf(pointer), size);
    for (size_t i = 0; i < count; ++i)
      if (cudaError_t e = readAttribute(pages, data[i], sizes[i], attributes[i]); e != cudaSuccess)
        return e;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                                cudaMemRangeAttribute attribute,
                                                const void *pointer, size_t size) {
  return cudaMemRangeGetAttributes(&data, &dataSize, &attribute, 1, pointer, size);
}

/// Memory that is attached to a stream or to the host can be shared by both all the same: nothing
/// depends on it.
extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void *pointer, size_t size,
                                                unsigned flags) {
  return callWithContext([&](Context &context) {
    bool isSingle = flags == cudaMemAttachSingle;
    if (!isSingle && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
      return cudaErrorInvalidValue;
    if (!findStream(context, handle).stream)
      return cudaErrorInvalidResourceHandle;
    bool isImplicit = !handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
    if (isSingle && isImplicit)
      return cudaErrorInvalidValue;
    // All of an allocation, or nothing.
    std::optional<HostRegion> region = HostMemory::get().find(pointer);
    if (!region || region->kind != HostRegionKind::Managed || region->base != addressOf(pointer) ||
        (size != 0 && size != region->size))
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
