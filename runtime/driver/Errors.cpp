// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the driver API. From 100 on they have the numbers of the runtime API's.

#include "runtime/driver/Api.h"

namespace vx::rt::driver {

CUresult fromRuntime(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorMissingConfiguration:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  case cudaErrorInitializationError: // the device could not be opened
  case cudaErrorDevicesUnavailable:
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  default:
    break;
  }
  const char *name;
  return cuGetErrorName(CUresult(error), &name) == CUDA_SUCCESS ? CUresult(error)
                                                                : CUDA_ERROR_UNKNOWN;
}

} // namespace vx::rt::driver

static const char *nameOf(CUresult error) {
  switch (error) {
#define VX_CU_ERROR(name)                                                                          \
  case name:                                                                                       \
    return #name;
#include "runtime/driver/Errors.def"
  }
  return nullptr;
}

extern "C" CUresult cuGetErrorName(CUresult error, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = nameOf(error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

extern "C" CUresult cuGetErrorString(CUresult error, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  if (!nameOf(error))
    return CUDA_ERROR_INVALID_VALUE;
  *text = error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT ? "context already current"
                                                      : cudaGetErrorString(cudaError_t(error));
  return CUDA_SUCCESS;
}
