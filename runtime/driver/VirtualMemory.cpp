// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual memory management: addresses, memory, and which memory is at which address. Addresses are
// reserved in the current context's device. Memory is pages of the process's own (SharedPages),
// which can be at several addresses and go to other processes.

#include "runtime/core/SharedPages.h"
#include "runtime/driver/Api.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/PeerMemory.h"
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

constexpr uint64_t kGranularity = kPage;

/// The kind of handle by which memory can be shared.
constexpr CUmemAllocationHandleType kSharingHandle = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

struct Memory {
  std::shared_ptr<SharedPages> pages;
  CUmemAllocationProp properties{};
  unsigned references = 1; ///< of the program
  unsigned mappings = 0;
};

struct Mapping {
  uint64_t size = 0;
  CUmemGenericAllocationHandle handle = 0;
  uint8_t access = 0;             ///< bits of MemAccess
  std::set<unsigned> others = {}; ///< other devices than the reservation's that may access it
};

struct Reservation {
  uint64_t size = 0, slot = 0, context = 0;
  uint64_t block = 0;                   ///< the context's addresses that it is part of
  std::map<uint64_t, Mapping> mappings; // by address
  std::vector<uint64_t> noted;          // ranges that copies may touch
};

struct VirtualMemory {
  std::mutex mutex;
  std::map<uint64_t, Reservation> reservations; // by address
  std::map<CUmemGenericAllocationHandle, Memory> memories;
  CUmemGenericAllocationHandle nextHandle = 16;
  std::map<unsigned, std::shared_ptr<ExportList>> exported; // by the devices that may access it
};

VirtualMemory &state() {
  static auto *instance = new VirtualMemory;
  return *instance;
}

bool isAligned(uint64_t value) {
  return value % kGranularity == 0;
}

bool areProperties(const CUmemAllocationProp *p) {
  return p && p->type == CU_MEM_ALLOCATION_TYPE_PINNED &&
         p->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
         checkDevice(p->location.id) == CUDA_SUCCESS;
}

/// The reservation that holds [address, address + size); null if none does.
Reservation *findReservation(uint64_t address, uint64_t size, uint64_t *base = nullptr) {
  auto next = state().reservations.upper_bound(address);
  if (next == state().reservations.begin())
    return nullptr;
  auto it = std::prev(next);
  if (!AddressRange{it->first, it->second.size}.contains(address, size))
    return nullptr;
  if (base)
    *base = it->first;
  return &it->second;
}

/// The context of RESERVATION; none if that has ended.
ContextUse contextOf(const Reservation &reservation) {
  ContextUse use = Runtime::get().find(reservation.slot);
  return use && use->id() == reservation.context ? std::move(use) : ContextUse();
}

/// Tells CONTEXT which runs of mappings are accessible.
void noteRanges(Context &context, Reservation &reservation) {
  for (uint64_t address : reservation.noted)
    context.memory().forgetRange(address);
  reservation.noted.clear();
  uint64_t start = 0, end = 0;
  auto note = [&] {
    if (end == start)
      return;
    context.memory().noteRange(start, end - start);
    reservation.noted.push_back(start);
  };
  for (const auto &[address, mapping] : reservation.mappings) {
    if (!mapping.access)
      continue;
    if (address != end) {
      note();
      start = address;
    }
    end = address + mapping.size;
  }
  note();
}

/// Forgets the memory of HANDLE if it has no reference any more.
void dropUnused(CUmemGenericAllocationHandle handle) {
  auto it = state().memories.find(handle);
  if (it->second.references == 0 && it->second.mappings == 0)
    state().memories.erase(it);
}

CUmemGenericAllocationHandle addMemory(std::shared_ptr<SharedPages> pages,
                                       const CUmemAllocationProp &properties) {
  std::lock_guard lock(state().mutex);
  CUmemGenericAllocationHandle handle = state().nextHandle;
  state().nextHandle += 16;
  state().memories[handle] = {std::move(pages), properties};
  return handle;
}

/// Memory that the program still has a handle of; null if there is none.
Memory *findMemory(CUmemGenericAllocationHandle handle) {
  auto it = state().memories.find(handle);
  return it == state().memories.end() || it->second.references == 0 ? nullptr : &it->second;
}

uint8_t accessBits(CUmemAccess_flags flags) {
  switch (flags) {
  case CU_MEM_ACCESS_FLAGS_PROT_READ:
    return kMemRead;
  case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
    return kMemRead | kMemWrite;
  default:
    return 0;
  }
}

/// Lets DEVICE, which is not that of the reservation, access MAPPING at ADDRESS, or no longer.
CUresult setOtherAccess(unsigned device, uint64_t address, Mapping &mapping,
                        CUmemAccess_flags flags) {
  if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
    if (mapping.others.erase(device))
      state().exported.at(device)->remove(address);
    return CUDA_SUCCESS;
  }
  if (flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return CUDA_ERROR_NOT_SUPPORTED;
  std::shared_ptr<ExportList> &list = state().exported[device];
  if (!list)
    list = std::make_shared<ExportList>();
  list->add(address, {mapping.size, state().memories.at(mapping.handle).pages});
  DeviceGrants::get().grant(device, list);
  mapping.others.insert(device);
  return CUDA_SUCCESS;
}

