// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools, interprocess handles and attributes of managed memory: those of the runtime API.

#include "runtime/driver/SameLayout.h"

using namespace vx::rt;
using namespace vx::rt::driver;

VX_CU_SAME(cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device),
           cudaDeviceGetDefaultMemPool(pool, device))
VX_CU_SAME(cuDeviceGetMemPool, (CUmemoryPool * pool, CUdevice device),
           cudaDeviceGetMemPool(pool, device))
VX_CU_SAME(cuDeviceSetMemPool, (CUdevice device, CUmemoryPool pool),
           cudaDeviceSetMemPool(device, pool))
VX_CU_SAME(cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps *properties),
           cudaMemPoolCreate(pool, as<cudaMemPoolProps>(properties)))
VX_CU_SAME(cuMemPoolDestroy, (CUmemoryPool pool), cudaMemPoolDestroy(pool))
VX_CU_SAME(cuMemPoolTrimTo, (CUmemoryPool pool, size_t bytes), cudaMemPoolTrimTo(pool, bytes))
VX_CU_SAME(cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute id, void *value),
           cudaMemPoolSetAttribute(pool, cudaMemPoolAttr(id), value))
VX_CU_SAME(cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute id, void *value),
           cudaMemPoolGetAttribute(pool, cudaMemPoolAttr(id), value))
VX_CU_SAME(cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc *list, size_t count),
           cudaMemPoolSetAccess(pool, as<cudaMemAccessDesc>(list), count))
VX_CU_SAME(cuMemPoolGetAccess,
           (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *location),
           cudaMemPoolGetAccess(as<cudaMemAccessFlags>(flags), pool, as<cudaMemLocation>(location)))
VX_CU_SAME(cuMemAllocFromPoolAsync,
           (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream),
           cudaMallocFromPoolAsync(reinterpret_cast<void **>(address), size, pool, stream))
VX_CU_SAME(cuMemPoolExportToShareableHandle,
           (void *handle, CUmemoryPool pool, CUmemAllocationHandleType type,
            unsigned long long flags),
           cudaMemPoolExportToShareableHandle(handle, pool, cudaMemAllocationHandleType(type),
                                              unsigned(flags)))
VX_CU_SAME(cuMemPoolImportFromShareableHandle,
           (CUmemoryPool * pool, void *handle, CUmemAllocationHandleType type,
            unsigned long long flags),
           cudaMemPoolImportFromShareableHandle(pool, handle, cudaMemAllocationHandleType(type),
                                                unsigned(flags)))
VX_CU_SAME(cuMemPoolExportPointer, (CUmemPoolPtrExportData * data, CUdeviceptr address),
           cudaMemPoolExportPointer(as<cudaMemPoolPtrExportData>(data), pointer(address)))
VX_CU_SAME(cuMemPoolImportPointer,
           (CUdeviceptr * address, CUmemoryPool pool, CUmemPoolPtrExportData *data),
           cudaMemPoolImportPointer(reinterpret_cast<void **>(address), pool,
                                    as<cudaMemPoolPtrExportData>(data)))

VX_CU_SAME(cuIpcGetEventHandle, (CUipcEventHandle * handle, CUevent event),
           cudaIpcGetEventHandle(as<cudaIpcEventHandle_t>(handle), event))
VX_CU_SAME(cuIpcOpenEventHandle, (CUevent * event, CUipcEventHandle handle),
           cudaIpcOpenEventHandle(event, *as<cudaIpcEventHandle_t>(&handle)))
VX_CU_SAME(cuIpcGetMemHandle, (CUipcMemHandle * handle, CUdeviceptr address),
           cudaIpcGetMemHandle(as<cudaIpcMemHandle_t>(handle), pointer(address)))
VX_CU_SAME(cuIpcOpenMemHandle, (CUdeviceptr * address, CUipcMemHandle handle, unsigned flags),
           cudaIpcOpenMemHandle(reinterpret_cast<void **>(address),
                                *as<cudaIpcMemHandle_t>(&handle), flags))
VX_CU_SAME(cuIpcCloseMemHandle, (CUdeviceptr address), cudaIpcCloseMemHandle(pointer(address)))

VX_CU_SAME(cuMemRangeGetAttribute,
           (void *data, size_t size, CUmem_range_attribute id, CUdeviceptr address, size_t count),
           cudaMemRangeGetAttribute(data, size, cudaMemRangeAttribute(id), pointer(address), count))
VX_CU_SAME(cuMemRangeGetAttributes,
           (void **data, size_t *sizes, CUmem_range_attribute *ids, size_t number,
            CUdeviceptr address, size_t count),
           cudaMemRangeGetAttributes(data, sizes, as<cudaMemRangeAttribute>(ids), number,
                                     pointer(address), count))
