// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's Cholesky and LU factorizations: panels by one block of threads, and cuBLAS for the
// rest of the matrix.

#include "../common/Launch.h"
#include "Entry.h"

namespace vx::solver {
namespace {

constexpr int kPanel = 16;

#define VX_SOLVER_SIZE(NAME, ...)                                                                  \
  template <class T>                                                                               \
  cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, __VA_ARGS__, int *lwork) {         \
    VX_SOLVER_CHECK(handle, lwork);                                                                \
    *lwork = kWorkSize;                                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
VX_SOLVER_SIZE(potrf, cublasFillMode_t, int, T *, int)
VX_SOLVER_SIZE(potri, cublasFillMode_t, int, T *, int)
VX_SOLVER_SIZE(getrf, int, int, T *, int)

/// The Cholesky factor of a matrix of N by one block, in place. INFO, unless it has an earlier one,
/// gets the first column from FIRST, counted from 1, whose pivot is not positive.
template <class T>
__device__ void factorizeByBlock(bool lower, int n, T *a, int lda, int first, int *info) {
  // Element (i, j) of the lower triangle, or (j, i) of the upper one, conjugated.
  const long long down = lower ? 1 : lda, right = lower ? lda : 1;
  for (int j = 0; j < n; ++j) {
    T *const column = a + j * down + j * right;
    const RealOf<T> pivot = realPart(column[0]);
    __syncthreads();
    if (!(pivot > 0)) {
      if (threadIdx.x == 0 && *info == 0)
        *info = first + j + 1;
      return;
    }
    const RealOf<T> root = sqrt(pivot);
    if (threadIdx.x == 0)
      column[0] = T(root);
    for (int i = 1 + threadIdx.x; i < n - j; i += kLibraryThreads)
      column[i * down] = column[i * down] * (RealOf<T>(1) / root);
    __syncthreads();
    for (int k = 1 + threadIdx.x; k < n - j; k += kLibraryThreads) {
      const T factor = conjugate(column[k * down]);
      for (int i = k; i < n - j; ++i)
        column[i * down + k * right] -= column[i * down] * factor;
    }
    __syncthreads();
  }
}

template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, T *,
                       int, int *info) {
  VX_SOLVER_CHECK(handle, isTriangle(uplo) && n >= 0 && lda >= std::max(1, n) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  for (int k = 0; k < n; k += kPanel) {
    const int size = std::min(kPanel, n - k), rest = n - k - size;
    T *const diagonal = a + k + (long long)k * lda;
    VX_SOLVER_TRY(statusOf(launchBlocks(handle->stream, 1, [=] __device__() {
      factorizeByBlock(lower, size, diagonal, lda, k, info);
    })));
    if (rest == 0)
      break;
    T *const panel = lower ? diagonal + size : diagonal + (long long)size * lda;
    VX_SOLVER_TRY(trsm(handle, lower ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_C,
                       CUBLAS_DIAG_NON_UNIT, lower ? rest : size, lower ? size : rest, diagonal,
                       lda, panel, lda));
    VX_SOLVER_TRY(subtractSquare(handle, uplo,
                                 lower          ? CUBLAS_OP_N
                                 : isComplex<T> ? CUBLAS_OP_C
                                                : CUBLAS_OP_T,
                                 rest, size, panel, lda, diagonal + size + (long long)size * lda,
                                 lda));
  }
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                       const T *a, int lda, T *b, int ldb, int *info) {
  VX_SOLVER_CHECK(handle, isTriangle(uplo) && n >= 0 && nrhs >= 0 && lda >= std::max(1, n) &&
                              ldb >= std::max(1, n) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  if (n == 0 || nrhs == 0)
    return CUSOLVER_STATUS_SUCCESS;
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  for (cublasOperation_t op :
       {lower ? CUBLAS_OP_N : CUBLAS_OP_C, lower ? CUBLAS_OP_C : CUBLAS_OP_N})
    VX_SOLVER_TRY(
        trsm(handle, CUBLAS_SIDE_LEFT, uplo, op, CUBLAS_DIAG_NON_UNIT, n, nrhs, a, lda, b, ldb));
  return CUSOLVER_STATUS_SUCCESS;
}

/// Solves for the unit matrix, of which a triangle is kept.
template <class T>
cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, T *,
                       int, int *info) {
  VX_SOLVER_CHECK(handle, isTriangle(uplo) && n >= 0 && lda >= std::max(1, n) && info);
  StreamMemory<T> memory(handle->stream, size_t(n) * n);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const inverse = memory;
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  const long long count = (long long)n * n;
  VX_SOLVER_TRY(statusOf(launch(
      handle->stream, count, [=] __device__(long long at) { inverse[at] = T(at % n == at / n); })));
  VX_SOLVER_TRY(potrs(handle, uplo, n, n, a, lda, inverse, std::max(1, n), info));
  return statusOf(launch(handle->stream, count, [=] __device__(long long at) {
    const long long i = at % n, j = at / n;
    if (a[j + j * lda] == T(0) && i == j)
      atomicCAS(info, 0, int(j) + 1);
    if (lower ? i >= j : i <= j)
      a[i + j * lda] = inverse[at];
  }));
}

/// A block for each matrix.
template <class T>
cusolverStatus_t potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *const *a,
                              int lda, int *infos, int count) {
  VX_SOLVER_CHECK(handle,
                  isTriangle(uplo) && n >= 0 && lda >= std::max(1, n) && count >= 0 && infos);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, infos, count)));
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  return statusOf(launchBlocks(handle->stream, count, [=] __device__() {
    factorizeByBlock(lower, n, a[blockIdx.x], lda, 0, infos + blockIdx.x);
  }));
}

