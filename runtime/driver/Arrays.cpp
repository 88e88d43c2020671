// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, over those of the runtime API.

#include "runtime/driver/ArrayFormat.h"

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

struct FormatRow {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
  unsigned channels; ///< 0: any number
};
constexpr FormatRow kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat, 0},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat, 0},
    {CU_AD_FORMAT_UNORM_INT8X1, 8, cudaChannelFormatKindUnsignedNormalized8X1, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, 8, cudaChannelFormatKindUnsignedNormalized8X2, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, 8, cudaChannelFormatKindUnsignedNormalized8X4, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, 16, cudaChannelFormatKindUnsignedNormalized16X1, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, 16, cudaChannelFormatKindUnsignedNormalized16X2, 2},
    {CU_AD_FORMAT_UNORM_INT16X4, 16, cudaChannelFormatKindUnsignedNormalized16X4, 4},
    {CU_AD_FORMAT_SNORM_INT8X1, 8, cudaChannelFormatKindSignedNormalized8X1, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, 8, cudaChannelFormatKindSignedNormalized8X2, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, 8, cudaChannelFormatKindSignedNormalized8X4, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, 16, cudaChannelFormatKindSignedNormalized16X1, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, 16, cudaChannelFormatKindSignedNormalized16X2, 2},
    {CU_AD_FORMAT_SNORM_INT16X4, 16, cudaChannelFormatKindSignedNormalized16X4, 4}};

// The flags have the same values.
static_assert(CUDA_ARRAY3D_LAYERED == cudaArrayLayered &&
              CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore &&
              CUDA_ARRAY3D_CUBEMAP == cudaArrayCubemap &&
              CUDA_ARRAY3D_TEXTURE_GATHER == cudaArrayTextureGather);

/// Runs BODY(desc) with the format of DESCRIPTOR.
template <typename Descriptor, typename Body>
CUresult withFormat(const Descriptor *descriptor, Body &&body) {
  if (!descriptor)
    return CUDA_ERROR_INVALID_VALUE;
  return callInContext([&] {
    auto desc = channelDesc(descriptor->Format, descriptor->NumChannels);
    return desc ? body(*desc) : cudaErrorInvalidValue;
  });
}

CUresult describe(CUarray array, CUDA_ARRAY3D_DESCRIPTOR &d) {
  return callInContext([&] {
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    cudaError_t e = cudaArrayGetInfo(&desc, &extent, &d.Flags, arrayOf(array));
    if (e != cudaSuccess)
      return cudaErrorInvalidResourceHandle;
    d.Width = extent.width;
    d.Height = extent.height;
    d.Depth = extent.depth;
    d.Format = arrayFormat(desc, d.NumChannels);
    return cudaSuccess;
  });
}

} // namespace

std::optional<cudaChannelFormatDesc> driver::channelDesc(CUarray_format format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4)
    return std::nullopt;
  for (const FormatRow &row : kFormats)
    if (row.format == format && (row.channels == 0 || row.channels == channels)) {
      int second = channels > 1 ? row.bits : 0, rest = channels > 2 ? row.bits : 0;
      return cudaChannelFormatDesc{row.bits, second, rest, rest, row.kind};
    }
  return std::nullopt;
}

CUarray_format driver::arrayFormat(const cudaChannelFormatDesc &desc, unsigned &channels) {
  channels = desc.w ? 4 : desc.y ? 2 : 1;
  for (const FormatRow &row : kFormats)
    if (row.kind == desc.f && row.bits == desc.x)
      return row.format;
  return CU_AD_FORMAT_FLOAT;
}

size_t driver::elementBytes(cudaArray_t array) {
  DriverCall guard;
  cudaChannelFormatDesc desc;
  if (cudaGetChannelDesc(&desc, array) != cudaSuccess)
    return 0;
  return size_t(desc.x + desc.y + desc.z + desc.w) / 8;
}

extern "C" CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor) {
  return withFormat(descriptor, [&](const cudaChannelFormatDesc &desc) {
    if (!array)
      return cudaErrorInvalidValue;
    cudaArray_t made;
    cudaError_t e = cudaMalloc3DArray(&made, &desc, {descriptor->Width, descriptor->Height, 0}, 0);
    if (e == cudaSuccess)
      *array = arrayOf(made);
    return e;
  });
}

extern "C" CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  return withFormat(d, [&](const cudaChannelFormatDesc &desc) {
    if (!array)
      return cudaErrorInvalidValue;
    cudaArray_t made;
    cudaError_t e = cudaMalloc3DArray(&made, &desc, {d->Width, d->Height, d->Depth}, d->Flags);
    if (e == cudaSuccess)
      *array = arrayOf(made);
    return e;
  });
}

