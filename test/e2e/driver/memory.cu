// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of all kinds, copies and fills of all shapes, pointer attributes, virtual memory.
//
// RUN: %vxcc %s -o %t -lcuda -lnvrtc -I %S/Inputs && %run %t
// RUN: env VX_BACKEND=host timeout 120 %t

#include "driver.h"
#include <cstring>
#include <unistd.h>

static const char *kSource = R"(
extern "C" __global__ void twice(int *p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] *= 2;
}
)";

static CUfunction twice;

static void runTwice(CUdeviceptr address, int n) {
  void *parameters[] = {&address, &n};
  OK(cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
}

static std::vector<int> ints(CUdeviceptr address, size_t count) {
  std::vector<int> result(count);
  OK(cuMemcpyDtoH(result.data(), address, count * sizeof(int)));
  return result;
}

static void fills() {
  CUdeviceptr a;
  size_t pitch;
  OK(cuMemAlloc(&a, 4096));
  OK(cuMemsetD8(a, 0x5a, 4096));
  OK(cuMemsetD16(a + 2, 0x1234, 3));
  OK(cuMemsetD32(a + 16, 0xdeadbeef, 2));
  std::vector<int> have = ints(a, 8);
  CHECK(have[0] == 0x12345a5a && have[1] == 0x12341234 && have[2] == 0x5a5a5a5a);
  CHECK(have[4] == int(0xdeadbeef) && have[5] == int(0xdeadbeef) && have[6] == 0x5a5a5a5a);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(a + 1, 1, 1));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(a, 1, 2000));
  OK(cuMemFree(a));

  OK(cuMemAllocPitch(&a, &pitch, 100, 4, 4));
  CHECK(pitch >= 100);
  OK(cuMemsetD2D32(a, pitch, 0x01020304, 25, 4));
  OK(cuMemsetD2D16Async(a + pitch, pitch, 0x7777, 2, 2, nullptr));
  std::vector<int> rows(100, -1);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = a;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = rows.data();
  copy.dstPitch = 100;
  copy.WidthInBytes = 100;
  copy.Height = 4;
  OK(cuMemcpy2D(&copy));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 25; ++x)
      CHECK(rows[y * 25 + x] == (x == 0 && (y == 1 || y == 2) ? 0x77777777 : 0x01020304));
  copy.srcY = 1;
  copy.Height = 1;
  copy.WidthInBytes = 4;
  copy.dstXInBytes = 8;
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  OK(cuMemcpy2DUnaligned(&copy));
  CHECK(rows[2] == 0x77777777);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  OK(cuMemFree(a));
}

static void boxes() {
  const size_t w = 5, h = 4, d = 3;
  std::vector<int> box(w * h * d), back(w * h * d, -1);
  for (size_t i = 0; i < box.size(); ++i)
    box[i] = int(i);
  CUdeviceptr a;
  OK(cuMemAlloc(&a, box.size() * sizeof(int)));
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = box.data();
  copy.srcPitch = w * sizeof(int);
  copy.srcHeight = h;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = a;
  copy.dstPitch = w * sizeof(int);
  copy.dstHeight = h;
  copy.WidthInBytes = w * sizeof(int);
  copy.Height = h;
  copy.Depth = d;
  OK(cuMemcpy3D(&copy));
  std::swap(copy.srcMemoryType, copy.dstMemoryType);
  copy.srcDevice = a;
  copy.dstHost = back.data();
  copy.srcXInBytes = copy.dstXInBytes = sizeof(int);
  copy.srcY = copy.dstY = copy.srcZ = copy.dstZ = 1;
  copy.WidthInBytes = 2 * sizeof(int);
  copy.Height = 2;
  copy.Depth = 2;
  OK(cuMemcpy3DAsync(&copy, nullptr));
  OK(cuCtxSynchronize());
  for (size_t z = 0, i = 0; z < d; ++z)
    for (size_t y = 0; y < h; ++y)
      for (size_t x = 0; x < w; ++x, ++i) {
        bool inside = x >= 1 && x < 3 && y >= 1 && y < 3 && z >= 1 && z < 3;
        CHECK(back[i] == (inside ? box[i] : -1));
      }
  OK(cuMemFree(a));
}

static void hosts() {
  int *pinned, *managed;
  CUdeviceptr mapped, managedAddress;
  OK(cuMemHostAlloc(reinterpret_cast<void **>(&pinned), 4096, CU_MEMHOSTALLOC_DEVICEMAP));
  OK(cuMemHostGetDevicePointer(&mapped, pinned, 0));
  pinned[3] = 21;
  runTwice(mapped, 8);
  OK(cuCtxSynchronize());
  CHECK(pinned[3] == 42);
  unsigned flags;
  OK(cuMemHostGetFlags(&flags, pinned));
  CHECK(flags & CU_MEMHOSTALLOC_DEVICEMAP);
  unsigned type;
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped));
  CHECK(type == CU_MEMORYTYPE_HOST);
  OK(cuMemFreeHost(pinned));
  OK(cuMemAllocManaged(&managedAddress, 4096, CU_MEM_ATTACH_GLOBAL));
  managed = reinterpret_cast<int *>(managedAddress);
  managed[5] = 4;
  runTwice(managedAddress, 8);
  OK(cuCtxSynchronize());
  CHECK(managed[5] == 8);
  bool isManaged = false;
  CUdeviceptr base;
  size_t size;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                  CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *results[] = {&isManaged, &base, &size};
  OK(cuPointerGetAttributes(3, wanted, results, managedAddress + 100));
  CHECK(isManaged && base == managedAddress && size == 4096);
  OK(cuMemPrefetchAsync(managedAddress, 4096, 0, nullptr));
  OK(cuMemFree(managedAddress));
  static int own[1024];
  own[1] = 9;
  OK(cuMemHostRegister(own, sizeof own, CU_MEMHOSTREGISTER_DEVICEMAP));
  OK(cuMemHostGetDevicePointer(&mapped, own, 0));
  runTwice(mapped, 4);
  OK(cuCtxSynchronize());
  CHECK(own[1] == 18);
  OK(cuMemHostUnregister(own));
  EXPECT(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
  EXPECT(CUDA_ERROR_INVALID_VALUE,
         cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 64));
}

