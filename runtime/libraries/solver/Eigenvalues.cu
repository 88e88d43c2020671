// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's eigenvalues of symmetric and Hermitian matrices. A matrix with a multiple of the unit
// matrix added is positive definite: its columns, made orthogonal by rotations, are eigenvectors
// times eigenvalues. The eigenvalues of the matrix itself are its values for these vectors.

#include "Entry.h"
#include "Jacobi.h"

struct syevjInfo : vx::solver::JacobiInfo {};

namespace vx::solver {
namespace {

/// Copies the Hermitian matrix of which a triangle is in A, and once more with a shift.
template <class T>
cusolverStatus_t copyHermitian(cusolverDnHandle_t handle, bool lower, int n, const T *a, int lda,
                               T *copy, T *shifted) {
  typedef RealOf<T> R;
  StreamMemory<R> memory(handle->stream, n);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  R *const sums = memory;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    R sum = 0;
    for (int i = 0; i < n; ++i) {
      T element;
      if (i == j)
        element = T(realPart(a[i + j * lda]));
      else
        element = (lower ? i > j : i < j) ? a[i + j * lda] : conjugate(a[j + (long long)i * lda]);
      copy[i + j * n] = shifted[i + j * n] = element;
      sum += sumOfParts(element);
    }
    sums[j] = sum;
  })));
  // No eigenvalue is larger than the largest sum of a column.
  return statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    R largest = 0;
    for (int i = 0; i < n; ++i)
      largest = sums[i] > largest ? sums[i] : largest;
    shifted[j + j * n] += T(2 * largest);
  }));
}

/// The eigenvalues of A for the columns of V, a block for each.
template <class T>
cusolverStatus_t valuesOf(cusolverDnHandle_t handle, int n, const T *a, const T *v,
                          RealOf<T> *values) {
  return statusOf(launchBlocks(handle->stream, n, [=] __device__() {
    const T *const x = v + (long long)blockIdx.x * n;
    PairSums<T> sums{0, 0, T(0)};
    for (int i = threadIdx.x; i < n; i += kLibraryThreads) {
      T product(0);
      for (int k = 0; k < n; ++k)
        product += a[i + (long long)k * n] * x[k];
      sums.pq += conjugate(x[i]) * product;
      sums.p += realPart(conjugate(x[i]) * x[i]);
    }
    sums = sumsOfBlock(sums);
    if (threadIdx.x == 0)
      values[blockIdx.x] = realPart(sums.pq) / sums.p;
  }));
}

template <class T>
cusolverStatus_t eigenvalues(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                             cublasFillMode_t uplo, int n, T *a, int lda, RealOf<T> *w, int *info,
                             JacobiInfo *parameters) {
  typedef RealOf<T> R;
  VX_SOLVER_CHECK(handle,
                  isMode(jobz) && isTriangle(uplo) && n >= 0 && lda >= std::max(1, n) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  if (n == 0)
    return CUSOLVER_STATUS_SUCCESS;
  const size_t count = size_t(n) * n;
  StreamMemory<T> memory(handle->stream, 3 * count);
  StreamMemory<R> unsorted(handle->stream, n);
  if (!memory || !unsorted)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const copy = memory, *const shifted = copy + count, *const v = shifted + count;
  R *const values = unsorted;
  VX_SOLVER_TRY(copyHermitian(handle, uplo == CUBLAS_FILL_MODE_LOWER, n, a, lda, copy, shifted));
  VX_SOLVER_TRY(rotateColumns(handle, n, n, shifted, n, v, n, info, parameters));
  VX_SOLVER_TRY(valuesOf(handle, n, copy, v, values));
  const bool withVectors = jobz == CUSOLVER_EIG_MODE_VECTOR,
             sorts = !parameters || parameters->sorts;
  return statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    const long long place = sorts ? placeOf(values, n, int(j), false) : j;
    w[place] = values[j];
    for (int i = 0; withVectors && i < n; ++i)
      a[i + place * lda] = v[i + j * n];
  }));
}

