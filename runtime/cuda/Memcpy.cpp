// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMemcpy and cudaMemset in all their forms: each describes its rows and hands them to Copy.

#include "runtime/context/ArrayCopy.h"
#include "runtime/cuda/SubmitCopy.h"
#include <algorithm>

using namespace vx::rt;

static Copy linearCopy(void *destination, const void *source, size_t size) {
  Copy copy;
  copy.destination = {addressOf(destination), size, size};
  copy.source = {addressOf(source), size, size};
  copy.extent.width = size;
  return copy;
}

static cudaError_t copyLinear(void *destination, const void *source, size_t size,
                              cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  if (size && !isCopyKind(kind))
    return recordError(
        because(cudaErrorInvalidMemcpyDirection, std::to_string(int(kind)) +
                                                     " is not a cudaMemcpyKind; the arguments "
                                                     "are destination, source, size, kind"));
  return callWithContext([&](Context &context) {
    return submitCopy(context, linearCopy(destination, source, size), kind, stream, async);
  });
}

extern "C" cudaError_t cudaMemcpy(void *destination, const void *source, size_t size,
                                  cudaMemcpyKind kind) {
  return copyLinear(destination, source, size, kind, nullptr, false);
}

extern "C" cudaError_t cudaMemcpyAsync(void *destination, const void *source, size_t size,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return copyLinear(destination, source, size, kind, stream, true);
}

static cudaError_t copyRows(void *destination, size_t destinationPitch, const void *source,
                            size_t sourcePitch, size_t width, size_t height, cudaMemcpyKind kind,
                            cudaStream_t stream, bool async) {
  return callWithContext([&](Context &context) {
    bool isEmpty = width == 0 || height == 0;
    if (!isEmpty && (width > destinationPitch || width > sourcePitch))
      return because(height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue,
                     "rows of " + std::to_string(width) + " bytes are wider than a pitch of " +
                         std::to_string(std::min(destinationPitch, sourcePitch)));
    Copy copy;
    copy.destination = {addressOf(destination), destinationPitch, 0};
    copy.source = {addressOf(source), sourcePitch, 0};
    copy.extent = {width, height, 1};
    return submitCopy(context, copy, kind, stream, async);
  });
}

extern "C" cudaError_t cudaMemcpy2D(void *destination, size_t destinationPitch, const void *source,
                                    size_t sourcePitch, size_t width, size_t height,
                                    cudaMemcpyKind kind) {
  return copyRows(destination, destinationPitch, source, sourcePitch, width, height, kind, nullptr,
                  false);
}

extern "C" cudaError_t cudaMemcpy2DAsync(void *destination, size_t destinationPitch,
                                         const void *source, size_t sourcePitch, size_t width,
                                         size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyRows(destination, destinationPitch, source, sourcePitch, width, height, kind, stream,
                  true);
}

static cudaError_t copyBox(const cudaMemcpy3DParms *parameters, cudaStream_t stream, bool async) {
  return callWithContext([&](Context &context) {
    if (!parameters)
      return cudaErrorInvalidValue;
    Copy copy;
    if (cudaError_t e = describeCopy(context, *parameters, copy); e != cudaSuccess)
      return e;
    return submitCopy(context, copy, parameters->kind, stream, async);
  });
}

extern "C" cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  return copyBox(parameters, nullptr, false);
}

extern "C" cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  return copyBox(parameters, stream, true);
}

/// A single row has no need of a pitch.
static cudaError_t fillBox(void *pointer, size_t pitch, size_t slicePitch, int value,
                           const CopyExtent &extent, cudaStream_t stream) {
  return callWithContext([&](Context &context) {
    if (extent.width > pitch && !extent.empty() && extent.height * extent.depth > 1)
      return cudaErrorInvalidValue;
    return submitFill(context, {addressOf(pointer), pitch, slicePitch}, extent, uint8_t(value),
                      stream);
  });
}

extern "C" cudaError_t cudaMemset(void *pointer, int value, size_t size) {
  return fillBox(pointer, size, size, value, {size, 1, 1}, nullptr);
}

extern "C" cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream) {
  return fillBox(pointer, size, size, value, {size, 1, 1}, stream);
}

extern "C" cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                                    size_t height) {
  return fillBox(pointer, pitch, 0, value, {width, height, 1}, nullptr);
}

extern "C" cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width,
                                         size_t height, cudaStream_t stream) {
  return fillBox(pointer, pitch, 0, value, {width, height, 1}, stream);
}

extern "C" cudaError_t cudaMemset3D(cudaPitchedPtr box, int value, cudaExtent extent) {
  return cudaMemset3DAsync(box, value, extent, nullptr);
}

extern "C" cudaError_t cudaMemset3DAsync(cudaPitchedPtr box, int value, cudaExtent extent,
                                         cudaStream_t stream) {
  if (extent.height > box.ysize && extent.width && extent.depth)
    return recordError(cudaErrorInvalidValue);
  return fillBox(box.ptr, box.pitch, box.pitch * box.ysize, value,
                 {extent.width, extent.height, extent.depth}, stream);
}
