// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual memory management: addresses, memory, and which memory is at which address. Addresses are
// reserved in the current context's device. Memory has a place only where it is mapped; in between,
// its bytes are kept here. It can be at one address at a time.

#include "runtime/driver/Driver.h"
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

constexpr uint64_t kGranularity = Allocator::kPage;

struct Memory {
  uint64_t size = 0;
  CUmemAllocationProp properties{};
  unsigned references = 1; ///< of the program
  bool isMapped = false;
  std::vector<uint8_t> bytes; ///< while it is not mapped; empty: it has never been
};

struct Mapping {
  uint64_t size = 0;
  CUmemGenericAllocationHandle handle = 0;
  uint8_t access = 0;    ///< bits of MemAccess
  bool isLoaded = false; ///< the memory's bytes are there
};

struct Reservation {
  uint64_t size = 0, slot = 0, context = 0;
  std::map<uint64_t, Mapping> mappings; // by address
  std::vector<uint64_t> noted;          // ranges that copies may touch
};

struct VirtualMemory {
  std::mutex mutex;
  std::map<uint64_t, Reservation> reservations; // by address
  std::map<CUmemGenericAllocationHandle, Memory> memories;
  CUmemGenericAllocationHandle nextHandle = 16;
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
    context.forgetRange(address);
  reservation.noted.clear();
  uint64_t start = 0, end = 0;
  auto note = [&] {
    if (end == start)
      return;
    context.noteRange(start, end - start);
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

/// Puts the bytes of a mapping's memory in their place.
cudaError_t loadBytes(Context &context, uint64_t address, Mapping &mapping) {
  if (mapping.isLoaded)
    return cudaSuccess;
  Memory &memory = state().memories[mapping.handle];
  cudaError_t e = context.setAccess(address, mapping.size, kMemRead | kMemWrite);
  if (e != cudaSuccess)
    return e;
  e = context.scheduler().withDevice([&] {
    return memory.bytes.empty() ? context.fill(address, 0, mapping.size)
                                : context.write(address, memory.bytes);
  });
  if (e != cudaSuccess)
    return e;
  memory.bytes.clear();
  mapping.isLoaded = true;
  return cudaSuccess;
}

/// Takes a mapping away; the memory's bytes are kept if somebody can map it again.
cudaError_t unload(Context &context, uint64_t address, Mapping &mapping) {
  auto it = state().memories.find(mapping.handle);
  Memory &memory = it->second;
  memory.isMapped = false;
  cudaError_t e = cudaSuccess;
  if (memory.references && mapping.isLoaded) {
    e = context.setAccess(address, mapping.size, kMemRead);
    memory.bytes.resize(mapping.size);
    if (e == cudaSuccess)
      e = context.scheduler().withDevice([&] { return context.read(address, memory.bytes); });
  }
  if (!memory.references)
    state().memories.erase(it);
  cudaError_t closed = context.setAccess(address, mapping.size, 0);
  return e == cudaSuccess ? closed : e;
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
  if (alignment > kGranularity) // device addresses are aligned to pages
    return CUDA_ERROR_NOT_SUPPORTED;
  return withContext([&](Context &context) { // the wished address is a hint
    uint64_t base = 0;
    if (cudaError_t e = context.reserveAddresses(size, base); e != cudaSuccess)
      return fromRuntime(e);
    std::lock_guard lock(state().mutex);
    Reservation &made = state().reservations[base];
    made = {};
    made.size = size;
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
    result = fromRuntime(context->releaseAddresses(address));
  state().reservations.erase(it);
  return result;
}

extern "C" CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                                const CUmemAllocationProp *properties, unsigned long long flags) {
  if (!handle || size == 0 || !isAligned(size) || flags || !areProperties(properties))
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  return withContext([&](Context &context) {
    if (size > context.memInfo().total)
      return CUDA_ERROR_OUT_OF_MEMORY;
    std::lock_guard lock(state().mutex);
    *handle = state().nextHandle;
    state().nextHandle += 16;
    Memory &memory = state().memories[*handle];
    memory.size = size;
    memory.properties = *properties;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  std::lock_guard lock(state().mutex);
  auto it = state().memories.find(handle);
  if (it == state().memories.end() || it->second.references == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (--it->second.references == 0 && !it->second.isMapped)
    state().memories.erase(it);
  return CUDA_SUCCESS;
}

extern "C" CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                             CUmemGenericAllocationHandle handle, unsigned long long flags) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (size == 0 || !isAligned(address) || !isAligned(size) || offset || flags)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(state().mutex);
  auto memory = state().memories.find(handle);
  Reservation *reservation = findReservation(address, size);
  if (memory == state().memories.end() || memory->second.references == 0 || !reservation ||
      size != memory->second.size)
    return CUDA_ERROR_INVALID_VALUE;
  if (memory->second.isMapped)
    return CUDA_ERROR_NOT_SUPPORTED;
  for (const auto &[base, mapping] : reservation->mappings)
    if (AddressRange{base, mapping.size}.overlaps(address, size))
      return CUDA_ERROR_INVALID_VALUE;
  memory->second.isMapped = true;
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
  ContextUse context = contextOf(*reservation);
  if (!context)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  context->scheduler().waitForAll();
  cudaError_t result = cudaSuccess;
  for (auto &[base, mapping] : mappings) {
    cudaError_t e = unload(*context, base, *mapping);
    result = result == cudaSuccess ? e : result;
  }
  for (auto &[base, mapping] : mappings)
    reservation->mappings.erase(base);
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
    // Other devices see the memory by copies.
    if (unsigned(wanted.location.id) != context->identity().number) {
      if (wanted.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE)
        return CUDA_ERROR_NOT_SUPPORTED;
      continue;
    }
    for (auto &[base, mapping] : mappings) {
      cudaError_t e = loadBytes(*context, base, *mapping);
      mapping->access = accessBits(wanted.flags);
      if (e == cudaSuccess)
        e = context->setAccess(base, mapping->size, mapping->access);
      if (e != cudaSuccess)
        return fromRuntime(e);
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
  *flags = !own || !mapping->access             ? CU_MEM_ACCESS_FLAGS_PROT_NONE
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
