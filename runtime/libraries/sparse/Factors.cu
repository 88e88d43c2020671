// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's incomplete factorizations, ILU(0) and IC(0), of sorted CSR matrices, in the order of
// levels; and systems of three diagonals, a thread for each.

#include "Entry.h"
#include "LevelLoop.h"

namespace vx::sparse {

/// A row that no matrix has, and its bytes.
constexpr int kNone = 0x7f7f7f7f, kNoneByte = 0x7f;

/// What the analysis of a matrix leaves for its factorization.
struct FactorInfo {
  Levels levels;
  DeviceMemory pivot;       ///< The smallest row with a numerical zero, or kNone.
  int withoutDiagonal = -1; ///< The first row with a structural one.
  int base = 0;
  bool boosts = false;
  double tolerance = 0;
  char boost[16] = {}; ///< In place of pivots below the tolerance.
};

namespace {

cusparseStatus_t analyze(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t a,
                         const int *offsets, const int *columns, FactorInfo *info) {
  VX_SPARSE_CHECK(handle, m >= 0 && nnz >= 0 && a && info && (nnz == 0 || (offsets && columns)));
  if (a->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  info->base = a->base;
  if (!info->pivot.allocate(sizeof(int)) ||
      cudaMemset(info->pivot.as<int>(), kNoneByte, sizeof(int)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  return findLevels(handle, rowsOfCsr(m, m, nnz, offsets, columns, a->base), true, info->levels,
                    &info->withoutDiagonal);
}

/// Returns the place of COLUMN among the sorted ones from FIRST to END, or -1.
__device__ int find(const Indices &columns, int first, int end, int column) {
  while (first < end) {
    const int middle = first + (end - first) / 2;
    const int found = int(columns[middle]);
    if (found == column)
      return middle;
    if (found < column)
      first = middle + 1;
    else
      end = middle;
  }
  return -1;
}

/// Starts a factorization: no pivot is found to be 0 yet.
cusparseStatus_t begin(cusparseHandle_t handle, int m, const cusparseMatDescr_t a,
                       const FactorInfo *info) {
  VX_SPARSE_CHECK(handle, m >= 0 && a && info && info->pivot);
  return statusOf(cudaMemsetAsync(info->pivot.as<int>(), kNoneByte, sizeof(int), handle->stream));
}

/// Zeros in the structure or, after a factorization, in the numbers.
cusparseStatus_t zeroPivot(cusparseHandle_t handle, const FactorInfo *info, int *position) {
  VX_SPARSE_CHECK(handle, info && position && info->pivot);
  int pivot;
  cudaError_t error = cudaMemcpyAsync(&pivot, info->pivot.as<int>(), sizeof pivot,
                                      cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess)
    return statusOf(error);
  const bool isStructural = info->withoutDiagonal >= 0 && info->withoutDiagonal < pivot;
  const bool isNumerical = pivot != kNone;
  const int first = isStructural ? info->withoutDiagonal : pivot;
  const int result = isStructural || isNumerical ? first + info->base : -1;
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_HOST)
    *position = result;
  else
    error =
        cudaMemcpyAsync(position, &result, sizeof result, cudaMemcpyHostToDevice, handle->stream);
  if (error != cudaSuccess)
    return statusOf(error);
  return result < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

} // namespace
} // namespace vx::sparse

struct csrilu02Info : vx::sparse::FactorInfo {};
struct csric02Info : vx::sparse::FactorInfo {};

namespace vx::sparse {
namespace {

template <class T>
cusparseStatus_t csrilu02(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t a,
                          T *values, const int *offsets, const int *columns, csrilu02Info_t info,
                          cusparseSolvePolicy_t, void *) {
  VX_SPARSE_TRY(begin(handle, m, a, info));
  const Rows rows = rowsOfCsr(m, m, nnz, offsets, columns, a->base);
  int *const pivot = info->pivot.as<int>();
  const bool boosts = info->boosts;
  const RealOf<T> tolerance = RealOf<T>(info->tolerance);
  const T boost = readUnaligned<T>(info->boost);
  return statusOf(forEachLevel(handle->stream, info->levels, 1, [=] __device__(int i, long long) {
    const int end = int(rows.offsets[i + 1]);
    int place = int(rows.offsets[i]);
    for (; place < end && rows.minors[place] < i; ++place) {
      const int k = int(rows.minors[place]), endK = int(rows.offsets[k + 1]);
      int other = find(rows.minors, int(rows.offsets[k]), endK, k);
      if (other < 0)
        continue;
      const T factor = values[place] / values[other];
      values[place] = factor;
      // Row k right of its diagonal, where row i has elements, too.
      ++other;
      for (int at = place + 1; at < end && other < endK;) {
        const long long mine = rows.minors[at], theirs = rows.minors[other];
        if (mine == theirs)
          values[at] -= factor * values[other];
        at += mine <= theirs;
        other += theirs <= mine;
      }
    }
    if (place >= end || rows.minors[place] != i)
      return;
    if (boosts && sumOfParts(values[place]) < tolerance)
      values[place] = boost;
    if (values[place] == T(0))
      atomicMin(pivot, i);
  }));
}

template <class T>
cusparseStatus_t csric02(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t a,
                         T *values, const int *offsets, const int *columns, csric02Info_t info,
                         cusparseSolvePolicy_t, void *) {
  VX_SPARSE_TRY(begin(handle, m, a, info));
  const Rows rows = rowsOfCsr(m, m, nnz, offsets, columns, a->base);
  int *const pivot = info->pivot.as<int>();
  return statusOf(forEachLevel(handle->stream, info->levels, 1, [=] __device__(int i, long long) {
    const int first = int(rows.offsets[i]), end = int(rows.offsets[i + 1]);
    for (int place = first; place < end && rows.minors[place] <= i; ++place) {
      const int k = int(rows.minors[place]), endK = int(rows.offsets[k + 1]);
      T sum = values[place];
      int other = int(rows.offsets[k]);
      for (int at = first; at < place && other < endK && rows.minors[other] < k;) {
        const long long mine = rows.minors[at], theirs = rows.minors[other];
        if (mine == theirs)
          sum -= values[at] * conjugate(values[other]);
        at += mine <= theirs;
        other += theirs <= mine;
      }
      if (k == i) {
        const RealOf<T> square = realPart(sum);
        if (!(square > 0))
          atomicMin(pivot, i);
        values[place] = T(sqrt(square));
      } else {
        const int diagonal = find(rows.minors, other, endK, k);
        values[place] = diagonal < 0 ? sum : sum / values[diagonal];
      }
    }
  }));
}

// Both have the same functions around them.
#define VX_SPARSE_FACTORIZATION(NAME)                                                              \
  template <class T>                                                                               \
  cusparseStatus_t NAME##_bufferSizeExt(cusparseHandle_t handle, int m, int nnz,                   \
                                        const cusparseMatDescr_t a, T *, const int *, const int *, \
                                        NAME##Info_t info, size_t *bufferSize) {                   \
    VX_SPARSE_CHECK(handle, m >= 0 && nnz >= 0 && a && info && bufferSize);                        \
    *bufferSize = kBufferSize;                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  template <class T>                                                                               \
  cusparseStatus_t NAME##_bufferSize(cusparseHandle_t handle, int m, int nnz,                      \
                                     const cusparseMatDescr_t a, T *values, const int *offsets,    \
                                     const int *columns, NAME##Info_t info, int *bufferSize) {     \
    VX_SPARSE_CHECK(handle, m >= 0 && nnz >= 0 && a && info && bufferSize);                        \
    *bufferSize = int(kBufferSize);                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  template <class T>                                                                               \
  cusparseStatus_t NAME##_analysis(                                                                \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t a, const T *,              \
      const int *offsets, const int *columns, NAME##Info_t info, cusparseSolvePolicy_t, void *) {  \
    return analyze(handle, m, nnz, a, offsets, columns, info);                                     \
  }
VX_SPARSE_FACTORIZATION(csrilu02)
VX_SPARSE_FACTORIZATION(csric02)

template <class T>
cusparseStatus_t csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int enable,
                                       double *tolerance, T *boost) {
  VX_SPARSE_CHECK(handle, info && (!enable || (tolerance && boost)));
  info->boosts = enable;
  if (!enable)
    return CUSPARSE_STATUS_SUCCESS;
  const cudaMemcpyKind kind = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST
                                  ? cudaMemcpyHostToHost
                                  : cudaMemcpyDeviceToHost;
  cudaError_t error = cudaMemcpy(&info->tolerance, tolerance, sizeof(double), kind);
  if (error == cudaSuccess)
    error = cudaMemcpy(info->boost, boost, sizeof(T), kind);
  return statusOf(error);
}

/// Where the diagonals and the right sides of many systems are; steps count elements.
template <class T> struct Tridiagonal {
  const T *lower, *diagonal, *upper;
  T *x;
  long long systems, matrixDistance, sideDistance, step;
};

/// Elimination with row exchanges; what it changes of the matrix is in memory of the library.
template <class T> cusparseStatus_t solve(cusparseHandle_t handle, int m, const Tridiagonal<T> &t) {
  StreamMemory<T> memory(handle->stream, 3 * size_t(m) * t.systems);
  if (!memory)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  T *const all = memory;
  return statusOf(launch(handle->stream, m > 0 ? t.systems : 0, [=] __device__(long long system) {
    // The diagonals of the triangle that is left: element i of all is in row i.
    T *const d = all + 3 * m * system, *const u = d + m, *const v = u + m;
    const long long step = t.step;
    const T *const lower = t.lower + system * t.matrixDistance,
                   *const diagonal = t.diagonal + system * t.matrixDistance,
                   *const upper = t.upper + system * t.matrixDistance;
    T *const x = t.x + system * t.sideDistance;
    d[0] = diagonal[0];
    u[0] = m > 1 ? upper[0] : T(0);
    v[0] = T(0);
    for (int i = 0; i + 1 < m; ++i) {
      T below = lower[(i + 1) * step], next = diagonal[(i + 1) * step],
        after = i + 2 < m ? upper[(i + 1) * step] : T(0), farther(0);
      T side = x[i * step], sideBelow = x[(i + 1) * step];
      if (sumOfParts(d[i]) < sumOfParts(below)) {
        T old = d[i];
        d[i] = below;
        below = old;
        old = u[i];
        u[i] = next;
        next = old;
        v[i] = after;
        after = T(0);
        old = side;
        side = sideBelow;
        sideBelow = old;
      }
      const T factor = below / d[i];
      d[i + 1] = next - factor * u[i];
      u[i + 1] = after - factor * v[i];
      v[i + 1] = farther;
      x[i * step] = side;
      x[(i + 1) * step] = sideBelow - factor * side;
    }
    for (int i = m - 1; i >= 0; --i) {
      T sum = x[i * step];
      if (i + 1 < m)
        sum -= u[i] * x[(i + 1) * step];
      if (i + 2 < m)
        sum -= v[i] * x[(i + 2) * step];
      x[i * step] = sum / d[i];
    }
  }));
}

template <class T>
cusparseStatus_t gtsv2(cusparseHandle_t handle, int m, int n, const T *lower, const T *diagonal,
                       const T *upper, T *b, int ldb, void *) {
  VX_SPARSE_CHECK(handle, m >= 3 && n >= 0 && ldb >= m && lower && diagonal && upper && b);
  return solve(handle, m, Tridiagonal<T>{lower, diagonal, upper, b, n, 0, ldb, 1});
}
/// Exchanges do no harm.
template <class T>
cusparseStatus_t gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T *lower,
                               const T *diagonal, const T *upper, T *b, int ldb, void *buffer) {
  return gtsv2(handle, m, n, lower, diagonal, upper, b, ldb, buffer);
}
template <class T>
cusparseStatus_t gtsv2StridedBatch(cusparseHandle_t handle, int m, const T *lower,
                                   const T *diagonal, const T *upper, T *x, int count, int stride,
                                   void *) {
  VX_SPARSE_CHECK(handle, m >= 3 && count >= 0 && stride >= m && lower && diagonal && upper && x);
  return solve(handle, m, Tridiagonal<T>{lower, diagonal, upper, x, count, stride, stride, 1});
}
/// All algorithms are one.
template <class T>
cusparseStatus_t gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T *lower,
                                      T *diagonal, T *upper, T *x, int count, void *) {
  VX_SPARSE_CHECK(handle, algorithm >= 0 && algorithm <= 2 && m >= 1 && count >= 0 && lower &&
                              diagonal && upper && x);
  return solve(handle, m, Tridiagonal<T>{lower, diagonal, upper, x, count, 1, 1, count});
}
#define VX_SPARSE_BUFFER(NAME, ...)                                                                \
  template <class T>                                                                               \
  cusparseStatus_t NAME##_bufferSizeExt(cusparseHandle_t handle, __VA_ARGS__,                      \
                                        size_t *bufferSize) {                                      \
    VX_SPARSE_CHECK(handle, bufferSize);                                                           \
    *bufferSize = kBufferSize;                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }
