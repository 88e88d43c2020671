// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libvx_mlir_runtime.so: the functions that MLIR's gpu-to-llvm calls, over the driver API. Their
// names and types are MLIR's. None of them has a way to return an error, so each failure is a line
// on stderr that names the function and the error, and the program continues: what could not be
// made is null, and calls with null do nothing.

#include "cuda.h"
#include "runtime/mlir/LoadIr.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#define MGPU extern "C" __attribute__((visibility("default")))

namespace {

/// Reports RESULT, what WHAT ended with, unless it is success; whether it is.
bool check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return true;
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  fprintf(stderr, "%s failed: %s (%s)\n", what, name ? name : "unknown error", text ? text : "");
  return false;
}

constexpr int kMaxDevices = 64;
thread_local int32_t defaultDevice = 0;

/// The primary context of DEVICE, made at its first use; null after an error.
CUcontext primaryContext(int32_t device, const char *what) {
  static std::mutex mutex;
  static std::array<CUcontext, kMaxDevices> contexts{};
  std::lock_guard lock(mutex);
  if (device < 0 || device >= kMaxDevices) {
    check(CUDA_ERROR_INVALID_DEVICE, what);
    return nullptr;
  }
  CUcontext &context = contexts[device];
  CUdevice handle;
  if (!context && check(cuInit(0), what) && check(cuDeviceGet(&handle, device), what) &&
      !check(cuDevicePrimaryCtxRetain(&context, handle), what))
    context = nullptr;
  return context;
}

/// Makes the default device's context current for a call of WHAT.
class Scope {
public:
  explicit Scope(const char *what) : what(what) {
    CUcontext context = primaryContext(defaultDevice, what);
    active = context && check(cuCtxPushCurrent(context), what);
  }
  ~Scope() {
    if (active)
      check(cuCtxPopCurrent(nullptr), what);
  }
  explicit operator bool() const { return active; }

private:
  const char *what;
  bool active;
};

/// The streams that there are. Where an async.execute yields the token of work on a stream,
/// gpu-to-llvm of LLVM 22 passes the stream on where an event is expected; such an event is the end
/// of what the stream has been given so far. Several may be the same stream, so it stays when they
/// go.
class Streams {
public:
  void add(CUstream stream) {
    std::lock_guard lock(mutex);
    streams.insert(stream);
  }
  void remove(CUstream stream) {
    std::lock_guard lock(mutex);
    streams.erase(stream);
  }
  /// The stream that EVENT is, or null.
  CUstream asStream(CUevent event) {
    std::lock_guard lock(mutex);
    return streams.count(event) ? reinterpret_cast<CUstream>(event) : nullptr;
  }

private:
  std::mutex mutex;
  std::set<void *> streams;
};
Streams &streams() {
  static Streams all;
  return all;
}

CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

struct Dim3 {
  intptr_t x, y, z;
};

/// MLIR has sizes as `index`.
bool fits(const Dim3 &dim, const char *what) {
  for (intptr_t n : {dim.x, dim.y, dim.z})
    if (n < 0 || n > intptr_t(UINT32_MAX))
      return check(CUDA_ERROR_INVALID_VALUE, what);
  return true;
}

void launch(const char *what, CUfunction function, const Dim3 &grid, const Dim3 &block,
            const Dim3 *cluster, int32_t sharedBytes, CUstream stream, void **params,
            void **extra) {
  if (!function) // which has been reported
    return;
  Scope scope(what);
  if (!scope || !fits(grid, what) || !fits(block, what) || (cluster && !fits(*cluster, what)))
    return;
  constexpr int32_t kWithoutAsking = 48 << 10;
  if (sharedBytes > kWithoutAsking &&
      !check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                sharedBytes),
             what))
    return;
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  if (cluster) {
    attribute.value.clusterDim.x = cluster->x;
    attribute.value.clusterDim.y = cluster->y;
    attribute.value.clusterDim.z = cluster->z;
  }
  CUlaunchConfig config{};
  config.gridDimX = grid.x;
  config.gridDimY = grid.y;
  config.gridDimZ = grid.z;
  config.blockDimX = block.x;
  config.blockDimY = block.y;
  config.blockDimZ = block.z;
  config.sharedMemBytes = sharedBytes;
  config.hStream = stream;
  config.attrs = &attribute;
  config.numAttrs = cluster ? 1 : 0;
  if (check(cuLaunchKernelEx(&config, function, params, extra), what))
    return;
  const char *name = nullptr;
  if (cuFuncGetName(&name, function) != CUDA_SUCCESS)
    name = "?";
  fprintf(stderr, "  the kernel is '%s', with %jd x %jd x %jd blocks of %jd x %jd x %jd threads\n",
          name, grid.x, grid.y, grid.z, block.x, block.y, block.z);
}

