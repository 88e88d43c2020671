// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays: making, freeing, asking. Copies are in ArrayCopy.cpp.

#include "runtime/context/ArrayCopy.h"
#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"

using namespace vx::rt;

extern "C" cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                         cudaExtent extent, unsigned flags) {
  return callWithContext([&](Context &context) {
    if (!array || !desc)
      return cudaErrorInvalidValue;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    return createArray(context, *desc, extent, flags, *array);
  });
}

extern "C" cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                       size_t width, size_t height, unsigned flags) {
  if (flags & (cudaArrayLayered | cudaArrayCubemap))
    return recordError(cudaErrorInvalidValue);
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}

extern "C" cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                                const cudaChannelFormatDesc *desc,
                                                cudaExtent extent, unsigned levels,
                                                unsigned flags) {
  return callWithContext([&](Context &context) {
    if (!array || !desc)
      return cudaErrorInvalidValue;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    return createMipmappedArray(context, *desc, extent, levels, flags, *array);
  });
}

extern "C" cudaError_t cudaFreeArray(cudaArray_t handle) {
  return callWithContext([&](Context &current) {
    if (!handle)
      return cudaSuccess;
    ArrayUse use = findArray(current, handle);
    if (!use.array || use.array->isLevel)
      return cudaErrorInvalidValue;
    Context &context = *use.context;
    // Kernels that were launched before may still use it.
    cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
    if (e != cudaSuccess)
      return e;
    return destroyArray(context, handle) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle) {
  return callWithContext([&](Context &context) {
    if (!handle)
      return cudaSuccess;
    if (!context.handles().mipmappedArrays.find(handle))
      return cudaErrorInvalidValue;
    cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
    if (e != cudaSuccess)
      return e;
    return destroyMipmappedArray(context, handle) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level,
                                                  cudaMipmappedArray_const_t mipmapped,
                                                  unsigned number) {
  return callWithContext([&](Context &context) {
    auto array =
        context.handles().mipmappedArrays.find(const_cast<cudaMipmappedArray_t>(mipmapped));
    if (!level || !array || number >= array->handles.size())
      return cudaErrorInvalidValue;
    *level = array->handles[number];
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent,
                                        unsigned *flags, cudaArray_t handle) {
  return callWithContext([&](Context &context) {
    ArrayUse use = findArray(context, handle);
    if (!use.array)
      return cudaErrorInvalidValue;
    if (desc)
      *desc = use.array->desc;
    if (extent)
      *extent = use.array->extent;
    if (flags)
      *flags = use.array->flags;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t handle) {
  return callWithContext([&](Context &context) {
    ArrayUse use = findArray(context, handle);
    if (!desc || !use.array)
      return cudaErrorInvalidValue;
    *desc = use.array->desc;
    return cudaSuccess;
  });
}

/// The result of calls about arrays of several planes, sparse ones, and those that are mapped
/// later, which do not exist here.
static cudaError_t noneOfThese() {
  return callWithContext([](Context &) { return cudaErrorInvalidValue; });
}
extern "C" cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t, unsigned) {
  return noneOfThese();
}
extern "C" cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *, cudaArray_t) {
  return noneOfThese();
}
extern "C" cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *,
                                                             cudaMipmappedArray_t) {
  return noneOfThese();
}
extern "C" cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaArray_t,
                                                      int) {
  return noneOfThese();
}
extern "C" cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *,
                                                               cudaMipmappedArray_t, int) {
  return noneOfThese();
}
