// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's functions that compute nothing: handles, settings.

#include "Handle.h"

struct cusolverDnParams {};
struct syevjInfo : vx::solver::JacobiInfo {};
struct gesvdjInfo : vx::solver::JacobiInfo {};

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  auto *context = new cusolverDnContext;
  if (cublasStatus_t status = cublasCreate(&context->blas); status != CUBLAS_STATUS_SUCCESS) {
    delete context;
    return status == CUBLAS_STATUS_ALLOC_FAILED ? CUSOLVER_STATUS_ALLOC_FAILED
                                                : CUSOLVER_STATUS_NOT_INITIALIZED;
  }
  *handle = context;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  VX_SOLVER_CHECK(handle, true);
  cublasDestroy(handle->blas);
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  VX_SOLVER_CHECK(handle, true);
  handle->stream = stream;
  return vx::solver::statusOf(cublasSetStream(handle->blas, stream));
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream) {
  VX_SOLVER_CHECK(handle, stream);
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode) {
  VX_SOLVER_CHECK(handle, mode == CUSOLVER_DETERMINISTIC_RESULTS ||
                              mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  handle->deterministicMode = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t *mode) {
  VX_SOLVER_CHECK(handle, mode);
  *mode = handle->deterministicMode;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t) {
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerSetFile(FILE *) {
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerOpenFile(const char *) {
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerSetLevel(int) {
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerSetMask(int) {
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerForceDisable(void) {
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  if (!params)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *params = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
/// All algorithms are one.
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
  const bool isValid = params && (function == CUSOLVERDN_GETRF || function == CUSOLVERDN_POTRF) &&
                       algorithm >= CUSOLVER_ALG_0 && algorithm <= CUSOLVER_ALG_2;
  return isValid ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

#define VX_SOLVER_JACOBI(LOWER, UPPER)                                                             \
  cusolverStatus_t cusolverDnCreate##UPPER##Info(LOWER##Info_t *info) {                            \
    if (!info)                                                                                     \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                        \
    *info = new LOWER##Info;                                                                       \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusolverStatus_t cusolverDnDestroy##UPPER##Info(LOWER##Info_t info) {                            \
    delete info;                                                                                   \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##LOWER##SetTolerance(LOWER##Info_t info, double tolerance) {        \
    VX_SOLVER_CHECK(info, tolerance >= 0);                                                         \
    info->tolerance = tolerance;                                                                   \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##LOWER##SetMaxSweeps(LOWER##Info_t info, int sweeps) {              \
    VX_SOLVER_CHECK(info, sweeps >= 0);                                                            \
    info->maxSweeps = sweeps;                                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##LOWER##SetSortEig(LOWER##Info_t info, int sorts) {                 \
    VX_SOLVER_CHECK(info, true);                                                                   \
    info->sorts = sorts;                                                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##LOWER##GetResidual(cusolverDnHandle_t handle, LOWER##Info_t info,  \
                                                   double *residual) {                             \
    VX_SOLVER_CHECK(handle, info && residual);                                                     \
    return CUSOLVER_STATUS_NOT_SUPPORTED; /* is not computed */                                    \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##LOWER##GetSweeps(cusolverDnHandle_t handle, LOWER##Info_t info,    \
                                                 int *sweeps) {                                    \
    VX_SOLVER_CHECK(handle, info && sweeps);                                                       \
    *sweeps = info->sweeps;                                                                        \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
VX_SOLVER_JACOBI(syevj, Syevj)
VX_SOLVER_JACOBI(gesvdj, Gesvdj)

} // extern "C"