/// The start of a descriptor of a memref of some rank; sizes and then strides follow.
struct MemRef {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

/// The bytes from the first to the last element of MEMREF.
int64_t bytesOf(int64_t rank, const MemRef &memref, int64_t elementBytes) {
  int64_t last = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (memref.sizesAndStrides[axis] == 0)
      return 0;
    last += (memref.sizesAndStrides[axis] - 1) * memref.sizesAndStrides[rank + axis];
  }
  return (last + 1) * elementBytes;
}

} // namespace

// ---- Modules and launches.

MGPU CUmodule mgpuModuleLoad(void *data, size_t) {
  Scope scope(__func__);
  CUmodule module = nullptr;
  if (!scope || !check(cuModuleLoadData(&module, data), __func__))
    return nullptr;
  return module;
}

/// DATA is NVVM IR as text. It is compiled for what devices usually are, and for all kinds of them
/// only if this one has no use for that.
MGPU CUmodule mgpuModuleLoadJIT(void *data, int optLevel, size_t) {
  Scope scope(__func__);
  if (!scope)
    return nullptr;
  std::vector<std::string> options = {"-O" + std::to_string(std::clamp(optLevel, 0, 3)),
                                      "--target=vortex,host"};
  CUmodule module = nullptr;
  CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  for (bool all : {false, true}) {
    if (all)
      options.insert(options.end(),
                     {"--vx-xlen=32,64", "--vx-isa=warp,base", "--vx-zicond=true,false"});
    std::string messages;
    auto image = vx::mgpu::compileIr(static_cast<const char *>(data), options, messages);
    fputs(messages.c_str(), stderr);
    if (!image) {
      check(CUDA_ERROR_INVALID_PTX, __func__);
      return nullptr;
    }
    result = cuModuleLoadData(&module, image->data());
    if (result != CUDA_ERROR_NO_BINARY_FOR_GPU)
      break;
  }
  return check(result, __func__) ? module : nullptr;
}

MGPU void mgpuModuleUnload(CUmodule module) {
  if (Scope scope(__func__); scope && module)
    check(cuModuleUnload(module), __func__);
}

MGPU CUfunction mgpuModuleGetFunction(CUmodule module, const char *name) {
  CUfunction function = nullptr;
  Scope scope(__func__);
  if (!scope || !module)
    return nullptr;
  CUresult result = cuModuleGetFunction(&function, module, name);
  if (check(result, __func__))
    return function;
  fprintf(stderr, "  the kernel is '%s'\n", name);
  return nullptr;
}

MGPU void mgpuLaunchKernel(CUfunction function, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                           intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t sharedBytes,
                           CUstream stream, void **params, void **extra, size_t) {
  launch(__func__, function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, nullptr, sharedBytes,
         stream, params, extra);
}

MGPU void mgpuLaunchClusterKernel(CUfunction function, intptr_t clusterX, intptr_t clusterY,
                                  intptr_t clusterZ, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                  int32_t sharedBytes, CUstream stream, void **params, void **extra,
                                  size_t) {
  Dim3 cluster = {clusterX, clusterY, clusterZ};
  launch(__func__, function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, &cluster, sharedBytes,
         stream, params, extra);
}

// ---- Streams and events.

MGPU CUstream mgpuStreamCreate() {
  CUstream stream = nullptr;
  if (Scope scope(__func__);
      !scope || !check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), __func__))
    return nullptr;
  streams().add(stream);
  return stream;
}

MGPU void mgpuStreamDestroy(CUstream stream) {
  streams().remove(stream);
  if (Scope scope(__func__); scope)
    check(cuStreamDestroy(stream), __func__);
}

