// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's functions of one type that make a matrix of others: sums, blocks, and what is left
// without small elements. All have two steps: offsets, by counts, and then the elements.

#include "../common/Launch.h"
#include "Entry.h"
#include "Rows.h"

namespace vx::sparse {
namespace {

/// Sums counts of rows, and writes the offsets that they are and the number of all elements.
cusparseStatus_t finishCounts(cusparseHandle_t handle, int *counts, long long rows, int base,
                              int *offsets, int *total) {
  sumCounts<<<1, kLibraryThreads, 0, handle->stream>>>(rows, counts);
  VX_SPARSE_TRY(statusOf(cudaGetLastError()));
  if (offsets)
    VX_SPARSE_TRY(statusOf(launch(handle->stream, rows + 1,
                                  [=] __device__(long long i) { offsets[i] = counts[i] + base; })));
  if (!total)
    return CUSPARSE_STATUS_SUCCESS;
  const bool onHost = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST;
  cudaError_t error =
      cudaMemcpyAsync(total, counts + rows, sizeof(int),
                      onHost ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice, handle->stream);
  return statusOf(error == cudaSuccess && onHost ? cudaStreamSynchronize(handle->stream) : error);
}

/// Finds counts by OPERATION(row), and finishes them.
template <class Operation>
cusparseStatus_t countRows(cusparseHandle_t handle, long long rows, int base, int *offsets,
                           int *total, const Operation &operation) {
  StreamMemory<int> memory(handle->stream, rows + 1);
  if (!memory)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  int *const counts = memory;
  VX_SPARSE_TRY(statusOf(
      launch(handle->stream, rows, [=] __device__(long long i) { counts[i] = operation(i); })));
  return finishCounts(handle, counts, rows, base, offsets, total);
}

cusparseStatus_t buffer(cusparseHandle_t handle, size_t *bufferSize) {
  VX_SPARSE_CHECK(handle, bufferSize);
  *bufferSize = kBufferSize;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Calls OPERATION(column, place in A or -1, place in B or -1) for the union of two sorted rows.
template <class Operation>
__device__ void mergeRow(const Rows &a, const Rows &b, long long row, const Operation &operation) {
  long long e = a.offsets[row], f = b.offsets[row];
  const long long endA = a.offsets[row + 1], endB = b.offsets[row + 1];
  while (e < endA || f < endB) {
    const long long columnA = e < endA ? a.minors[e] : INT32_MAX,
                    columnB = f < endB ? b.minors[f] : INT32_MAX,
                    column = columnA < columnB ? columnA : columnB;
    operation(column, columnA == column ? e : -1, columnB == column ? f : -1);
    e += columnA == column;
    f += columnB == column;
  }
}

cusparseStatus_t countSums(cusparseHandle_t handle, const Rows &a, const Rows &b, int base,
                           int *offsets, int *total) {
  return countRows(handle, a.rows, base, offsets, total, [=] __device__(long long row) {
    int count = 0;
    mergeRow(a, b, row, [&](long long, long long, long long) { ++count; });
    return count;
  });
}

template <class T>
cusparseStatus_t csrgeam2(cusparseHandle_t handle, int m, int n, const T *alpha,
                          const cusparseMatDescr_t a, int nnzA, const T *valuesA,
                          const int *offsetsA, const int *columnsA, const T *beta,
                          const cusparseMatDescr_t b, int nnzB, const T *valuesB,
                          const int *offsetsB, const int *columnsB, const cusparseMatDescr_t c,
                          T *valuesC, int *offsetsC, int *columnsC, void *) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && alpha && beta && a && b && c && nnzA >= 0 &&
                              nnzB >= 0 && offsetsC);
  const Rows left = rowsOfCsr(m, n, nnzA, offsetsA, columnsA, a->base),
             right = rowsOfCsr(m, n, nnzB, offsetsB, columnsB, b->base);
  const Scalar<T> alphas = scalarOf<T>(handle, alpha), betas = scalarOf<T>(handle, beta);
  const int base = c->base;
  return statusOf(launch(handle->stream, m, [=] __device__(long long row) {
    const T alpha = alphas.get(), beta = betas.get();
    long long place = offsetsC[row] - base;
    mergeRow(left, right, row, [&](long long column, long long e, long long f) {
      T sum(0);
      if (e >= 0)
        sum += alpha * valuesA[e];
      if (f >= 0)
        sum += beta * valuesB[f];
      columnsC[place] = int(column) + base;
      valuesC[place++] = sum;
    });
  }));
}
template <class T>
cusparseStatus_t
csrgeam2_bufferSizeExt(cusparseHandle_t handle, int, int, const T *, const cusparseMatDescr_t, int,
                       const T *, const int *, const int *, const T *, const cusparseMatDescr_t,
                       int, const T *, const int *, const int *, const cusparseMatDescr_t,
                       const T *, const int *, const int *, size_t *bufferSize) {
  return buffer(handle, bufferSize);
}

/// The elements of rows or columns of a dense matrix that are not 0.
template <class T>
cusparseStatus_t nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                     const cusparseMatDescr_t descriptor, const T *a, int lda, int *counts,
                     int *total) {
  VX_SPARSE_CHECK(handle,
                  m >= 0 && n >= 0 && descriptor && lda >= (m > 1 ? m : 1) && counts && total);
  const bool byRow = direction == CUSPARSE_DIRECTION_ROW;
  const long long step = byRow ? 1 : lda, next = byRow ? lda : 1;
  const int length = byRow ? n : m;
  return countRows(handle, byRow ? m : n, 0, nullptr, total, [=] __device__(long long i) {
    int count = 0;
    for (int j = 0; j < length; ++j)
      count += !(a[i * step + j * next] == T(0));
    counts[i] = count;
    return count;
  });
}