/// The mappings that make up [address, address + size); none if it is not made of whole mappings.
bool findMappings(Reservation &reservation, uint64_t address, uint64_t size,
                  std::vector<std::pair<uint64_t, Mapping *>> &found) {
  uint64_t at = address, end = address + size;
  while (at < end) {
    auto it = reservation.mappings.find(at);
    if (it == reservation.mappings.end())
      return false;
    found.emplace_back(at, &it->second);
    at += it->second.size;
  }
  return at == end;
}

} // namespace

extern "C" CUresult cuMemGetAllocationGranularity(size_t *granularity,
                                                  const CUmemAllocationProp *properties,
                                                  CUmemAllocationGranularity_flags) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!granularity || !areProperties(properties))
    return CUDA_ERROR_INVALID_VALUE;
  *granularity = kGranularity;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment,
                                        CUdeviceptr, unsigned long long flags) {
  bool power = (alignment & (alignment - 1)) == 0;
  if (!address || size == 0 || !isAligned(size) || !power || flags)
    return CUDA_ERROR_INVALID_VALUE;
  // Device addresses are aligned to pages: of a larger block, a part is.
  uint64_t extra = alignment > kGranularity ? alignment - kGranularity : 0;
  if (size + extra < size)
    return CUDA_ERROR_OUT_OF_MEMORY;
  return withContext([&](Context &context) { // the wished address is a hint
    uint64_t block = 0;
    if (cudaError_t e = context.memory().reserveAddresses(size + extra, block); e != cudaSuccess)
      return fromRuntime(e);
    uint64_t base = extra ? (block + extra) & ~(uint64_t(alignment) - 1) : block;
    std::lock_guard lock(state().mutex);
    Reservation &made = state().reservations[base];
    made = {};
    made.size = size;
    made.block = block;
    made.slot = currentSlot();
    made.context = context.id();
    *address = base;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  DriverCall guard;
  std::lock_guard lock(state().mutex);
  auto it = state().reservations.find(address);
  if (it == state().reservations.end() || it->second.size != size || !it->second.mappings.empty())
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_SUCCESS;
  if (ContextUse context = contextOf(it->second))
    result = fromRuntime(context->memory().releaseAddresses(it->second.block));
  state().reservations.erase(it);
  return result;
}

extern "C" CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                                const CUmemAllocationProp *properties, unsigned long long flags) {
  if (!handle || size == 0 || !isAligned(size) || flags || !areProperties(properties))
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->requestedHandleTypes & ~kSharingHandle)
    return CUDA_ERROR_NOT_SUPPORTED;
  size_t total = 0;
  if (CUresult e = cuDeviceTotalMem(&total, properties->location.id); e != CUDA_SUCCESS)
    return e;
  if (size > total)
    return CUDA_ERROR_OUT_OF_MEMORY;
  vx::Result<std::shared_ptr<SharedPages>> pages = SharedPages::create(size);
  if (!pages)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = addMemory(*pages, *properties);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  std::lock_guard lock(state().mutex);
  Memory *memory = findMemory(handle);
  if (!memory)
    return CUDA_ERROR_INVALID_VALUE;
  --memory->references;
  dropUnused(handle);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemExportToShareableHandle(void *result, CUmemGenericAllocationHandle handle,
                                                 CUmemAllocationHandleType type,
                                                 unsigned long long flags) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  std::lock_guard lock(state().mutex);
  const Memory *memory = findMemory(handle);
  if (!result || flags || type != kSharingHandle || !memory ||
      !(memory->properties.requestedHandleTypes & type))
    return CUDA_ERROR_INVALID_VALUE;
  int file = memory->pages->duplicateFile();
  if (file < 0)
    return CUDA_ERROR_OPERATING_SYSTEM;
  *static_cast<int *>(result) = file; // the program's, to send and to close
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle,
                                                   void *shareable,
                                                   CUmemAllocationHandleType type) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!handle || type != kSharingHandle)
    return CUDA_ERROR_INVALID_VALUE;
  vx::Result<std::shared_ptr<SharedPages>> pages =
      SharedPages::openFile(int(reinterpret_cast<intptr_t>(shareable)));
  if (!pages)
    return CUDA_ERROR_INVALID_VALUE;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = type;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE; // device 0: the memory is not a device's
  *handle = addMemory(*pages, properties);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                             CUmemGenericAllocationHandle handle, unsigned long long flags) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (size == 0 || !isAligned(address) || !isAligned(size) || offset || flags)
    return CUDA_ERROR_INVALID_VALUE;
  DriverCall guard;
  std::lock_guard lock(state().mutex);
  Memory *memory = findMemory(handle);
  Reservation *reservation = findReservation(address, size);
  if (!memory || !reservation || size != memory->pages->size())
    return CUDA_ERROR_INVALID_VALUE;
  for (const auto &[base, mapping] : reservation->mappings)
    if (AddressRange{base, mapping.size}.overlaps(address, size))
      return CUDA_ERROR_INVALID_VALUE;
  ContextUse context = contextOf(*reservation);
  if (!context)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (cudaError_t e = context->memory().replace(address, size, memory->pages.get());
      e != cudaSuccess)
    return fromRuntime(e);
  ++memory->mappings;
  reservation->mappings[address] = {size, handle};
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemUnmap(CUdeviceptr address, size_t size) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  DriverCall guard;
  std::lock_guard lock(state().mutex);
  Reservation *reservation = findReservation(address, size);
  std::vector<std::pair<uint64_t, Mapping *>> mappings;
  if (size == 0 || !reservation || !findMappings(*reservation, address, size, mappings))
    return CUDA_ERROR_INVALID_VALUE;
  ContextUse context = contextOf(*reservation); // none: the device's addresses have ended with it
  if (context)
    context->scheduler().waitForAll();
  cudaError_t result = cudaSuccess;
  for (auto &[base, mapping] : mappings) {
    for (unsigned device : mapping->others)
      state().exported.at(device)->remove(base);
    cudaError_t e = context ? context->memory().replace(base, mapping->size, nullptr) : cudaSuccess;
    result = result == cudaSuccess ? e : result;
    --state().memories.at(mapping->handle).mappings;
    dropUnused(mapping->handle);
  }
  for (auto &[base, mapping] : mappings)
    reservation->mappings.erase(base);
  if (context)
    noteRanges(*context, *reservation);
  return fromRuntime(result);
}