template <class T>
cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                       int n, T *a, int lda, RealOf<T> *w, T *, int, int *info) {
  return eigenvalues(handle, jobz, uplo, n, a, lda, w, info, nullptr);
}
template <class T>
cusolverStatus_t syevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                       int n, T *a, int lda, RealOf<T> *w, T *, int, int *info,
                       syevjInfo_t params) {
  VX_SOLVER_CHECK(handle, params);
  return eigenvalues(handle, jobz, uplo, n, a, lda, w, info, params);
}
template <class T>
cusolverStatus_t syevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                              cublasFillMode_t uplo, int n, T *a, int lda, RealOf<T> *w, T *, int,
                              int *info, syevjInfo_t params, int count) {
  VX_SOLVER_CHECK(handle, params && n >= 0 && count >= 0);
  for (int i = 0; i < count; ++i)
    VX_SOLVER_TRY(eigenvalues(handle, jobz, uplo, n, a + (long long)i * lda * n, lda, w + i * n,
                              info + i, params));
  return CUSOLVER_STATUS_SUCCESS;
}

/// Fills the other triangle of a Hermitian matrix.
template <class T>
cusolverStatus_t fill(cusolverDnHandle_t handle, bool lower, int n, T *a, int lda) {
  return statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    for (long long i = j + 1; i < n; ++i)
      if (lower)
        a[j + i * lda] = conjugate(a[i + j * lda]);
      else
        a[i + j * lda] = conjugate(a[j + i * lda]);
  }));
}

/// C = op(L) A, where L is the triangle of B as it is, or its transpose; in place by a copy.
template <class T>
cusolverStatus_t multiplyTriangle(cusolverDnHandle_t handle, bool lower, bool adjoint, int n,
                                  const T *b, int ldb, T *a, int lda) {
  StreamMemory<T> memory(handle->stream, size_t(n) * n);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const copy = memory;
  const long long count = (long long)n * n;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, count, [=] __device__(long long at) {
    copy[at] = a[at % n + at / n * lda];
  })));
  return statusOf(launch(handle->stream, count, [=] __device__(long long at) {
    const long long i = at % n, j = at / n;
    T sum(0);
    for (long long k = 0; k < n; ++k) {
      const long long row = adjoint ? k : i, column = adjoint ? i : k;
      if (lower ? row >= column : row <= column)
        sum += conjugateIf(adjoint, b[row + column * ldb]) * copy[k + j * n];
    }
    a[i + j * lda] = sum;
  }));
}

/// Takes the adjoint of a square matrix, in place.
template <class T> cusolverStatus_t adjoin(cusolverDnHandle_t handle, int n, T *a, int lda) {
  return statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    a[j + j * lda] = conjugate(a[j + j * lda]);
    for (long long i = j + 1; i < n; ++i) {
      const T below = a[i + j * lda];
      a[i + j * lda] = conjugate(a[j + i * lda]);
      a[j + i * lda] = conjugate(below);
    }
  }));
}

inline cusolverStatus_t cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, float *b,
                                 int ldb, int *info) {
  return cusolverDnSpotrf(h, uplo, n, b, ldb, nullptr, 0, info);
}
inline cusolverStatus_t cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, double *b,
                                 int ldb, int *info) {
  return cusolverDnDpotrf(h, uplo, n, b, ldb, nullptr, 0, info);
}
inline cusolverStatus_t cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int n,
                                 Complex<float> *b, int ldb, int *info) {
  return cusolverDnCpotrf(h, uplo, n, reinterpret_cast<cuComplex *>(b), ldb, nullptr, 0, info);
}
inline cusolverStatus_t cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int n,
                                 Complex<double> *b, int ldb, int *info) {
  return cusolverDnZpotrf(h, uplo, n, reinterpret_cast<cuDoubleComplex *>(b), ldb, nullptr, 0,
                          info);
}

