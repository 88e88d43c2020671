// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools of other processes. The handle of a pool is a file with its name; what is exported
// of a pointer tells where its pages are found (SharedPages.h) and which pool it is of.

#include "runtime/core/SharedPages.h"
#include "runtime/cuda/PoolCalls.h"
#include "runtime/memory/DeviceMemory.h"
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace vx::rt;

namespace {

constexpr cudaMemAllocationHandleType kHandleType = cudaMemHandleTypePosixFileDescriptor;

/// The content of the file that is the handle of a pool.
struct PoolData {
  uint64_t magic = kMagic;
  uint64_t name = 0;
  static constexpr uint64_t kMagic = 0x6c6f6f7078760001;
};

/// The data by which a pointer is exported.
struct PointerData {
  uint64_t pool = 0; ///< its name
  SharedPagesName pages;
  uint64_t size = 0; ///< of the allocation
};
static_assert(sizeof(PointerData) <= sizeof(cudaMemPoolPtrExportData));

} // namespace

extern "C" cudaError_t cudaMemPoolExportToShareableHandle(void *result, cudaMemPool_t handle,
                                                          cudaMemAllocationHandleType type,
                                                          unsigned flags) {
  return callWithPool(handle, [&](Context &, MemoryPool &pool) {
    if (!result || flags || type != kHandleType || pool.isImported() ||
        !(pool.props.handleTypes & type))
      return cudaErrorInvalidValue;
    PoolData data;
    data.name = pool.name();
    int file = memfd_create("vxrt-pool", MFD_CLOEXEC);
    if (file < 0)
      return cudaErrorOperatingSystem;
    if (write(file, &data, sizeof data) != ssize_t(sizeof data)) {
      close(file);
      return cudaErrorOperatingSystem;
    }
    *static_cast<int *>(result) = file; // the program's, to send and to close
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                            cudaMemAllocationHandleType type,
                                                            unsigned flags) {
  return callWithContext([&](Context &context) {
    PoolData data;
    if (!pool || flags || type != kHandleType)
      return cudaErrorInvalidValue;
    if (!context.sharesMemory())
      return cudaErrorNotSupported;
    int file = int(reinterpret_cast<intptr_t>(handle));
    if (pread(file, &data, sizeof data, 0) != ssize_t(sizeof data) ||
        data.magic != PoolData::kMagic || data.name == 0)
      return cudaErrorInvalidValue;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = type;
    props.location = {cudaMemLocationTypeDevice, int(context.identity().number)};
    *pool = poolsOf(context).add(props, data.name);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *result, void *pointer) {
  return callWithContext([&](Context &current) {
    uint64_t address = addressOf(pointer);
    ContextUse owner = Runtime::get().findOwner(
        [&](Context &context) { return poolsOf(context).ownerOf(address) != nullptr; });
    std::shared_ptr<MemoryPool> pool = owner ? poolsOf(*owner).ownerOf(address) : nullptr;
    if (!result || !pool || pool->isImported() || !(pool->props.handleTypes & kHandleType))
      return cudaErrorInvalidValue;
    std::optional<AddressRange> range = owner->findDeviceRange(address);
    std::shared_ptr<SharedPages> pages = owner->memory().sharePages(address);
    if (!range || !pages)
      return cudaErrorMemoryAllocation;
    PointerData data{pool->name(), pages->name(), range->size};
    std::memset(result, 0, sizeof *result);
    std::memcpy(result->reserved, &data, sizeof data);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t handle,
                                                cudaMemPoolPtrExportData *exported) {
  return callWithPool(handle, [&](Context &context, MemoryPool &pool) {
    if (!pointer || !exported)
      return cudaErrorInvalidValue;
    PointerData data;
    std::memcpy(&data, exported->reserved, sizeof data);
    if (!pool.isImported() || data.pool != pool.origin || data.size == 0)
      return cudaErrorInvalidValue;
    vx::Result<std::shared_ptr<SharedPages>> pages = SharedPages::open(data.pages);
    if (!pages || data.size > (*pages)->size())
      return cudaErrorInvalidValue; // freed, or its process has ended
    uint64_t address = 0;
    if (cudaError_t e = context.memory().importPages(*pages, data.size, address); e != cudaSuccess)
      return e;
    if (cudaError_t e = pool.adopt(address, data.size); e != cudaSuccess) {
      (void)context.memory().closeImport(address);
      return e;
    }
    poolsOf(context).noteOwner(address, poolsOf(context).find(handle));
    *pointer = pointerTo(address);
    return cudaSuccess;
  });
}