/// A thread for a right side.
template <class T>
cusolverStatus_t potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                              T *const *a, int lda, T *const *b, int ldb, int *info, int count) {
  VX_SOLVER_CHECK(handle, isTriangle(uplo) && n >= 0 && nrhs >= 0 && lda >= std::max(1, n) &&
                              ldb >= std::max(1, n) && count >= 0);
  if (nrhs > 1)
    return CUSOLVER_STATUS_NOT_SUPPORTED; // as of NVIDIA's
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  return statusOf(launch(handle->stream, nrhs ? count : 0, [=] __device__(long long at) {
    const T *const factor = a[at];
    T *const x = b[at];
    // The element (i, j) of L, of which the upper triangle is the conjugate transpose.
    auto element = [=](int i, int j) {
      return lower ? factor[i + (long long)j * lda] : conjugate(factor[j + (long long)i * lda]);
    };
    for (int i = 0; i < n; ++i) {
      T sum = x[i];
      for (int j = 0; j < i; ++j)
        sum -= element(i, j) * x[j];
      x[i] = sum / element(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      T sum = x[i];
      for (int j = i + 1; j < n; ++j)
        sum -= conjugate(element(j, i)) * x[j];
      x[i] = sum / conjugate(element(i, i));
    }
  }));
}

/// LU of M rows and N columns by one block; PIVOTS, unless null, count from 1 and FIRST.
template <class T>
__device__ void factorizePanel(int m, int n, T *a, int lda, int first, int *pivots, int *info) {
  __shared__ int places[kLibraryThreads];
  for (int k = 0; k < n && k < m; ++k) {
    T *const column = a + (long long)k * lda;
    int best = k;
    if (pivots) {
      for (int i = k + threadIdx.x; i < m; i += kLibraryThreads)
        if (sumOfParts(column[i]) > sumOfParts(column[best]))
          best = i;
      places[threadIdx.x] = best;
      __syncthreads();
      for (int i = 0; i < kLibraryThreads; ++i) { // of equal ones, the first row
        const auto size = sumOfParts(column[places[i]]), found = sumOfParts(column[best]);
        if (size > found || (size == found && places[i] < best))
          best = places[i];
      }
      __syncthreads();
      if (threadIdx.x == 0)
        pivots[k] = first + best + 1;
      for (int j = threadIdx.x; j < n && best != k; j += kLibraryThreads) {
        T *const row = a + (long long)j * lda, other = row[best];
        row[best] = row[k];
        row[k] = other;
      }
      __syncthreads();
    }
    const T pivot = column[k];
    if (pivot == T(0)) {
      if (threadIdx.x == 0 && *info == 0)
        *info = first + k + 1;
    } else {
      for (int i = k + 1 + threadIdx.x; i < m; i += kLibraryThreads)
        column[i] = column[i] / pivot;
    }
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < m; i += kLibraryThreads) {
      const T factor = column[i];
      for (int j = k + 1; j < n; ++j)
        a[i + (long long)j * lda] -= factor * a[k + (long long)j * lda];
    }
    __syncthreads();
  }
}