template <class T> __device__ bool isAbove(T x, T tolerance) {
  if constexpr (isComplex<T>)
    return hypot(x.re, x.im) > tolerance.re;
  else
    return magnitude(x) > tolerance;
}

template <class T>
cusparseStatus_t nnz_compress(cusparseHandle_t handle, int m, const cusparseMatDescr_t a,
                              const T *values, const int *offsets, int *counts, int *total,
                              T tolerance) {
  VX_SPARSE_CHECK(handle, m >= 0 && a && counts && total);
  const int base = a->base;
  return countRows(handle, m, 0, nullptr, total, [=] __device__(long long i) {
    int count = 0;
    for (int e = offsets[i] - base; e < offsets[i + 1] - base; ++e)
      count += isAbove(values[e], tolerance);
    counts[i] = count;
    return count;
  });
}

/// Copies the elements of rows that are above TOLERANCE.
template <class T>
cusparseStatus_t copyLarge(cusparseHandle_t handle, int m, const T *valuesA, const int *offsetsA,
                           const int *columnsA, int baseA, T *valuesC, const int *offsetsC,
                           int *columnsC, int baseC, const Scalar<T> &tolerances) {
  return statusOf(launch(handle->stream, m, [=] __device__(long long i) {
    const T tolerance = tolerances.get();
    int place = offsetsC[i] - baseC;
    for (int e = offsetsA[i] - baseA; e < offsetsA[i + 1] - baseA; ++e)
      if (isAbove(valuesA[e], tolerance)) {
        columnsC[place] = columnsA[e] - baseA + baseC;
        valuesC[place++] = valuesA[e];
      }
  }));
}

template <class T>
cusparseStatus_t csr2csr_compress(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t a,
                                  const T *valuesA, const int *columnsA, const int *offsetsA,
                                  int nnzA, const int *counts, T *valuesC, int *columnsC,
                                  int *offsetsC, T tolerance) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && a && nnzA >= 0 && counts && offsetsC);
  VX_SPARSE_TRY(countRows(handle, m, a->base, offsetsC, nullptr,
                          [=] __device__(long long i) { return counts[i]; }));
  Scalar<T> tolerances;
  tolerances.value = tolerance;
  return copyLarge(handle, m, valuesA, offsetsA, columnsA, a->base, valuesC, offsetsC, columnsC,
                   a->base, tolerances);
}