/// A x = lambda B x, A B x = lambda x, or B A x = lambda x, with B = F F^H, where F is the lower
/// triangle of the Cholesky factorization or the adjoint of the upper one.
template <class T>
cusolverStatus_t generalized(cusolverDnHandle_t handle, cusolverEigType_t type,
                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, int lda,
                             T *b, int ldb, RealOf<T> *w, int *info, JacobiInfo *parameters) {
  VX_SOLVER_CHECK(handle, type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3 &&
                              isMode(jobz) && isTriangle(uplo) && n >= 0 && lda >= std::max(1, n) &&
                              ldb >= std::max(1, n) && info);
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  const cublasOperation_t asF = lower ? CUBLAS_OP_N : CUBLAS_OP_C,
                          asAdjoint = lower ? CUBLAS_OP_C : CUBLAS_OP_N;
  VX_SOLVER_TRY(cholesky(handle, uplo, n, b, ldb, info));
  int wrong = 0;
  cudaError_t error =
      cudaMemcpyAsync(&wrong, info, sizeof wrong, cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess || n == 0)
    return statusOf(error);
  if (wrong) // as of LAPACK's: the order of the minor that is not positive, above n
    return statusOf(launch(handle->stream, 1, [=] __device__(long long) { *info = n + wrong; }));
  VX_SOLVER_TRY(fill(handle, lower, n, a, lda));
  for (int side = 0; side < 2; ++side) { // F^-1 A F^-H, or F^H A F: twice the left half
    VX_SOLVER_TRY(
        type == CUSOLVER_EIG_TYPE_1
            ? trsm(handle, CUBLAS_SIDE_LEFT, uplo, asF, CUBLAS_DIAG_NON_UNIT, n, n, b, ldb, a, lda)
            : multiplyTriangle(handle, lower, lower, n, b, ldb, a, lda));
    VX_SOLVER_TRY(adjoin(handle, n, a, lda));
  }
  VX_SOLVER_TRY(eigenvalues(handle, jobz, uplo, n, a, lda, w, info, parameters));
  if (jobz == CUSOLVER_EIG_MODE_NOVECTOR)
    return CUSOLVER_STATUS_SUCCESS;
  return type == CUSOLVER_EIG_TYPE_3 ? multiplyTriangle(handle, lower, !lower, n, b, ldb, a, lda)
                                     : trsm(handle, CUBLAS_SIDE_LEFT, uplo, asAdjoint,
                                            CUBLAS_DIAG_NON_UNIT, n, n, b, ldb, a, lda);
}

template <class T>
cusolverStatus_t sygvd(cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, int n, T *a, int lda, T *b, int ldb, RealOf<T> *w,
                       T *, int, int *info) {
  return generalized(handle, type, jobz, uplo, n, a, lda, b, ldb, w, info, nullptr);
}
template <class T>
cusolverStatus_t sygvj(cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, int n, T *a, int lda, T *b, int ldb, RealOf<T> *w,
                       T *, int, int *info, syevjInfo_t params) {
  VX_SOLVER_CHECK(handle, params);
  return generalized(handle, type, jobz, uplo, n, a, lda, b, ldb, w, info, params);
}

#define VX_SOLVER_SIZE(NAME, PARAMETERS, ...)                                                      \
  template <class T>                                                                               \
  cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, VX_SOLVER_UNPACK PARAMETERS,       \
                                     int *lwork __VA_ARGS__) {                                     \
    VX_SOLVER_CHECK(handle, lwork);                                                                \
    *lwork = kWorkSize;                                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
#define VX_SOLVER_UNPACK(...) __VA_ARGS__
#define VX_SOLVER_MATRIX cusolverEigMode_t, cublasFillMode_t, int, const T *, int
VX_SOLVER_SIZE(syevd, (VX_SOLVER_MATRIX, const RealOf<T> *))
VX_SOLVER_SIZE(syevj, (VX_SOLVER_MATRIX, const RealOf<T> *), , syevjInfo_t)
VX_SOLVER_SIZE(syevjBatched, (VX_SOLVER_MATRIX, const RealOf<T> *), , syevjInfo_t, int)
VX_SOLVER_SIZE(sygvd, (cusolverEigType_t, VX_SOLVER_MATRIX, const T *, int, const RealOf<T> *))
VX_SOLVER_SIZE(sygvj, (cusolverEigType_t, VX_SOLVER_MATRIX, const T *, int, const RealOf<T> *), ,
               syevjInfo_t)

} // namespace
} // namespace vx::solver

#define VX_SOLVER_ROWS "vx/solver/eigenvalues.def"
#include "vx/solver/rows.h"
