// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of device, page-locked and managed memory.

#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/graphs/MemoryPools.h"
#include "runtime/memory/CheckedMemory.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/HostMemory.h"
#include "runtime/memory/MemoryAdvice.h"

using namespace vx::rt;

/// Rows start at multiples of this, as on NVIDIA's devices.
static constexpr size_t kPitchAlignment = 512;

static constexpr unsigned kindBit(HostRegionKind kind) {
  return 1u << unsigned(kind);
}

/// Begins an allocation; nothing is allocated yet.
static cudaError_t beginAllocation(Context &context, void **pointer) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  return refuseUnsafeCall(context);
}

static cudaError_t allocateDevice(Context &context, void **pointer, size_t size) {
  if (cudaError_t e = beginAllocation(context, pointer); e != cudaSuccess || size == 0)
    return e;
  uint64_t address = 0;
  cudaError_t e = context.memory().allocate(size, address);
  if (e == cudaSuccess)
    *pointer = pointerTo(address);
  else
    because(e, std::to_string(size) + " bytes are asked for; the device has " +
                   std::to_string(context.totalMemory()) + " in all");
  return e;
}

extern "C" cudaError_t cudaMalloc(void **pointer, size_t size) {
  return callWithContext([&](Context &context) { return allocateDevice(context, pointer, size); });
}

bool vx::rt::endHostRegion(void *pointer, unsigned kinds) {
  std::optional<HostRegion> region = HostMemory::get().take(pointer, kinds);
  if (!region)
    return false;
  for (ContextUse &context : Runtime::get().all())
    context->memory().forgetHostRegion(*region);
  MemoryAdvice::get().forget(region->base, region->size);
  HostMemory::get().release(*region);
  return true;
}

/// endHostRegion() of memory that the program may free, once the work that was launched has run.
static bool removeHostRegion(void *pointer, unsigned kinds) {
  std::optional<HostRegion> known = HostMemory::get().find(pointer);
  if (!known || known->base != addressOf(pointer) || known->isVariable ||
      !(kinds & 1u << unsigned(known->kind)))
    return false;
  std::vector<ContextUse> contexts = Runtime::get().all();
  for (ContextUse &context : contexts)
    context->scheduler().waitForAll();
  return endHostRegion(pointer, kinds);
}

/// Frees ADDRESS, however it was allocated in CONTEXT; nothing uses it any more.
static cudaError_t releaseNow(Context &context, uint64_t address) {
  if (isGraphMemory(context, address))
    return freeGraphMemory(context, address) ? cudaSuccess : cudaErrorInvalidValue;
  if (!poolsOf(context).free(address, nullptr, context.scheduler()))
    return context.memory().release(address);
  poolsOf(context).trimAfterWait();
  return cudaSuccess;
}

extern "C" cudaError_t cudaFree(void *pointer) {
  return callWithContext([&](Context &context) {
    if (!pointer)
      return refuseUnsafeCall(context);
    // Kernels that were launched before may still use the memory.
    cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
    if (e != cudaSuccess)
      return e;
    if (removeHostRegion(pointer, kindBit(HostRegionKind::Managed)))
      return cudaSuccess;
    uint64_t address = addressOf(pointer);
    if (context.memory().isAllocation(address))
      return releaseNow(context, address);
    ContextUse owner = Runtime::get().findOwner(
        [&](Context &other) { return other.memory().isAllocation(address); });
    if (!owner) {
      context.memory().noteWrongFree(address, "cudaFree");
      return cudaErrorInvalidValue;
    }
    e = synchronize(*owner, [&] { owner->scheduler().waitForAll(); });
    return e == cudaSuccess ? releaseNow(*owner, address) : e;
  });
}

static cudaError_t allocatePitched(void **pointer, size_t *pitch, size_t width, size_t rows) {
  return callWithContext([&](Context &context) {
    size_t rounded, size;
    if (!pointer || !pitch || __builtin_add_overflow(width, kPitchAlignment - 1, &rounded))
      return cudaErrorInvalidValue;
    rounded &= ~(kPitchAlignment - 1);
    if (__builtin_mul_overflow(rounded, rows, &size))
      return cudaErrorMemoryAllocation;
    *pitch = rows ? rounded : 0;
    return allocateDevice(context, pointer, size);
  });
}

extern "C" cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return allocatePitched(pointer, pitch, width, height);
}

extern "C" cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent) {
  size_t rows;
  if (!pitched)
    return recordError(cudaErrorInvalidValue);
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
    return recordError(cudaErrorMemoryAllocation);
  cudaPitchedPtr result{nullptr, 0, extent.width, extent.height};
  cudaError_t e = allocatePitched(&result.ptr, &result.pitch, extent.width, rows);
  if (e == cudaSuccess)
    *pitched = result;
  return e;
}