extern "C" CUresult cuMipmappedArrayCreate(CUmipmappedArray *array,
                                           const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels) {
  return withFormat(d, [&](const cudaChannelFormatDesc &desc) {
    if (!array)
      return cudaErrorInvalidValue;
    cudaMipmappedArray_t made;
    cudaError_t e =
        cudaMallocMipmappedArray(&made, &desc, {d->Width, d->Height, d->Depth}, levels, d->Flags);
    if (e == cudaSuccess)
      *array = arrayOf(made);
    return e;
  });
}

extern "C" CUresult cuArrayDestroy(CUarray array) {
  return callInContext([&] {
    return array && cudaFreeArray(arrayOf(array)) == cudaSuccess ? cudaSuccess
                                                                 : cudaErrorInvalidResourceHandle;
  });
}

extern "C" CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return callInContext([&] {
    return array && cudaFreeMipmappedArray(arrayOf(array)) == cudaSuccess
               ? cudaSuccess
               : cudaErrorInvalidResourceHandle;
  });
}

extern "C" CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array,
                                             unsigned number) {
  return callInContext([&] {
    cudaArray_t found;
    cudaError_t e = cudaGetMipmappedArrayLevel(level ? &found : nullptr, arrayOf(array), number);
    if (e == cudaSuccess)
      *level = arrayOf(found);
    return e;
  });
}

extern "C" CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
  return descriptor ? describe(array, *descriptor) : CUDA_ERROR_INVALID_VALUE;
}

extern "C" CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (!descriptor)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult e = describe(array, d);
  if (e == CUDA_SUCCESS)
    *descriptor = {d.Width, d.Height, d.Format, d.NumChannels};
  return e;
}

// What is about arrays of several planes, sparse ones, and those that are mapped later: there are
// none.
extern "C" CUresult cuArrayGetPlane(CUarray *, CUarray, unsigned) {
  return callInContext([] { return cudaErrorInvalidValue; });
}
extern "C" CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *, CUarray) {
  return callInContext([] { return cudaErrorInvalidValue; });
}
extern "C" CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *,
                                                        CUmipmappedArray) {
  return callInContext([] { return cudaErrorInvalidValue; });
}
extern "C" CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *, CUarray,
                                                 CUdevice) {
  return callInContext([] { return cudaErrorInvalidValue; });
}
extern "C" CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *,
                                                          CUmipmappedArray, CUdevice) {
  return callInContext([] { return cudaErrorInvalidValue; });
}

/// Bytes between an array and other memory: rows of arrays of one dimension.
static CUresult toArray(CUarray array, size_t offset, const void *source, size_t size,
                        cudaMemcpyKind kind, CUstream stream, bool async) {
  return callInContext([&] {
    return async ? cudaMemcpyToArrayAsync(arrayOf(array), offset, 0, source, size, kind, stream)
                 : cudaMemcpyToArray(arrayOf(array), offset, 0, source, size, kind);
  });
}
static CUresult fromArray(void *destination, CUarray array, size_t offset, size_t size,
                          cudaMemcpyKind kind, CUstream stream, bool async) {
  return callInContext([&] {
    return async ? cudaMemcpyFromArrayAsync(destination, arrayOf(array), offset, 0, size, kind,
                                            stream)
                 : cudaMemcpyFromArray(destination, arrayOf(array), offset, 0, size, kind);
  });
}

extern "C" CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size) {
  return toArray(to, offset, pointer(from), size, cudaMemcpyDeviceToDevice, nullptr, false);
}
extern "C" CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size) {
  return fromArray(pointer(to), from, offset, size, cudaMemcpyDeviceToDevice, nullptr, false);
}
extern "C" CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size) {
  return toArray(to, offset, from, size, cudaMemcpyHostToDevice, nullptr, false);
}
extern "C" CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size) {
  return fromArray(to, from, offset, size, cudaMemcpyDeviceToHost, nullptr, false);
}
extern "C" CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from, size_t size,
                                      CUstream stream) {
  return toArray(to, offset, from, size, cudaMemcpyHostToDevice, stream, true);
}
extern "C" CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t size,
                                      CUstream stream) {
  return fromArray(to, from, offset, size, cudaMemcpyDeviceToHost, stream, true);
}
extern "C" CUresult cuMemcpyAtoA(CUarray to, size_t toOffset, CUarray from, size_t fromOffset,
                                 size_t size) {
  return callInContext([&] {
    return cudaMemcpyArrayToArray(arrayOf(to), toOffset, 0, arrayOf(from), fromOffset, 0, size,
                                  cudaMemcpyDeviceToDevice);
  });
}
