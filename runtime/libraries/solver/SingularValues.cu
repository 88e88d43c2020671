// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's singular values: the columns of A V are orthogonal, and are singular values times left
// vectors.

#include "Entry.h"
#include "Jacobi.h"
#include "Orthogonal.h"

struct gesvdjInfo : vx::solver::JacobiInfo {};

namespace vx::solver {
namespace {

/// A decomposition A = U diag(s) V^H of M >= N: U has COLUMNS columns, at least N; either of U and
/// V may be null.
template <class T> struct Decomposition {
  RealOf<T> *s;
  T *u;
  int ldu, columns;
  T *v; ///< N x N, or its adjoint.
  int ldv;
  bool adjoint;
};

/// Completes U, whose columns from RANK on are 0, to orthonormal columns. Those of a QR
/// factorization are the same up to factors of absolute value 1: the ones from RANK on are taken.
template <class T>
cusolverStatus_t complete(cusolverDnHandle_t handle, int m, int columns, int rank, T *u, int ldu) {
  StreamMemory<T> memory(handle->stream, size_t(m) * columns + columns);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const copy = memory, *const tau = copy + size_t(m) * columns;
  const long long count = (long long)m * columns;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, count, [=] __device__(long long at) {
    copy[at] = at / m < rank ? u[at % m + at / m * ldu] : T(0);
  })));
  VX_SOLVER_TRY(factorizeQr(handle, m, rank, copy, m, tau));
  VX_SOLVER_TRY(makeUnitary(handle, m, columns, rank, copy, m, (const T *)tau));
  return statusOf(launch(handle->stream, count, [=] __device__(long long at) {
    if (at / m >= rank)
      u[at % m + at / m * ldu] = copy[at];
  }));
}

/// Sorts the columns of G by their norms, which are the singular values, and writes the results.
/// Gets the number of values that are not 0.
template <class T>
cusolverStatus_t writeResults(cusolverDnHandle_t handle, int m, int n, const T *g, const T *v,
                              bool sorts, const Decomposition<T> &out, int *rank) {
  typedef RealOf<T> R;
  StreamMemory<R> memory(handle->stream, n);
  StreamMemory<int> counter(handle->stream, 1);
  if (!memory || !counter)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  R *const norms = memory;
  int *const found = counter;
  VX_SOLVER_TRY(statusOf(cudaMemsetAsync(found, 0, sizeof(int), handle->stream)));
  VX_SOLVER_TRY(statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    const T *const column = g + j * m;
    R largest = 0, sum = 0;
    for (int i = 0; i < m; ++i)
      largest = fmax(largest, sumOfParts(column[i]));
    for (int i = 0; i < m && largest > 0; ++i) {
      const T x = column[i] * (R(1) / largest);
      sum += realPart(conjugate(x) * x);
    }
    norms[j] = largest * sqrt(sum);
    if (largest > 0)
      atomicAdd(found, 1);
  })));
  const Decomposition<T> to = out;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, n, [=] __device__(long long j) {
    const long long place = sorts ? placeOf(norms, n, int(j), true) : j;
    const R norm = norms[j];
    to.s[place] = norm;
    for (int i = 0; to.u && i < m; ++i)
      to.u[i + place * to.ldu] = norm > 0 ? g[i + j * m] * (R(1) / norm) : T(0);
    for (int i = 0; to.v && i < n; ++i)
      if (to.adjoint)
        to.v[place + (long long)i * to.ldv] = conjugate(v[i + j * n]);
      else
        to.v[i + place * to.ldv] = v[i + j * n];
  })));
  VX_SOLVER_TRY(
      statusOf(cudaMemcpyAsync(rank, found, sizeof(int), cudaMemcpyDeviceToHost, handle->stream)));
  return statusOf(cudaStreamSynchronize(handle->stream));
}

/// A is M x N with M >= N, or the adjoint of that.
template <class T>
cusolverStatus_t decompose(cusolverDnHandle_t handle, int m, int n, const T *a, int lda,
                           bool adjoint, const Decomposition<T> &out, int *info,
                           JacobiInfo *parameters) {
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  StreamMemory<T> memory(handle->stream, size_t(m) * n + size_t(n) * n);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const g = memory, *const v = g + size_t(m) * n;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, (long long)m * n, [=] __device__(long long at) {
    const long long i = at % m, j = at / m;
    g[at] = adjoint ? conjugate(a[j + i * lda]) : a[i + j * lda];
  })));
  VX_SOLVER_TRY(rotateColumns(handle, m, n, g, m, v, n, info, parameters));
  int rank = n;
  // Columns of 0 come last, where U is completed.
  const bool sorts = !parameters || parameters->sorts || out.u;
  VX_SOLVER_TRY(writeResults(handle, m, n, (const T *)g, (const T *)v, sorts, out, &rank));
  return out.u && rank < out.columns ? complete(handle, m, out.columns, rank, out.u, out.ldu)
                                     : CUSOLVER_STATUS_SUCCESS;
}

