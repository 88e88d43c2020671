// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pointer points to.

#include "runtime/driver/Api.h"
#include "runtime/memory/HostMemory.h"
#include <cstring>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

/// The facts that are known of the memory that holds an address.
struct PointerFacts {
  AddressRange range;
  uint64_t slot = 0, contextId = 0;
  unsigned device = 0;
  bool isManaged = false, isHost = false, isMapped = false;
};

std::optional<PointerFacts> findFacts(Context &current, CUdeviceptr address) {
  PointerFacts facts;
  if (std::optional<HostRegion> region = HostMemory::get().find(pointer(address))) {
    facts.range = {region->base, region->size};
    facts.isManaged = region->kind == HostRegionKind::Managed;
    facts.isHost = !facts.isManaged;
    facts.isMapped = HostMemory::canReach(*region, current.pointerBits());
    facts.device = region->device;
    facts.contextId = region->owner;
    ContextUse owner =
        Runtime::get().findOwner([&](Context &c) { return c.id() == region->owner; });
    facts.slot = owner ? owner.slotId() : currentSlot();
    return facts;
  }
  std::optional<AddressRange> range = current.findDeviceRange(address);
  if (range) {
    facts.slot = currentSlot();
    facts.contextId = current.id();
    facts.device = current.identity().number;
  } else {
    ContextUse owner = Runtime::get().findOwner([&](Context &other) {
      range = other.findDeviceRange(address);
      return range.has_value();
    });
    if (!owner)
      return std::nullopt;
    facts.slot = owner.slotId();
    facts.contextId = owner->id();
    facts.device = owner->identity().number;
  }
  facts.range = *range;
  facts.isMapped = true;
  return facts;
}

template <typename T> CUresult give(void *to, T value) {
  std::memcpy(to, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUresult giveAttribute(void *to, CUpointer_attribute attribute, CUdeviceptr address,
                       const PointerFacts &facts) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return give(to, contextHandle(facts.slot));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return give(to, facts.isHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return facts.isMapped ? give(to, address) : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    return facts.isHost || facts.isManaged ? give(to, pointer(address)) : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID: // no other allocation has it while this one exists
    return give(to, (unsigned long long)(facts.contextId << 48 ^ facts.range.base));
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return give(to, facts.isManaged);
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return give(to, int(facts.device));
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return give(to, false);
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    return give(to, false);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    return give(to, CUdeviceptr(facts.range.base));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    return give(to, size_t(facts.range.size));
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return give(to, facts.isMapped);
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return give(to, 0ull);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return give(to, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return give(to, CUmemoryPool(nullptr));
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    return CUDA_ERROR_NOT_SUPPORTED;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

/// The size of an attribute's value, for those of unknown pointers: all 0.
size_t sizeOf(CUpointer_attribute attribute) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return 4;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return 1;
  default:
    return 8;
  }
}

} // namespace

extern "C" CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                                          CUdeviceptr address) {
  if (!data)
    return CUDA_ERROR_INVALID_VALUE;
  return withContext([&](Context &context) {
    std::optional<PointerFacts> facts = findFacts(context, address);
    return facts ? giveAttribute(data, attribute, address, *facts) : CUDA_ERROR_INVALID_VALUE;
  });
}

extern "C" CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                                           void **data, CUdeviceptr address) {
  if (count && (!attributes || !data))
    return CUDA_ERROR_INVALID_VALUE;
  return withContext([&](Context &context) {
    std::optional<PointerFacts> facts = findFacts(context, address);
    for (unsigned i = 0; i < count; ++i) {
      if (!facts ||
          giveAttribute(data[i], attributes[i], address, *facts) == CUDA_ERROR_INVALID_VALUE)
        std::memset(data[i], 0, sizeOf(attributes[i]));
      if (!facts && attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
        give(data[i], int(CU_DEVICE_INVALID));
    }
    return CUDA_SUCCESS;
  });
}

/// Copies wait where CUDA says so; there are none that could be made to wait more.
extern "C" CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                                          CUdeviceptr address) {
  if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
    return CUDA_ERROR_INVALID_VALUE;
  return withContext([&](Context &context) {
    return findFacts(context, address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

extern "C" CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
  return withContext([&](Context &context) {
    std::optional<PointerFacts> facts = findFacts(context, address);
    if (!facts)
      return CUDA_ERROR_NOT_FOUND;
    if (base)
      *base = facts->range.base;
    if (size)
      *size = facts->range.size;
    return CUDA_SUCCESS;
  });
}