static void virtualMemory() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  size_t unit;
  OK(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, 4 * unit, 0, 0, 0));
  CUmemGenericAllocationHandle first, second;
  OK(cuMemCreate(&first, unit, &properties, 0));
  OK(cuMemCreate(&second, 2 * unit, &properties, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&first, unit + 1, &properties, 0));
  OK(cuMemMap(base, unit, 0, first, 0));
  OK(cuMemMap(base + unit, 2 * unit, 0, second, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + unit, unit, 0, first, 0)); // in use
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(base, 1, 1)); // no access yet
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(base, 3 * unit, &access, 1));
  // One range for copies and kernels.
  int n = int(3 * unit / sizeof(int));
  OK(cuMemsetD32(base, 3, n));
  runTwice(base, n);
  std::vector<int> have = ints(base, n);
  for (int value : have)
    CHECK(value == 6);
  unsigned long long flags;
  OK(cuMemGetAccess(&flags, &access.location, base + unit));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemGenericAllocationHandle same;
  OK(cuMemRetainAllocationHandle(&same, reinterpret_cast<void *>(base + unit + 8)));
  CHECK(same == second);
  OK(cuMemRelease(same));

  // The same memory at two addresses.
  OK(cuMemMap(base + 3 * unit, unit, 0, first, 0));
  OK(cuMemSetAccess(base + 3 * unit, unit, &access, 1));
  OK(cuMemsetD32(base, 5, 2));
  runTwice(base + 3 * unit, 2);
  CHECK(ints(base, 3) == (std::vector<int>{10, 10, 6}));
  OK(cuMemUnmap(base + 3 * unit, unit));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(base + 3 * unit, 1, 1));

  // The memory keeps its bytes and may go elsewhere.
  OK(cuMemsetD32(base, 77, 1));
  OK(cuMemUnmap(base, unit));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(base, 1, 1));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, 4 * unit));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(base));
  OK(cuMemMap(base + 3 * unit, unit, 0, first, 0));
  OK(cuMemSetAccess(base + 3 * unit, unit, &access, 1));
  CHECK(ints(base + 3 * unit, 3) == (std::vector<int>{77, 10, 6}));
  OK(cuMemRelease(first));
  OK(cuMemRelease(second));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemRelease(second));
  OK(cuMemUnmap(base + unit, 3 * unit));
  OK(cuMemAddressFree(base, 4 * unit));
  // Larger alignments than a page.
  OK(cuMemAddressReserve(&base, unit, 64 * unit, 0, 0));
  CHECK(base % (64 * unit) == 0);
  OK(cuMemAddressFree(base, unit));
}

/// Handles for other processes, in this one.
static void shareableHandles() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  size_t unit;
  OK(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle memory, imported;
  constexpr CUmemAllocationHandleType type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  int file = -1;
  OK(cuMemCreate(&memory, unit, &properties, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&file, memory, type, 0));
  OK(cuMemRelease(memory));
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
  EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&memory, unit, &properties, 0));
  properties.requestedHandleTypes = type;
  OK(cuMemCreate(&memory, unit, &properties, 0));
  OK(cuMemExportToShareableHandle(&file, memory, type, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(&imported, nullptr, type));
  OK(cuMemImportFromShareableHandle(&imported, (void *)intptr_t(file), type));
  CHECK(close(file) == 0);
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, 2 * unit, 0, 0, 0));
  OK(cuMemMap(base, unit, 0, memory, 0));
  OK(cuMemMap(base + unit, unit, 0, imported, 0));
  OK(cuMemRelease(memory));
  OK(cuMemRelease(imported));
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(base, 2 * unit, &access, 1));
  OK(cuMemsetD32(base, 21, 4));
  runTwice(base + unit, 4);
  CHECK(ints(base, 4) == std::vector<int>(4, 42));
  OK(cuMemUnmap(base, 2 * unit));
  OK(cuMemAddressFree(base, 2 * unit));
}

int main() {
  CUcontext context;
  CUmodule module;
  CUdeviceptr a, b;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleLoadData(&module, compile(kSource).c_str()));
  OK(cuModuleGetFunction(&twice, module, "twice"));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&a, 0));
  EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&a, size_t(1) << 60));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(4096));
  OK(cuMemAlloc(&a, 64));
  OK(cuMemAllocAsync(&b, 64, nullptr));
  int values[16] = {1, 2, 3};
  OK(cuMemcpyHtoDAsync(a, values, sizeof values, nullptr));
  OK(cuMemcpyDtoDAsync(b, a, sizeof values, nullptr));
  runTwice(b, 3);
  CHECK(ints(b, 3) == (std::vector<int>{2, 4, 6}));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(a, values, 65));
  OK(cuMemFreeAsync(b, nullptr));
  OK(cuMemFree(a));
  size_t free, total;
  OK(cuMemGetInfo(&free, &total));
  CHECK(free <= total);
  fills();
  boxes();
  hosts();
  virtualMemory();
  shareableHandles();
  OK(cuCtxDestroy(context));
  std::printf("PASS\n");
}