bool isJob(signed char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

template <class T>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,
                       T *a, int lda, RealOf<T> *s, T *u, int ldu, T *vt, int ldvt, T *, int,
                       RealOf<T> *, int *info) {
  VX_SOLVER_CHECK(handle, isJob(jobu) && isJob(jobvt) && !(jobu == 'O' && jobvt == 'O') && n >= 0 &&
                              m >= n && lda >= std::max(1, m) && s && info);
  VX_SOLVER_CHECK(handle, ((jobu != 'A' && jobu != 'S') || (u && ldu >= std::max(1, m))) &&
                              ((jobvt != 'A' && jobvt != 'S') || (vt && ldvt >= std::max(1, n))));
  if (n == 0)
    return statusOf(clearInfo(handle, info));
  Decomposition<T> out{s, nullptr, 0, n, nullptr, 0, true};
  if (jobu != 'N') {
    out.u = jobu == 'O' ? a : u;
    out.ldu = jobu == 'O' ? lda : ldu;
    out.columns = jobu == 'A' ? m : n;
  }
  if (jobvt != 'N') {
    out.v = jobvt == 'O' ? a : vt;
    out.ldv = jobvt == 'O' ? lda : ldvt;
  }
  return decompose(handle, m, n, a, lda, false, out, info, nullptr);
}

/// Of a matrix with more columns than rows, the decomposition of the adjoint is V diag(s) U^H.
template <class T>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,
                        T *a, int lda, RealOf<T> *s, T *u, int ldu, T *v, int ldv, T *, int,
                        int *info, gesvdjInfo_t params) {
  const bool withVectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  VX_SOLVER_CHECK(
      handle, isMode(jobz) && m >= 0 && n >= 0 && lda >= std::max(1, m) && s && info && params &&
                  (!withVectors || (u && v && ldu >= std::max(1, m) && ldv >= std::max(1, n))));
  if (m == 0 || n == 0)
    return statusOf(clearInfo(handle, info));
  const bool wide = n > m;
  const int large = wide ? n : m, small = wide ? m : n;
  Decomposition<T> out{s, nullptr, 0, small, nullptr, 0, false};
  if (withVectors) {
    out.u = wide ? v : u;
    out.ldu = wide ? ldv : ldu;
    out.columns = econ ? small : large;
    out.v = wide ? u : v;
    out.ldv = wide ? ldu : ldv;
  }
  return decompose(handle, large, small, a, lda, wide, out, info, params);
}

template <class T>
cusolverStatus_t gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n,
                               T *a, int lda, RealOf<T> *s, T *u, int ldu, T *v, int ldv, T *work,
                               int lwork, int *info, gesvdjInfo_t params, int count) {
  VX_SOLVER_CHECK(handle, m >= 0 && n >= 0 && count >= 0 && info && s);
  const bool withVectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  for (long long i = 0; i < count; ++i)
    VX_SOLVER_TRY(gesvdj(handle, jobz, 0, m, n, a + i * lda * n, lda, s + i * std::min(m, n),
                         withVectors ? u + i * ldu * m : u, ldu, withVectors ? v + i * ldv * n : v,
                         ldv, work, lwork, info + i, params));
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t gesvd_bufferSize(cusolverDnHandle_t handle, int, int, int *lwork) {
  VX_SOLVER_CHECK(handle, lwork);
  *lwork = kWorkSize;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
cusolverStatus_t gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n,
                                   const T *, int, const RealOf<T> *, const T *, int, const T *,
                                   int, int *lwork, gesvdjInfo_t) {
  return gesvd_bufferSize<T>(handle, m, n, lwork);
}
template <class T>
cusolverStatus_t gesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int m,
                                          int n, const T *, int, const RealOf<T> *, const T *, int,
                                          const T *, int, int *lwork, gesvdjInfo_t, int) {
  return gesvd_bufferSize<T>(handle, m, n, lwork);
}

} // namespace
} // namespace vx::solver

#define VX_SOLVER_ROWS "vx/solver/singular.def"
#include "vx/solver/rows.h"