/// Exchanges the rows of N columns as PIVOTS say for rows from K1 to K2, which count from 0.
template <class T>
cusolverStatus_t exchangeRows(cusolverDnHandle_t handle, int n, T *a, int lda, int k1, int k2,
                              const int *pivots, bool backwards) {
  return statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    T *const column = a + j * lda;
    for (int step = k1; step < k2; ++step) {
      const int i = backwards ? k1 + k2 - 1 - step : step, other = pivots[i] - 1;
      const T element = column[i];
      column[i] = column[other];
      column[other] = element;
    }
  }));
}

template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *, int *pivots,
                       int *info) {
  VX_SOLVER_CHECK(handle, m >= 0 && n >= 0 && lda >= std::max(1, m) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  const int steps = std::min(m, n);
  for (int k = 0; k < steps; k += kPanel) {
    const int size = std::min(kPanel, steps - k), below = m - k - size, right = n - k - size;
    T *const diagonal = a + k + (long long)k * lda, *const next = diagonal + (long long)size * lda;
    int *const places = pivots ? pivots + k : nullptr;
    VX_SOLVER_TRY(statusOf(launchBlocks(handle->stream, 1, [=] __device__() {
      factorizePanel(m - k, size, diagonal, lda, k, places, info);
    })));
    if (pivots) {
      VX_SOLVER_TRY(exchangeRows(handle, k, a, lda, k, k + size, pivots, false));
      VX_SOLVER_TRY(exchangeRows(handle, right, next - k, lda, k, k + size, pivots, false));
    }
    if (right == 0)
      continue;
    VX_SOLVER_TRY(trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, size, right, diagonal, lda, next, lda));
    if (below > 0)
      VX_SOLVER_TRY(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, below, right, size, T(-1),
                         diagonal + size, lda, next, lda, T(1), next + size, lda));
  }
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                       const T *a, int lda, const int *pivots, T *b, int ldb, int *info) {
  VX_SOLVER_CHECK(handle, isOperation(trans) && n >= 0 && nrhs >= 0 && lda >= std::max(1, n) &&
                              ldb >= std::max(1, n) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  if (n == 0 || nrhs == 0)
    return CUSOLVER_STATUS_SUCCESS;
  const bool plain = trans == CUBLAS_OP_N;
  if (pivots && plain)
    VX_SOLVER_TRY(exchangeRows(handle, nrhs, b, ldb, 0, n, pivots, false));
  for (bool lower : {plain, !plain})
    VX_SOLVER_TRY(trsm(handle, CUBLAS_SIDE_LEFT,
                       lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, trans,
                       lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, nrhs, a, lda, b, ldb));
  return pivots && !plain ? exchangeRows(handle, nrhs, b, ldb, 0, n, pivots, true)
                          : CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t laswp(cusolverDnHandle_t handle, int n, T *a, int lda, int k1, int k2,
                       const int *pivots, int step) {
  VX_SOLVER_CHECK(handle, n >= 0 && lda >= 1 && k1 >= 1 && k2 >= k1 && pivots);
  return step == 1 || step == -1 ? exchangeRows(handle, n, a, lda, k1 - 1, k2, pivots, step < 0)
                                 : CUSOLVER_STATUS_NOT_SUPPORTED;
}

} // namespace
} // namespace vx::solver

#define VX_SOLVER_ROWS "vx/solver/linear.def"
#include "vx/solver/rows.h"
