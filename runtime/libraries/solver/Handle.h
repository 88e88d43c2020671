// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's handle, and what all functions do with their arguments.

#ifndef VX_RUNTIME_LIBRARIES_SOLVER_HANDLE_H
#define VX_RUNTIME_LIBRARIES_SOLVER_HANDLE_H

#include "../blas/Types.h"
#include "../common/Memory.h"
#include <algorithm>
#include <cusolverDn.h>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cublasHandle_t blas = nullptr;
  cusolverDeterministicMode_t deterministicMode = CUSOLVER_DETERMINISTIC_RESULTS;
};

namespace vx::solver {

using namespace vx::blas;

/// The size of work areas that functions ask for.
constexpr int kWorkSize = 64;

/// What users set of the methods of Jacobi, and read of the last call.
struct JacobiInfo {
  double tolerance = 0; ///< 0: the precision of the type.
  int maxSweeps = 100;
  bool sorts = true;
  int sweeps = 0;
};

inline cusolverStatus_t statusOf(cudaError_t error) {
  return error == cudaSuccess                 ? CUSOLVER_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
                                              : CUSOLVER_STATUS_EXECUTION_FAILED;
}
inline cusolverStatus_t statusOf(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS        ? CUSOLVER_STATUS_SUCCESS
         : status == CUBLAS_STATUS_ALLOC_FAILED ? CUSOLVER_STATUS_ALLOC_FAILED
                                                : CUSOLVER_STATUS_EXECUTION_FAILED;
}

inline bool isTriangle(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
inline bool isOperation(cublasOperation_t op) {
  return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C;
}
inline bool isMode(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR;
}

/// Sets the information on the device, if there is any.
inline cudaError_t clearInfo(cusolverDnHandle_t handle, int *info, size_t count = 1) {
  return info ? cudaMemsetAsync(info, 0, count * sizeof(int), handle->stream) : cudaSuccess;
}

} // namespace vx::solver

// Functions return what is wrong with their arguments before anything is done.
#define VX_SOLVER_CHECK(HANDLE, CONDITION)                                                         \
  do {                                                                                             \
    if (!(HANDLE))                                                                                 \
      return CUSOLVER_STATUS_NOT_INITIALIZED;                                                      \
    if (!(CONDITION))                                                                              \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                        \
  } while (0)
#define VX_SOLVER_TRY(CALL)                                                                        \
  do {                                                                                             \
    if (cusolverStatus_t status_ = (CALL); status_ != CUSOLVER_STATUS_SUCCESS)                     \
      return status_;                                                                              \
  } while (0)

#endif // VX_RUNTIME_LIBRARIES_SOLVER_HANDLE_H
