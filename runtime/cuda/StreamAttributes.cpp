// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of streams: the priority, and hints that are kept for those who ask.

#include "runtime/context/LaunchAttributes.h"
#include "runtime/cuda/Api.h"

using namespace vx::rt;

/// Sets VALUE to what holds where nothing was set.
static bool giveDefault(cudaStreamAttrID id, cudaStreamAttrValue &value) {
  value = {};
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
    return true;
  case cudaLaunchAttributeSynchronizationPolicy:
    value.syncPolicy = cudaSyncPolicyAuto;
    return true;
  default:
    return false;
  }
}

static bool isValid(cudaStreamAttrID id, const cudaStreamAttrValue &value) {
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    return isValidWindow(value.accessPolicyWindow);
  case cudaLaunchAttributeSynchronizationPolicy:
    return value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync;
  case cudaLaunchAttributeMemSyncDomainMap: // there is one domain
    return value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 0;
  case cudaLaunchAttributeMemSyncDomain:
    return value.memSyncDomain <= cudaLaunchMemSyncDomainRemote;
  default:
    return false;
  }
}

extern "C" cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id,
                                              cudaStreamAttrValue *value) {
  return callWithStream(handle, [&](Context &context, const std::shared_ptr<Stream> &stream) {
    if (!value)
      return cudaErrorInvalidValue;
    if (id == cudaLaunchAttributePriority) {
      *value = {};
      value->priority = stream->priority;
      return cudaSuccess;
    }
    cudaStreamAttrValue standard;
    if (!giveDefault(id, standard))
      return cudaErrorInvalidValue;
    *value = context.handles().streamAttributes.get(stream->id, id).value_or(standard);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id,
                                              const cudaStreamAttrValue *value) {
  return callWithStream(handle, [&](Context &context, const std::shared_ptr<Stream> &stream) {
    if (!value)
      return cudaErrorInvalidValue;
    if (id == cudaLaunchAttributePriority) {
      stream->priority = clampPriority(value->priority);
      return cudaSuccess;
    }
    if (!isValid(id, *value))
      return cudaErrorInvalidValue;
    context.handles().streamAttributes.set(stream->id, id, *value);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return callWithStream(destination, [&](Context &context, const std::shared_ptr<Stream> &to) {
    std::shared_ptr<Stream> from = lookUpStream(context, source);
    if (!from)
      return cudaErrorInvalidResourceHandle;
    to->priority = from->priority.load();
    context.handles().streamAttributes.copy(to->id, from->id);
    return cudaSuccess;
  });
}
