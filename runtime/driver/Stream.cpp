// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events: those of the runtime API.

#include "runtime/driver/Api.h"

using namespace vx::rt;
using namespace vx::rt::driver;

extern "C" CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return callInContext([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

extern "C" CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return callInContext([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

extern "C" CUresult cuStreamDestroy(CUstream stream) {
  return callInContext([&] { return cudaStreamDestroy(stream); });
}

extern "C" CUresult cuStreamSynchronize(CUstream stream) {
  return callInContext([&] { return cudaStreamSynchronize(stream); });
}

extern "C" CUresult cuStreamQuery(CUstream stream) {
  return callInContext([&] { return cudaStreamQuery(stream); });
}

extern "C" CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return callInContext([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

extern "C" CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData,
                                        unsigned flags) {
  // The statuses that a callback sees have the same numbers in both APIs.
  return callInContext([&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), userData,
                                 flags);
  });
}

extern "C" CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  return callInContext([&] { return cudaStreamGetPriority(stream, priority); });
}

extern "C" CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  return callInContext([&] { return cudaStreamGetFlags(stream, flags); });
}

extern "C" CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  return callInContext([&] { return cudaStreamGetId(stream, id); });
}

extern "C" CUresult cuStreamGetCtx(CUstream stream, CUcontext *owner) {
  if (!owner)
    return CUDA_ERROR_INVALID_VALUE;
  return withContext([&](Context &context) {
    StreamUse use = findStream(context, stream);
    if (!use.stream)
      return CUDA_ERROR_INVALID_HANDLE;
    *owner = contextHandle(use.owner ? use.owner.slotId() : currentSlot());
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return callInContext([&] { return cudaEventCreateWithFlags(event, flags); });
}

extern "C" CUresult cuEventRecord(CUevent event, CUstream stream) {
  return callInContext([&] { return cudaEventRecord(event, stream); });
}

extern "C" CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return callInContext([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

extern "C" CUresult cuEventQuery(CUevent event) {
  return callInContext([&] { return cudaEventQuery(event); });
}

extern "C" CUresult cuEventSynchronize(CUevent event) {
  return callInContext([&] { return cudaEventSynchronize(event); });
}

extern "C" CUresult cuEventDestroy(CUevent event) {
  return callInContext([&] { return cudaEventDestroy(event); });
}

extern "C" CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return callInContext([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
