// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between devices.

#include "runtime/api/Copy.h"

using namespace vx::rt;

namespace {

/// A copy between memory of two devices that are named. The pointers need not tell whose they are.
cudaError_t copyPeer(Copy copy, int destinationDevice, int sourceDevice, cudaStream_t stream,
                     bool async) {
  auto find = [&](int number, CopySide &side) {
    return callWithDevice(number, [&](Context &context) {
      copy.uses.push_back(std::make_shared<ContextUse>(Runtime::get().find(context)));
      side.context = &context;
      return cudaSuccess;
    });
  };
  if (cudaError_t e = find(destinationDevice, copy.destination); e != cudaSuccess)
    return e;
  if (cudaError_t e = find(sourceDevice, copy.source); e != cudaSuccess)
    return e;
  return callWithContext([&](Context &context) {
    return submitCopy(context, std::move(copy), cudaMemcpyDeviceToDevice, stream, async);
  });
}

cudaError_t copyBytes(void *destination, int destinationDevice, const void *source,
                      int sourceDevice, size_t size, cudaStream_t stream, bool async) {
  Copy copy;
  copy.destination = {addressOf(destination), size, size};
  copy.source = {addressOf(source), size, size};
  copy.extent.width = size;
  return copyPeer(std::move(copy), destinationDevice, sourceDevice, stream, async);
}

cudaError_t copyBox(const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream, bool async) {
  if (!parameters || parameters->srcArray || parameters->dstArray)
    return recordError(cudaErrorInvalidValue);
  const cudaExtent &extent = parameters->extent;
  if (extent.width > parameters->dstPtr.pitch || extent.width > parameters->srcPtr.pitch)
    return recordError(cudaErrorInvalidPitchValue);
  Copy copy;
  copy.destination = boxSide(parameters->dstPtr, parameters->dstPos);
  copy.source = boxSide(parameters->srcPtr, parameters->srcPos);
  copy.extent = {extent.width, extent.height, extent.depth};
  return copyPeer(std::move(copy), parameters->dstDevice, parameters->srcDevice, stream, async);
}

} // namespace

extern "C" cudaError_t cudaMemcpyPeer(void *destination, int destinationDevice, const void *source,
                                      int sourceDevice, size_t size) {
  return copyBytes(destination, destinationDevice, source, sourceDevice, size, nullptr, false);
}

extern "C" cudaError_t cudaMemcpyPeerAsync(void *destination, int destinationDevice,
                                           const void *source, int sourceDevice, size_t size,
                                           cudaStream_t stream) {
  return copyBytes(destination, destinationDevice, source, sourceDevice, size, stream, true);
}

extern "C" cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *parameters) {
  return copyBox(parameters, nullptr, false);
}

extern "C" cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *parameters,
                                             cudaStream_t stream) {
  return copyBox(parameters, stream, true);
}

static cudaError_t checkDevices(int first, int second) {
  unsigned count = Runtime::get().deviceCount();
  if (count == 0)
    return cudaErrorInitializationError;
  bool known = first >= 0 && second >= 0 && unsigned(first) < count && unsigned(second) < count;
  return known ? cudaSuccess : cudaErrorInvalidDevice;
}

extern "C" cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peer) {
  if (!canAccess)
    return recordError(cudaErrorInvalidValue);
  if (cudaError_t e = checkDevices(device, peer); e != cudaSuccess)
    return recordError(e);
  *canAccess = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return recordError(cudaErrorInvalidDevice);
}

extern "C" cudaError_t cudaDeviceDisablePeerAccess(int) {
  return recordError(cudaErrorInvalidDevice);
}

extern "C" cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
  return recordError(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}
