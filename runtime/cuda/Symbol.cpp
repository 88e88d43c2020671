// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device variables by the address of their host shadow.

#include "runtime/cuda/SubmitCopy.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"

using namespace vx::rt;

/// Checks that SIZE bytes at OFFSET lie in the variable of RANGE.
static cudaError_t checkPart(const AddressRange &range, size_t offset, size_t size) {
  if (offset <= range.size && size <= range.size - offset)
    return cudaSuccess;
  return because(cudaErrorInvalidValue,
                 "the copy is of " + std::to_string(size) + " bytes at offset " +
                     std::to_string(offset) + ", the variable has " + std::to_string(range.size),
                 range.base, range.size);
}

template <typename Body> static cudaError_t callWithSymbol(const void *symbol, Body &&body) {
  return callWithContext([&](Context &context) {
    Module *module = nullptr;
    AddressRange range;
    cudaError_t e = context.modules().findVariable(symbol, module, range);
    return e == cudaSuccess ? body(context, *module, range) : e;
  });
}

static cudaError_t copyTo(const void *symbol, const void *source, size_t size, size_t offset,
                          cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  return callWithSymbol(symbol, [&](Context &context, Module &module, const AddressRange &range) {
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    if (size == 0)
      return cudaSuccess;
    if (cudaError_t e = checkPart(range, offset, size); e != cudaSuccess)
      return e;
    Copy copy;
    copy.destination = {range.base + offset, size, size};
    copy.source = {addressOf(source), size, size};
    copy.extent.width = size;
    return submitCopy(context, copy, kind, stream, async, &module);
  });
}

static cudaError_t copyFrom(void *destination, const void *symbol, size_t size, size_t offset,
                            cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  return callWithSymbol(symbol, [&](Context &context, Module &module, const AddressRange &range) {
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    if (size == 0)
      return cudaSuccess;
    if (cudaError_t e = checkPart(range, offset, size); e != cudaSuccess)
      return e;
    Copy copy;
    copy.destination = {addressOf(destination), size, size};
    copy.source = {range.base + offset, size, size};
    copy.extent.width = size;
    return submitCopy(context, copy, kind, stream, async, &module);
  });
}

extern "C" cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t size,
                                          size_t offset, cudaMemcpyKind kind) {
  return copyTo(symbol, source, size, offset, kind, nullptr, false);
}

extern "C" cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t size,
                                               size_t offset, cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return copyTo(symbol, source, size, offset, kind, stream, true);
}

extern "C" cudaError_t cudaMemcpyFromSymbol(void *destination, const void *symbol, size_t size,
                                            size_t offset, cudaMemcpyKind kind) {
  return copyFrom(destination, symbol, size, offset, kind, nullptr, false);
}

extern "C" cudaError_t cudaMemcpyFromSymbolAsync(void *destination, const void *symbol, size_t size,
                                                 size_t offset, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return copyFrom(destination, symbol, size, offset, kind, stream, true);
}

extern "C" cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  if (!pointer)
    return recordError(cudaErrorInvalidValue);
  return callWithSymbol(symbol, [&](Context &context, Module &module, const AddressRange &range) {
    *pointer = pointerTo(range.base);
    // The program may copy to the address before it launches anything.
    return context.scheduler().withDevice([&] { return context.modules().use(module); });
  });
}

extern "C" cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  if (!size)
    return recordError(cudaErrorInvalidValue);
  return callWithSymbol(symbol, [&](Context &, Module &, const AddressRange &range) {
    *size = range.size;
    return cudaSuccess;
  });
}

extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
