// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors. Each host thread keeps the last one that a call on it returned, until it is asked for.
// The error of a stopped kernel stays with the context: every call returns it until
// cudaDeviceReset.

#include "runtime/api/Api.h"
#include <utility>

using namespace vx::rt;

static thread_local cudaError_t lastError = cudaSuccess;
thread_local CallMode vx::rt::callMode;

cudaError_t vx::rt::recordError(cudaError_t error) {
  if (error != cudaSuccess && !callMode.fromDriver)
    lastError = error;
  return error;
}

static cudaError_t stickyOfContext() {
  ContextUse context = Runtime::get().existing();
  return context ? context->stickyError() : cudaSuccess;
}

extern "C" cudaError_t cudaGetLastError() {
  cudaError_t error = std::exchange(lastError, cudaSuccess);
  cudaError_t sticky = stickyOfContext();
  return sticky != cudaSuccess ? sticky : error;
}

extern "C" cudaError_t cudaPeekAtLastError() {
  cudaError_t sticky = stickyOfContext();
  return sticky != cudaSuccess ? sticky : lastError;
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