VX_SPARSE_BUFFER(gtsv2, int, int, const T *, const T *, const T *, const T *, int)
VX_SPARSE_BUFFER(gtsv2_nopivot, int, int, const T *, const T *, const T *, const T *, int)
VX_SPARSE_BUFFER(gtsv2StridedBatch, int, const T *, const T *, const T *, const T *, int, int)
VX_SPARSE_BUFFER(gtsvInterleavedBatch, int, int, const T *, const T *, const T *, const T *, int)

} // namespace
} // namespace vx::sparse

#define VX_SPARSE_ROWS "vx/sparse/factors.def"
#include "vx/sparse/rows.h"

using namespace vx::sparse;

#define VX_SPARSE_INFO(TYPE, NAME)                                                                 \
  extern "C" cusparseStatus_t cusparseCreate##TYPE##Info(NAME##Info_t *info) {                     \
    if (!info)                                                                                     \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
    *info = new NAME##Info;                                                                        \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  extern "C" cusparseStatus_t cusparseDestroy##TYPE##Info(NAME##Info_t info) {                     \
    delete info;                                                                                   \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  extern "C" cusparseStatus_t cusparseX##NAME##_zeroPivot(cusparseHandle_t handle,                 \
                                                          NAME##Info_t info, int *position) {      \
    return zeroPivot(handle, info, position);                                                      \
  }
VX_SPARSE_INFO(Csrilu02, csrilu02)
VX_SPARSE_INFO(Csric02, csric02)
