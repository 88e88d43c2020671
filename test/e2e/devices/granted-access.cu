// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t -lcuda && env VX_DEVICES=3 %run %t
// RUN: env VX_DEVICES=3 VX_LOWERING=sw %run %t
// RUN: env VX_DEVICES=3 not %run %t other 2>&1 | FileCheck %s
// RUN: env VX_DEVICES=3 not %run %t after 2>&1 | FileCheck %s
// RUN: env VX_DEVICES=3 not %run %t unmapped 2>&1 | FileCheck %s
// RUN: %vxcc -O1 --target=host %s -o %t.host -lcuda && env VX_DEVICES=3 %run %t.host
//
// Devices that are named may access the memory of a pool (cudaMemPoolSetAccess) and mapped memory
// (cuMemSetAccess) of device 0, what there is and what comes later; others are stopped.
//
// CHECK: kernel `add(int*, int)` stopped: illegal memory access
// CHECK: cudaErrorIllegalAddress

#include "../Inputs/harness.h"
#include <cuda.h>

constexpr int n = 1000;

__global__ void add(int *p, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += value;
}

static void runOn(int device, int *memory, int value) {
  CHECK(cudaSetDevice(device));
  add<<<8, 128>>>(memory, value);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
}

static void checkMemory(const int *memory, int value) {
  std::vector<int> back(n);
  CHECK(cudaMemcpy(back.data(), memory, n * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i)
    expectEqual(back[i], value, "element", i);
}

static int fail(int device, int *memory) {
  CHECK(cudaSetDevice(device));
  add<<<8, 128>>>(memory, 1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 1;
}

static int *allocate(cudaMemPool_t pool) {
  int *memory = nullptr;
  CHECK(cudaMallocFromPoolAsync(&memory, n * sizeof(int), pool, nullptr));
  CHECK(cudaMemsetAsync(memory, 0, n * sizeof(int), nullptr));
  CHECK(cudaStreamSynchronize(nullptr));
  return memory;
}

static void release(int *memory) {
  CHECK(cudaFreeAsync(memory, nullptr));
  CHECK(cudaStreamSynchronize(nullptr));
}

static cudaMemAccessFlags accessOf(cudaMemPool_t pool, int device) {
  cudaMemLocation location{cudaMemLocationTypeDevice, device};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtRead;
  CHECK(cudaMemPoolGetAccess(&flags, pool, &location));
  return flags;
}

static int usePool(const char *mistake) {
  int *first = nullptr; // what launches need is there after one
  CHECK(cudaMalloc(&first, n * sizeof(int)));
  CHECK(cudaMemset(first, 0, n * sizeof(int)));
  runOn(0, first, 1);
  CHECK(cudaFree(first));
  size_t freeAtFirst = 0, all = 0;
  CHECK(cudaMemGetInfo(&freeAtFirst, &all));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &props));
  int *early = allocate(pool);
  EXPECT(accessOf(pool, 0) == cudaMemAccessFlagsProtReadWrite);
  EXPECT(accessOf(pool, 1) == cudaMemAccessFlagsProtNone);
  cudaMemAccessDesc access[2] = {
      {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite},
      {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite}};
  CHECK(cudaMemPoolSetAccess(pool, access, 2));
  EXPECT(accessOf(pool, 1) == cudaMemAccessFlagsProtReadWrite);
  EXPECT(accessOf(pool, 2) == cudaMemAccessFlagsProtNone);
  runOn(1, early, 10);
  checkMemory(early, 10);
  // Memory that is freed and allocated again, in other sizes, too; with peer access besides.
  for (int round = 0; round < 3; ++round) {
    int *late = allocate(pool);
    runOn(1, late, 1 + round);
    runOn(0, late, 100);
    checkMemory(late, 101 + round);
    release(late);
    CHECK(cudaMemPoolTrimTo(pool, 0));
    if (round == 1) {
      CHECK(cudaSetDevice(1));
      CHECK(cudaDeviceEnablePeerAccess(0, 0));
      CHECK(cudaSetDevice(0));
    }
  }
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceDisablePeerAccess(0));
  CHECK(cudaDeviceReset()); // the access is the device's, not its context's
  runOn(1, early, 5);
  checkMemory(early, 15);
  if (!std::strcmp(mistake, "other"))
    return fail(2, early);
  access[1].flags = cudaMemAccessFlagsProtNone;
  CHECK(cudaMemPoolSetAccess(pool, access + 1, 1));
  EXPECT(accessOf(pool, 1) == cudaMemAccessFlagsProtNone);
  if (!std::strcmp(mistake, "after"))
    return fail(1, early);
  access[1].flags = cudaMemAccessFlagsProtRead;
  EXPECT(cudaMemPoolSetAccess(pool, access + 1, 1) == cudaErrorNotSupported);
  access[1] = {{cudaMemLocationTypeDevice, 3}, cudaMemAccessFlagsProtReadWrite};
  EXPECT(cudaMemPoolSetAccess(pool, access + 1, 1) == cudaErrorInvalidDevice);
  (void)cudaGetLastError();
  release(early);

  // Freed in a stream of the other device, after its work; used again, and given back.
  access[1] = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, access + 1, 1));
  CHECK(cudaSetDevice(1));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < 2; ++round) {
    CHECK(cudaSetDevice(0));
    int *memory = allocate(pool);
    CHECK(cudaSetDevice(1));
    add<<<8, 128, 0, stream>>>(memory, 3);
    if (round)
      CHECK(cudaMemPoolDestroy(pool));
    CHECK(cudaFreeAsync(memory, stream));
    EXPECT(cudaFreeAsync(memory, stream) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceSynchronize());
  size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  EXPECT(free == freeAtFirst);
  return 0;
}