// Of pruning, thresholds are scalars like alpha.
template <class T>
cusparseStatus_t pruneCsr2csrNnz(cusparseHandle_t handle, int m, int n, int nnzA,
                                 const cusparseMatDescr_t a, const T *valuesA, const int *offsetsA,
                                 const int *, const T *threshold, const cusparseMatDescr_t c,
                                 int *offsets, int *total, void *) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && nnzA >= 0 && a && c && threshold && offsets && total);
  const Scalar<T> tolerances = scalarOf<T>(handle, threshold);
  const int base = a->base;
  return countRows(handle, m, c->base, offsets, total, [=] __device__(long long i) {
    const T tolerance = tolerances.get();
    int count = 0;
    for (int e = offsetsA[i] - base; e < offsetsA[i + 1] - base; ++e)
      count += isAbove(valuesA[e], tolerance);
    return count;
  });
}
template <class T>
cusparseStatus_t pruneCsr2csr(cusparseHandle_t handle, int m, int n, int nnzA,
                              const cusparseMatDescr_t a, const T *valuesA, const int *offsetsA,
                              const int *columnsA, const T *threshold, const cusparseMatDescr_t c,
                              T *values, const int *offsets, int *columns, void *) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && nnzA >= 0 && a && c && threshold && offsets);
  return copyLarge(handle, m, valuesA, offsetsA, columnsA, a->base, values, offsets, columns,
                   c->base, scalarOf<T>(handle, threshold));
}
template <class T>
cusparseStatus_t pruneDense2csrNnz(cusparseHandle_t handle, int m, int n, const T *a, int lda,
                                   const T *threshold, const cusparseMatDescr_t c, int *offsets,
                                   int *total, void *) {
  VX_SPARSE_CHECK(handle,
                  m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && threshold && c && offsets && total);
  const Scalar<T> tolerances = scalarOf<T>(handle, threshold);
  return countRows(handle, m, c->base, offsets, total, [=] __device__(long long i) {
    const T tolerance = tolerances.get();
    int count = 0;
    for (int j = 0; j < n; ++j)
      count += isAbove(a[i + (long long)j * lda], tolerance);
    return count;
  });
}
template <class T>
cusparseStatus_t pruneDense2csr(cusparseHandle_t handle, int m, int n, const T *a, int lda,
                                const T *threshold, const cusparseMatDescr_t c, T *values,
                                const int *offsets, int *columns, void *) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && threshold && c && offsets);
  const Scalar<T> tolerances = scalarOf<T>(handle, threshold);
  const int base = c->base;
  return statusOf(launch(handle->stream, m, [=] __device__(long long i) {
    const T tolerance = tolerances.get();
    int place = offsets[i] - base;
    for (int j = 0; j < n; ++j) {
      const T element = a[i + (long long)j * lda];
      if (isAbove(element, tolerance)) {
        columns[place] = j + base;
        values[place++] = element;
      }
    }
  }));
}
template <class T>
cusparseStatus_t pruneDense2csr_bufferSizeExt(cusparseHandle_t handle, int, int, const T *, int,
                                              const T *, const cusparseMatDescr_t, const T *,
                                              const int *, const int *, size_t *bufferSize) {
  return buffer(handle, bufferSize);
}
template <class T>
cusparseStatus_t
pruneCsr2csr_bufferSizeExt(cusparseHandle_t handle, int, int, int, const cusparseMatDescr_t,
                           const T *, const int *, const int *, const T *, const cusparseMatDescr_t,
                           const T *, const int *, const int *, size_t *bufferSize) {
  return buffer(handle, bufferSize);
}

/// Returns the smallest block column above LAST in a row of blocks, or -1; the columns need not be
/// sorted.
__device__ long long nextBlock(const Rows &a, long long blockRow, int size, long long last) {
  const long long first = blockRow * size, end = first + size < a.rows ? first + size : a.rows;
  long long next = -1;
  for (long long e = a.offsets[first]; e < a.offsets[end]; ++e) {
    const long long block = a.minors[e] / size;
    if (block > last && (next < 0 || block < next))
      next = block;
  }
  return next;
}

/// Blocks of a row that have an element.
cusparseStatus_t countBlocks(cusparseHandle_t handle, const Rows &a, int size, int base,
                             int *offsets, int *total) {
  return countRows(handle, (a.rows + size - 1) / size, base, offsets, total,
                   [=] __device__(long long blockRow) {
                     int count = 0;
                     for (long long block = -1; (block = nextBlock(a, blockRow, size, block)) >= 0;)
                       ++count;
                     return count;
                   });
}

