// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between memory, and of boxes of memory and arrays; Arrays.cpp has the rest.

#include "runtime/driver/ArrayFormat.h"
#include "runtime/driver/SameLayout.h"
#include "runtime/memory/DeviceMemory.h"

using namespace vx::rt;
using namespace vx::rt::driver;

extern "C" CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return callInContext(
      [&] { return cudaMemcpy(pointer(to), pointer(from), size, cudaMemcpyDefault); });
}

extern "C" CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return callInContext(
      [&] { return cudaMemcpyAsync(pointer(to), pointer(from), size, cudaMemcpyDefault, stream); });
}

extern "C" CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
  return callInContext([&] { return cudaMemcpy(pointer(to), from, size, cudaMemcpyHostToDevice); });
}

extern "C" CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size,
                                      CUstream stream) {
  return callInContext(
      [&] { return cudaMemcpyAsync(pointer(to), from, size, cudaMemcpyHostToDevice, stream); });
}

extern "C" CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
  return callInContext([&] { return cudaMemcpy(to, pointer(from), size, cudaMemcpyDeviceToHost); });
}

extern "C" CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  return callInContext(
      [&] { return cudaMemcpyAsync(to, pointer(from), size, cudaMemcpyDeviceToHost, stream); });
}

extern "C" CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return callInContext(
      [&] { return cudaMemcpy(pointer(to), pointer(from), size, cudaMemcpyDeviceToDevice); });
}

extern "C" CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                                      CUstream stream) {
  return callInContext([&] {
    return cudaMemcpyAsync(pointer(to), pointer(from), size, cudaMemcpyDeviceToDevice, stream);
  });
}

/// Copies between two contexts, also of one device, once all work in both has run.
static cudaError_t copyBetween(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                               CUcontext fromContext, size_t size) {
  ContextUse target = Runtime::get().find(slotOf(toContext));
  ContextUse source = Runtime::get().find(slotOf(fromContext));
  if (!target || !source)
    return cudaErrorDeviceUninitialized; // CUDA_ERROR_INVALID_CONTEXT
  if (size == 0)
    return cudaSuccess;
  if (!target->isDeviceRange(to, size) || !source->isDeviceRange(from, size))
    return cudaErrorInvalidValue;
  source->scheduler().waitForAll();
  target->scheduler().waitForAll();
  std::vector<uint8_t> bytes(size);
  cudaError_t e =
      source->scheduler().withDevice([&] { return source->memory().read(from, bytes); });
  return e == cudaSuccess
             ? target->scheduler().withDevice([&] { return target->memory().write(to, bytes); })
             : e;
}

extern "C" CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                                 CUcontext fromContext, size_t size) {
  return callInContext([&] { return copyBetween(to, toContext, from, fromContext, size); });
}

extern "C" CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                                      CUcontext fromContext, size_t size, CUstream stream) {
  return callInContext([&] {
    cudaError_t e = cudaStreamSynchronize(stream);
    return e == cudaSuccess ? copyBetween(to, toContext, from, fromContext, size) : e;
  });
}