static unsigned long long mappedAccess(CUdeviceptr address, int device) {
  CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, device};
  unsigned long long flags = ~0ull;
  EXPECT(cuMemGetAccess(&flags, &location, address) == CUDA_SUCCESS);
  return flags;
}

static int useMappedMemory(const char *mistake) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  size_t unit = 0;
  EXPECT(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
         CUDA_SUCCESS);
  CUmemGenericAllocationHandle handle;
  EXPECT(cuMemCreate(&handle, unit, &properties, 0) == CUDA_SUCCESS);
  CUdeviceptr base = 0;
  EXPECT(cuMemAddressReserve(&base, unit, 0, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(base, unit, 0, handle, 0) == CUDA_SUCCESS);
  CUmemAccessDesc access[2] = {
      {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
      {{CU_MEM_LOCATION_TYPE_DEVICE, 2}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
  EXPECT(cuMemSetAccess(base, unit, access, 2) == CUDA_SUCCESS);
  EXPECT(mappedAccess(base, 0) == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  EXPECT(mappedAccess(base, 1) == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  EXPECT(mappedAccess(base, 2) == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  int *memory = reinterpret_cast<int *>(base);
  CHECK(cudaMemset(memory, 0, unit));
  CHECK(cudaDeviceSynchronize());
  runOn(2, memory, 7);
  runOn(0, memory, 1);
  checkMemory(memory, 8);
  access[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  EXPECT(cuMemSetAccess(base, unit, access, 2) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuMemUnmap(base, unit) == CUDA_SUCCESS);
  if (!std::strcmp(mistake, "unmapped"))
    return fail(2, memory);
  EXPECT(cuMemRelease(handle) == CUDA_SUCCESS);
  EXPECT(cuMemAddressFree(base, unit) == CUDA_SUCCESS);
  return 0;
}

int main(int argc, char **argv) {
  const char *mistake = argc > 1 ? argv[1] : "";
  if (int status = usePool(mistake))
    return status;
  if (int status = useMappedMemory(mistake))
    return status;
  return finish();
}