cudaError_t vx::rt::allocateHost(void **pointer, size_t size, HostRegionKind kind, unsigned flags) {
  return callWithContext([&](Context &context) {
    if (cudaError_t e = beginAllocation(context, pointer); e != cudaSuccess || size == 0)
      return e;
    HostRegion region{kind, 0, size, flags, context.id(), context.identity().number};
    region.made = callsFor(context.device());
    bool isManaged = kind == HostRegionKind::Managed;
    HostMemory &memory = HostMemory::get();
    *pointer = memory.allocate(region, context.pointerBits());
    // Where few addresses are the device's, they may be used up; not all memory needs one.
    if (!*pointer && !isManaged && !(flags & cudaHostAllocMapped))
      *pointer = memory.allocate(region);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

extern "C" cudaError_t cudaMallocHost(void **pointer, size_t size) {
  return allocateHost(pointer, size, HostRegionKind::Pinned, cudaHostAllocDefault);
}

extern "C" cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags) {
  if (flags & ~unsigned(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
    return recordError(cudaErrorInvalidValue);
  return allocateHost(pointer, size, HostRegionKind::Pinned, flags);
}

static cudaError_t removeHost(void *pointer, HostRegionKind kind, cudaError_t unknown) {
  return callWithContext([&](Context &context) {
    cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
    if (e != cudaSuccess)
      return e;
    return removeHostRegion(pointer, kindBit(kind)) ? cudaSuccess : unknown;
  });
}

extern "C" cudaError_t cudaFreeHost(void *pointer) {
  if (!pointer)
    return cudaSuccess;
  return removeHost(pointer, HostRegionKind::Pinned, cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags) {
  constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                             cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  return callWithContext([&](Context &context) {
    if (!pointer || size == 0 || addressOf(pointer) + size < size || (flags & ~known))
      return cudaErrorInvalidValue;
    // There are no registers of other devices to map; memory of CUDA's own is registered already.
    std::optional<HostRegion> there = HostMemory::get().find(pointer);
    if ((flags & cudaHostRegisterIoMemory) || context.findDeviceRange(addressOf(pointer)) ||
        (there && there->kind != HostRegionKind::Registered))
      return cudaErrorInvalidValue;
    HostRegion region{HostRegionKind::Registered, addressOf(pointer), size, flags, context.id(),
                      context.identity().number};
    region.made = callsFor(context.device());
    return HostMemory::get().add(region) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}

extern "C" cudaError_t cudaHostUnregister(void *pointer) {
  if (!pointer)
    return recordError(cudaErrorInvalidValue);
  std::optional<HostRegion> region = HostMemory::get().find(pointer);
  bool isInside =
      region && region->kind == HostRegionKind::Registered && region->base != addressOf(pointer);
  return removeHost(pointer, HostRegionKind::Registered,
                    isInside ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered);
}

extern "C" cudaError_t cudaHostGetDevicePointer(void **devicePointer, void *pointer,
                                                unsigned flags) {
  return callWithContext([&](Context &context) {
    if (!devicePointer || flags != 0)
      return cudaErrorInvalidValue;
    std::optional<HostRegion> region = HostMemory::get().find(pointer);
    if (region && !HostMemory::canReach(*region, context.pointerBits()))
      return cudaErrorNotSupported;
    if (!region)
      return cudaErrorInvalidValue;
    *devicePointer = pointer;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
  return callWithContext([&](Context &) {
    std::optional<HostRegion> region = HostMemory::get().find(pointer);
    if (!flags || !region || region->kind == HostRegionKind::Managed)
      return cudaErrorInvalidValue;
    // With one address space, all of it is mapped.
    *flags = region->flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return callWithContext([&](Context &context) {
    MemInfo info = context.memory().info();
    if (free)
      *free = info.free;
    if (total)
      *total = info.total;
    return cudaSuccess;
  });
}

/// The device that has memory at ADDRESS.
static std::optional<unsigned> deviceOf(Context &current, uint64_t address) {
  if (current.findDeviceRange(address))
    return current.identity().number;
  ContextUse owner = Runtime::get().findOwner(
      [&](Context &other) { return other.findDeviceRange(address).has_value(); });
  return owner ? std::optional(owner->identity().number) : std::nullopt;
}

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                                const void *pointer) {
  return callWithAnyContext([&](Context &context) {
    if (!attributes)
      return cudaErrorInvalidValue;
    *attributes = {};
    void *address = const_cast<void *>(pointer);
    std::optional<unsigned> owner;
    if (std::optional<HostRegion> region = HostMemory::get().find(pointer)) {
      bool isManaged = region->kind == HostRegionKind::Managed;
      attributes->type = isManaged ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
      attributes->device = int(region->device);
      attributes->hostPointer = attributes->devicePointer = address;
    } else if ((owner = deviceOf(context, addressOf(pointer)))) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->device = int(*owner);
      attributes->devicePointer = address;
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = address;
    }
    return cudaSuccess;
  });
}