namespace {

/// One end of a copy of rows.
struct Side {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

/// 0: host, 1: device or array, 2: to be found out; -1: none that there is.
int spaceOf(const Side &side) {
  switch (side.type) {
  case CU_MEMORYTYPE_HOST:
    return 0;
  case CU_MEMORYTYPE_DEVICE:
  case CU_MEMORYTYPE_ARRAY:
    return 1;
  case CU_MEMORYTYPE_UNIFIED:
    return 2;
  default:
    return -1;
  }
}

bool place(const Side &side, size_t width, size_t rows, size_t slices, cudaPitchedPtr &box,
           cudaPos &position) {
  size_t pitch = side.pitch ? side.pitch : side.x + width;
  size_t height = side.height ? side.height : side.y + rows;
  if (pitch < side.x + width || (slices > 1 && height < side.y + rows))
    return false;
  void *base =
      side.type == CU_MEMORYTYPE_HOST ? const_cast<void *>(side.host) : pointer(side.device);
  box = {base, pitch, pitch, std::max(height, side.y + rows)}; // which matters to several slices
  position = {side.x, side.y, side.z};
  return true;
}

bool makeBox(const Side &to, const Side &from, size_t width, size_t rows, size_t slices,
             cudaMemcpy3DParms &parameters) {
  int toSpace = spaceOf(to), fromSpace = spaceOf(from);
  if (toSpace < 0 || fromSpace < 0)
    return false;
  // Where arrays take part, the runtime's functions count in elements.
  size_t element = 1;
  for (const Side *side : {&to, &from})
    if (side->type == CU_MEMORYTYPE_ARRAY) {
      element = elementBytes(arrayOf(side->array));
      if (element == 0)
        return false;
    }
  if (width % element)
    return false;
  parameters.extent = {width / element, rows, slices};
  auto placeSide = [&](const Side &side, cudaArray_t &array, cudaPitchedPtr &box,
                       cudaPos &position) {
    if (side.type != CU_MEMORYTYPE_ARRAY)
      return place(side, width, rows, slices, box, position);
    array = arrayOf(side.array);
    position = {side.x / element, side.y, side.z};
    return side.x % element == 0;
  };
  if (!placeSide(to, parameters.dstArray, parameters.dstPtr, parameters.dstPos) ||
      !placeSide(from, parameters.srcArray, parameters.srcPtr, parameters.srcPos))
    return false;
  if (toSpace == 2 || fromSpace == 2)
    parameters.kind = cudaMemcpyDefault;
  else if (toSpace == 1)
    parameters.kind = fromSpace == 1 ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  else
    parameters.kind = fromSpace == 1 ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
  return true;
}

cudaError_t copyBox(const cudaMemcpy3DParms &parameters, CUstream stream, bool async) {
  return async ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
}

CUresult copy2D(const CUDA_MEMCPY2D *c, CUstream stream, bool async) {
  if (!c)
    return CUDA_ERROR_INVALID_VALUE;
  if (c->WidthInBytes == 0 || c->Height == 0)
    return checkContext();
  return callInContext([&] {
    Side to{c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
            c->dstPitch,      0};
    Side from{c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
              c->srcPitch,      0};
    cudaMemcpy3DParms parameters{};
    return makeBox(to, from, c->WidthInBytes, c->Height, 1, parameters)
               ? copyBox(parameters, stream, async)
               : cudaErrorInvalidValue;
  });
}

template <typename Parameters> bool makeBox3D(const Parameters &c, cudaMemcpy3DParms &parameters) {
  Side to{c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes,
          c.dstY,          c.dstZ,    c.dstPitch,  c.dstHeight};
  Side from{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes,
            c.srcY,          c.srcZ,    c.srcPitch,  c.srcHeight};
  return !c.srcLOD && !c.dstLOD && makeBox(to, from, c.WidthInBytes, c.Height, c.Depth, parameters);
}

template <typename Parameters> CUresult copy3D(const Parameters *c, CUstream stream, bool async) {
  if (!c)
    return CUDA_ERROR_INVALID_VALUE;
  return callInContext([&] {
    cudaMemcpy3DParms parameters{};
    return makeBox3D(*c, parameters) ? copyBox(parameters, stream, async) : cudaErrorInvalidValue;
  });
}

} // namespace

bool vx::rt::driver::toRuntime(const CUDA_MEMCPY3D &copy, cudaMemcpy3DParms &same) {
  return makeBox3D(copy, same);
}

extern "C" CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  return copy2D(copy, nullptr, false);
}
extern "C" CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) {
  return copy2D(copy, nullptr, false);
}
extern "C" CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  return copy2D(copy, stream, true);
}
extern "C" CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) {
  return copy3D(copy, nullptr, false);
}
extern "C" CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
  return copy3D(copy, stream, true);
}
/// The pointers say whose memory it is.
extern "C" CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy) {
  return copy3D(copy, nullptr, false);
}
extern "C" CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream) {
  return copy3D(copy, stream, true);
}
