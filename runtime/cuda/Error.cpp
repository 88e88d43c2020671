// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors. Each host thread keeps the last one that a call on it returned, until it is asked for.
// The error of a stopped kernel stays with the context: calls that need it return it until
// cudaDeviceReset, those that only ask or are about errors do not.

#include "runtime/cuda/Api.h"
#include <utility>

using namespace vx::rt;

static thread_local cudaError_t lastError = cudaSuccess;
thread_local CallMode vx::rt::callMode;

cudaError_t vx::rt::recordError(cudaError_t error) {
  if (callMode.fromDriver)
    return error;
  reportFailedCall(error);
  // cudaErrorNotReady answers a question.
  if (error != cudaSuccess && error != cudaErrorNotReady)
    lastError = error;
  return error;
}

extern "C" cudaError_t cudaGetLastError() {
  return std::exchange(lastError, cudaSuccess);
}

extern "C" cudaError_t cudaPeekAtLastError() {
  return lastError;
}

extern "C" const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define VX_CUDA_ERROR(name, text)                                                                  \
  case name:                                                                                       \
    return #name;
#include "runtime/CudaErrors.def"
  }
  return "unrecognized error code";
}

extern "C" const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define VX_CUDA_ERROR(name, text)                                                                  \
  case name:                                                                                       \
    return text;
#include "runtime/CudaErrors.def"
  }
  return "unrecognized error code";
}
