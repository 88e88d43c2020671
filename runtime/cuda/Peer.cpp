// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between devices, and peer access.

#include "runtime/cuda/SubmitCopy.h"
#include "runtime/memory/DeviceMemory.h"

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

/// Runs BODY(context, peer), for two devices.
template <typename Body> static cudaError_t callWithPeers(int device, int peer, Body &&body) {
  return callWithDevice(device, [&](Context &context) {
    cudaError_t result = cudaSuccess;
    cudaError_t found = callWithDevice(peer, [&](Context &other) {
      result = body(context, other);
      return cudaSuccess;
    });
    return found == cudaSuccess ? result : found;
  });
}

static bool mayAccess(const Context &context, const Context &peer) {
  return &context != &peer && context.sharesMemory() && peer.sharesMemory();
}

extern "C" cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peer) {
  if (!canAccess)
    return recordError(cudaErrorInvalidValue);
  return callWithPeers(device, peer, [&](Context &context, Context &other) {
    *canAccess = mayAccess(context, other); // a device is not its own peer
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0)
    return recordError(cudaErrorInvalidValue);
  return callWithContext([&](Context &context) {
    if (peer == int(context.identity().number))
      return cudaErrorPeerAccessUnsupported;
    return callWithDevice(
        peer, [&](Context &other) { return context.memory().enablePeer(other.memory()); });
  });
}

extern "C" cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return callWithContext([&](Context &context) {
    if (peer == int(context.identity().number))
      return cudaErrorPeerAccessNotEnabled;
    return callWithDevice(
        peer, [&](Context &other) { return context.memory().disablePeer(other.memory()); });
  });
}

extern "C" cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute,
                                                 int device, int peer) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  if (device == peer)
    return recordError(cudaErrorInvalidDevice);
  return callWithPeers(device, peer, [&](Context &context, Context &other) {
    switch (attribute) {
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
      *value = mayAccess(context, other);
      return cudaSuccess;
    case cudaDevP2PAttrPerformanceRank: // all links are alike
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 0;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}