__device__ __forceinline__ long long placeInBlock(long long row, long long column, int size,
                                                  bool byColumn) {
  return byColumn ? column * size + row : row * size + column;
}

template <class T>
cusparseStatus_t csr2bsr(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                         const cusparseMatDescr_t a, const T *valuesA, const int *offsetsA,
                         const int *columnsA, int size, const cusparseMatDescr_t c, T *valuesC,
                         int *offsetsC, int *columnsC) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && a && c && size >= 1 && offsetsC);
  const Rows rows = rowsOfCsr(m, n, 0, offsetsA, columnsA, a->base);
  const int base = c->base;
  const bool byColumn = direction == CUSPARSE_DIRECTION_COLUMN;
  return statusOf(launch(handle->stream, (m + size - 1) / size, [=] __device__(long long blockRow) {
    long long at = offsetsC[blockRow] - base;
    const long long first = blockRow * size, end = first + size < m ? first + size : m;
    for (long long block = -1; (block = nextBlock(rows, blockRow, size, block)) >= 0; ++at) {
      T *const elements = valuesC + at * size * size;
      columnsC[at] = int(block) + base;
      for (int i = 0; i < size * size; ++i)
        elements[i] = T(0);
      for (long long i = first; i < end; ++i)
        for (long long e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e)
          if (rows.minors[e] / size == block)
            elements[placeInBlock(i - first, rows.minors[e] - block * size, size, byColumn)] =
                valuesA[e];
    }
  }));
}

/// All elements of blocks, also those that are 0.
template <class T>
cusparseStatus_t bsr2csr(cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nb,
                         const cusparseMatDescr_t a, const T *valuesA, const int *offsetsA,
                         const int *columnsA, int size, const cusparseMatDescr_t c, T *valuesC,
                         int *offsetsC, int *columnsC) {
  VX_SPARSE_CHECK(handle, mb >= 0 && nb >= 0 && a && c && size >= 1 && offsetsC);
  const int baseA = a->base, base = c->base;
  const bool byColumn = direction == CUSPARSE_DIRECTION_COLUMN;
  return statusOf(launch(handle->stream, mb * (long long)size, [=] __device__(long long row) {
    const long long blockRow = row / size, within = row % size;
    const int first = offsetsA[blockRow] - baseA, end = offsetsA[blockRow + 1] - baseA;
    long long place = (long long)first * size * size + within * (end - first) * size;
    offsetsC[row] = int(place) + base;
    for (int e = first; e < end; ++e)
      for (int j = 0; j < size; ++j) {
        columnsC[place] = (columnsA[e] - baseA) * size + j + base;
        valuesC[place++] =
            valuesA[(long long)e * size * size + placeInBlock(within, j, size, byColumn)];
      }
    if (row == mb * (long long)size - 1)
      offsetsC[row + 1] = int(place) + base;
  }));
}

} // namespace
} // namespace vx::sparse

#define VX_SPARSE_ROWS "vx/sparse/sums.def"
#include "vx/sparse/rows.h"

using namespace vx::sparse;

extern "C" cusparseStatus_t
cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t a, int nnzA,
                     const int *offsetsA, const int *columnsA, const cusparseMatDescr_t b, int nnzB,
                     const int *offsetsB, const int *columnsB, const cusparseMatDescr_t c,
                     int *offsetsC, int *nnzTotal, void *) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && a && b && c && nnzA >= 0 && nnzB >= 0 && offsetsC &&
                              nnzTotal);
  return countSums(handle, rowsOfCsr(m, n, nnzA, offsetsA, columnsA, a->base),
                   rowsOfCsr(m, n, nnzB, offsetsB, columnsB, b->base), c->base, offsetsC, nnzTotal);
}
extern "C" cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t, int m,
                                                int n, const cusparseMatDescr_t a,
                                                const int *offsetsA, const int *columnsA,
                                                int blockSize, const cusparseMatDescr_t c,
                                                int *offsetsC, int *nnzTotal) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && a && blockSize >= 1 && c && offsetsC && nnzTotal);
  return countBlocks(handle, rowsOfCsr(m, n, 0, offsetsA, columnsA, a->base), blockSize, c->base,
                     offsetsC, nnzTotal);
}