extern "C" CUresult cuMemSetAccess(CUdeviceptr address, size_t size,
                                   const CUmemAccessDesc *descriptions, size_t count) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  DriverCall guard;
  if (size == 0 || count == 0 || !descriptions)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(state().mutex);
  Reservation *reservation = findReservation(address, size);
  std::vector<std::pair<uint64_t, Mapping *>> mappings;
  if (!reservation || !findMappings(*reservation, address, size, mappings))
    return CUDA_ERROR_INVALID_VALUE;
  ContextUse context = contextOf(*reservation);
  if (!context)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  for (size_t i = 0; i < count; ++i) {
    const CUmemAccessDesc &wanted = descriptions[i];
    if (wanted.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        checkDevice(wanted.location.id) != CUDA_SUCCESS)
      return CUDA_ERROR_INVALID_VALUE;
    if (unsigned(wanted.location.id) != context->identity().number) {
      for (auto &[base, mapping] : mappings)
        if (CUresult e = setOtherAccess(unsigned(wanted.location.id), base, *mapping, wanted.flags);
            e != CUDA_SUCCESS)
          return e;
      continue;
    }
    for (auto &[base, mapping] : mappings) {
      uint8_t access = accessBits(wanted.flags);
      if (cudaError_t e = context->memory().setAccess(base, mapping->size, access);
          e != cudaSuccess)
        return fromRuntime(e);
      mapping->access = access;
    }
  }
  noteRanges(*context, *reservation);
  return CUDA_SUCCESS;
}

/// The mapping that holds ADDRESS; null if none does. Called with the mutex held.
static Mapping *findMapping(uint64_t address, ContextUse *context = nullptr) {
  Reservation *reservation = findReservation(address, 1);
  if (!reservation)
    return nullptr;
  auto next = reservation->mappings.upper_bound(address);
  if (next == reservation->mappings.begin())
    return nullptr;
  auto it = std::prev(next);
  if (!AddressRange{it->first, it->second.size}.contains(address, 1))
    return nullptr;
  if (context)
    *context = contextOf(*reservation);
  return &it->second;
}

extern "C" CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                                   CUdeviceptr address) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(state().mutex);
  ContextUse context;
  const Mapping *mapping = findMapping(address, &context);
  if (!mapping || !context)
    return CUDA_ERROR_INVALID_VALUE;
  bool own = unsigned(location->id) == context->identity().number;
  bool other = mapping->others.contains(unsigned(location->id));
  *flags = !own ? (other ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE)
           : !mapping->access                   ? CU_MEM_ACCESS_FLAGS_PROT_NONE
           : (mapping->access & kMemWrite) != 0 ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                : CU_MEM_ACCESS_FLAGS_PROT_READ;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle,
                                                void *address) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  std::lock_guard lock(state().mutex);
  const Mapping *mapping = findMapping(addressOf(address));
  if (!handle || !mapping)
    return CUDA_ERROR_INVALID_VALUE;
  ++state().memories[mapping->handle].references;
  *handle = mapping->handle;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                           CUmemGenericAllocationHandle handle) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  std::lock_guard lock(state().mutex);
  auto it = state().memories.find(handle);
  if (!properties || it == state().memories.end())
    return CUDA_ERROR_INVALID_VALUE;
  *properties = it->second.properties;
  return CUDA_SUCCESS;
}
