// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 3: LU and QR factorisations of batches, and systems that they solve. A part of
// Level3.cu.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_FACTORIZATIONS_H
#define VX_RUNTIME_LIBRARIES_BLAS_FACTORIZATIONS_H

#include "FactorKernels.h"
#include <initializer_list>
#include <utility>

namespace vx::blas {

template <class T>
cublasStatus_t getrfBatched(cublasHandle_t handle, int n, T *const *a, int lda, int *pivots,
                            int *info, int batchCount) {
  VX_BLAS_CHECK(handle, n >= 0 && lda >= std::max(1, n) && batchCount >= 0 && info);
  if (n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  factorize<T><<<batchCount, kFactorThreads, 0, handle->stream>>>(n, a, lda, pivots, info);
  return statusOf(cudaGetLastError());
}

/// The two triangular systems of a factorisation.
template <class T>
cublasStatus_t solveFactors(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                            const T *const *a, int lda, T *const *b, int ldb, int batches) {
  const bool plain = trans == CUBLAS_OP_N;
  const Batch<const T> factors{nullptr, 0, a};
  const Batch<T> sides{nullptr, 0, b};
  cublasStatus_t status =
      solve(handle, CUBLAS_SIDE_LEFT, plain ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
            trans, plain ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, nrhs, scalarOf(T(1)),
            factors, lda, sides, ldb, batches);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : solve(handle, CUBLAS_SIDE_LEFT,
                     plain ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, trans,
                     plain ? CUBLAS_DIAG_NON_UNIT : CUBLAS_DIAG_UNIT, n, nrhs, scalarOf(T(1)),
                     factors, lda, sides, ldb, batches);
}

/// Its INFO is about the arguments, and on the host.
template <class T>
cublasStatus_t getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                            const T *const *a, int lda, const int *pivots, T *const *b, int ldb,
                            int *info, int batchCount) {
  VX_BLAS_CHECK(handle, info);
  const bool good = isOperation(trans) && n >= 0 && nrhs >= 0 && lda >= std::max(1, n) &&
                    ldb >= std::max(1, n) && batchCount >= 0;
  *info = good ? 0 : -1;
  VX_BLAS_CHECK(handle, good);
  const bool plain = trans == CUBLAS_OP_N;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (pivots && plain)
    status = launchThreads(handle, swapRows<T>, nrhs, batchCount, n, nrhs, pivots, true, b, ldb);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = solveFactors(handle, trans, n, nrhs, a, lda, b, ldb, batchCount);
  if (status == CUBLAS_STATUS_SUCCESS && pivots && !plain)
    status = launchThreads(handle, swapRows<T>, nrhs, batchCount, n, nrhs, pivots, false, b, ldb);
  return status;
}

/// Solves for the unit matrix. INFO is on the device: the first zero on the diagonal.
template <class T>
cublasStatus_t getriBatched(cublasHandle_t handle, int n, const T *const *a, int lda,
                            const int *pivots, T *const *c, int ldc, int *info, int batchCount) {
  VX_BLAS_CHECK(handle, n >= 0 && lda >= std::max(1, n) && ldc >= std::max(1, n) &&
                            batchCount >= 0 && info);
  cublasStatus_t status =
      launchThreads(handle, setUnitMatrix<T>, n, batchCount, n, a, lda, c, ldc, info);
  if (status == CUBLAS_STATUS_SUCCESS && pivots)
    status = launchThreads(handle, swapRows<T>, n, batchCount, n, n, pivots, true, c, ldc);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : solveFactors(handle, CUBLAS_OP_N, n, n, a, lda, c, ldc, batchCount);
}

/// The inverses of small matrices, which stay as they are. INFO is on the device.
template <class T>
cublasStatus_t matinvBatched(cublasHandle_t handle, int n, const T *const *a, int lda,
                             T *const *inverses, int ldInverse, int *info, int batchCount) {
  constexpr int largest = 32; // as of NVIDIA's
  VX_BLAS_CHECK(handle, n >= 0 && n <= largest && lda >= std::max(1, n) &&
                            ldInverse >= std::max(1, n) && batchCount >= 0 && info);
  if (n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  const size_t batches = batchCount;
  Temporary<T> copies(handle, batches * n * n);
  Temporary<T *> addresses(handle, batches);
  Temporary<int> pivots(handle, batches * n);
  if (!copies || !addresses || !pivots)
    return CUBLAS_STATUS_ALLOC_FAILED;
  cublasStatus_t status = launchThreads(handle, copyMatrices<T>, n, batchCount, n, a, lda,
                                        (T *)copies, (T **)addresses);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = getrfBatched<T>(handle, n, addresses, n, pivots, info, batchCount);
  return status != CUBLAS_STATUS_SUCCESS ? status
                                         : getriBatched<T>(handle, n, addresses, n, pivots,
                                                           inverses, ldInverse, info, batchCount);
}

/// Tells by INFO, on the host, which argument is wrong: minus its place, or 0.
inline cublasStatus_t checked(int *info, std::initializer_list<std::pair<int, bool>> arguments) {
  *info = 0;
  for (auto [place, isGood] : arguments)
    if (!isGood && *info == 0)
      *info = -place;
  return *info ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t geqrfBatched(cublasHandle_t handle, int m, int n, T *const *a, int lda,
                            T *const *taus, int *info, int batchCount) {
  VX_BLAS_CHECK(handle, info);
  cublasStatus_t status =
      checked(info, {{1, m >= 0}, {2, n >= 0}, {4, lda >= std::max(1, m)}, {7, batchCount >= 0}});
  if (status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || batchCount == 0)
    return status;
  factorizeQr<T>
      <<<batchCount, kFactorThreads, 0, handle->stream>>>(m, n, a, lda, Batch<T>{nullptr, 0, taus});
  return statusOf(cudaGetLastError());
}

/// Least squares by QR. As of NVIDIA's, only of matrices as they are, with no fewer rows than
/// columns. DEVICEINFO may be null.
template <class T>
cublasStatus_t gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs,
                           T *const *a, int lda, T *const *c, int ldc, int *info, int *deviceInfo,
                           int batchCount) {
  VX_BLAS_CHECK(handle, info);
  cublasStatus_t status = checked(info, {{1, isOperation(trans)},
                                         {2, m >= 0},
                                         {3, n >= 0},
                                         {4, nrhs >= 0},
                                         {6, lda >= std::max(1, m)},
                                         {8, ldc >= std::max(1, m)},
                                         {11, batchCount >= 0}});
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (trans != CUBLAS_OP_N || m < n)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  Temporary<T> factors(handle, size_t(batchCount) * n);
  if (!factors)
    return CUBLAS_STATUS_ALLOC_FAILED;
  const Batch<T> taus{factors, n};
  factorizeQr<T><<<batchCount, kFactorThreads, 0, handle->stream>>>(m, n, a, lda, taus);
  status = statusOf(cudaGetLastError());
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : launchThreads(handle, solveByQr<T>, std::max(1, nrhs), batchCount, m, n, nrhs, a,
                             lda, taus, c, ldc, deviceInfo);
}

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_FACTORIZATIONS_H