MGPU void mgpuStreamSynchronize(CUstream stream) {
  if (Scope scope(__func__); scope)
    check(cuStreamSynchronize(stream), __func__);
}

MGPU CUevent mgpuEventCreate() {
  CUevent event = nullptr;
  if (Scope scope(__func__);
      !scope || !check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), __func__))
    return nullptr;
  return event;
}

MGPU void mgpuEventDestroy(CUevent event) {
  if (!event || streams().asStream(event))
    return;
  if (Scope scope(__func__); scope)
    check(cuEventDestroy(event), __func__);
}

MGPU void mgpuEventSynchronize(CUevent event) {
  if (CUstream stream = streams().asStream(event))
    return mgpuStreamSynchronize(stream);
  if (Scope scope(__func__); scope && event)
    check(cuEventSynchronize(event), __func__);
}

MGPU void mgpuEventRecord(CUevent event, CUstream stream) {
  if (Scope scope(__func__); scope && event)
    check(cuEventRecord(event, stream), __func__);
}

MGPU void mgpuStreamWaitEvent(CUstream stream, CUevent event) {
  if (CUstream other = streams().asStream(event)) {
    CUevent end = mgpuEventCreate();
    mgpuEventRecord(end, other);
    mgpuStreamWaitEvent(stream, end);
    return mgpuEventDestroy(end);
  }
  if (Scope scope(__func__); scope && event)
    check(cuStreamWaitEvent(stream, event, 0), __func__);
}

// ---- Memory.

MGPU void *mgpuMemAlloc(uint64_t bytes, CUstream, bool hostShared) {
  CUdeviceptr pointer = 0;
  Scope scope(__func__);
  if (!scope || bytes == 0)
    return nullptr;
  CUresult result = hostShared ? cuMemAllocManaged(&pointer, bytes, CU_MEM_ATTACH_GLOBAL)
                               : cuMemAlloc(&pointer, bytes);
  return check(result, __func__) ? reinterpret_cast<void *>(pointer) : nullptr;
}

/// Frees memory when the stream no longer uses it.
MGPU void mgpuMemFree(void *pointer, CUstream) {
  if (Scope scope(__func__); scope && pointer)
    check(cuMemFree(address(pointer)), __func__);
}

MGPU void mgpuMemcpy(void *to, void *from, size_t bytes, CUstream stream) {
  if (Scope scope(__func__); scope && bytes)
    check(cuMemcpyAsync(address(to), address(from), bytes, stream), __func__);
}

MGPU void mgpuMemset32(void *to, uint32_t value, size_t count, CUstream stream) {
  if (Scope scope(__func__); scope && count)
    check(cuMemsetD32Async(address(to), value, count, stream), __func__);
}

MGPU void mgpuMemset16(void *to, uint16_t value, size_t count, CUstream stream) {
  if (Scope scope(__func__); scope && count)
    check(cuMemsetD16Async(address(to), value, count, stream), __func__);
}

/// Kernels may use the memory by its address. Memory that is registered already stays so.
MGPU void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  Scope scope(__func__);
  if (!scope || bytes == 0)
    return;
  CUresult result = cuMemHostRegister(pointer, bytes, CU_MEMHOSTREGISTER_DEVICEMAP);
  if (result != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
    check(result, __func__);
}

MGPU void mgpuMemHostUnregister(void *pointer) {
  if (Scope scope(__func__); scope && pointer)
    check(cuMemHostUnregister(pointer), __func__);
}

MGPU void mgpuMemHostRegisterMemRef(int64_t rank, const MemRef *memref, int64_t elementBytes) {
  mgpuMemHostRegister(memref->aligned + memref->offset * elementBytes,
                      bytesOf(rank, *memref, elementBytes));
}

MGPU void mgpuMemHostUnregisterMemRef(int64_t rank, const MemRef *memref, int64_t elementBytes) {
  if (bytesOf(rank, *memref, elementBytes) != 0)
    mgpuMemHostUnregister(memref->aligned + memref->offset * elementBytes);
}

MGPU void mgpuSetDefaultDevice(int32_t device) {
  defaultDevice = device;
}
