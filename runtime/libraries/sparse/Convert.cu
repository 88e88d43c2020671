// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's conversions between formats, which copy values, and sorts of indices.

#include "../common/Launch.h"
#include "Rows.h"
#include "Sort.h"
#include <utility>

namespace vx::sparse {
namespace {

/// Counts the elements that are not 0 of each row, or of each column for CSC, and sums the counts.
template <class T>
cusparseStatus_t countElements(cusparseHandle_t handle, const Dense<T> &majors, long long count,
                               long long length, int *offsets) {
  VX_SPARSE_TRY(statusOf(launch(handle->stream, count, [=] __device__(long long i) {
    int found = 0;
    for (long long j = 0; j < length; ++j)
      found += !(majors.at(i, j) == T(0));
    offsets[i] = found;
  })));
  sumCounts<<<1, kLibraryThreads, 0, handle->stream>>>(count, offsets);
  return statusOf(cudaGetLastError());
}

/// A dense matrix whose rows are what the sparse one B is compressed along.
template <class T> Dense<T> majorsOf(const cusparseDnMatDescr &a, const cusparseSpMatDescr &b) {
  return denseOf<T>(a, 0,
                    b.format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                    : CUSPARSE_OPERATION_NON_TRANSPOSE);
}

template <class T>
cusparseStatus_t analyze(cusparseHandle_t handle, const cusparseDnMatDescr &a,
                         cusparseSpMatDescr &b) {
  const bool byColumn = b.format == CUSPARSE_FORMAT_CSC;
  const long long count = byColumn ? a.cols : a.rows;
  StreamMemory<int> offsets(handle->stream, count + 1);
  if (!offsets)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  VX_SPARSE_TRY(
      countElements(handle, majorsOf<T>(a, b), count, byColumn ? a.rows : a.cols, offsets));
  int *const from = offsets;
  if (b.format != CUSPARSE_FORMAT_COO) {
    const Indices to = indicesOf(b.offsets, b.offsetType, b.base);
    VX_SPARSE_TRY(statusOf(
        launch(handle->stream, count + 1, [=] __device__(long long i) { to.set(i, from[i]); })));
  }
  int total;
  cudaError_t error =
      cudaMemcpyAsync(&total, from + count, sizeof(int), cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(handle->stream);
  if (error == cudaSuccess)
    b.nnz = total;
  return statusOf(error);
}

template <class T>
cusparseStatus_t convertToSparse(cusparseHandle_t handle, const cusparseDnMatDescr &a,
                                 const cusparseSpMatDescr &b) {
  const bool isCoo = b.format == CUSPARSE_FORMAT_COO, byColumn = b.format == CUSPARSE_FORMAT_CSC;
  const long long count = byColumn ? a.cols : a.rows, length = byColumn ? a.rows : a.cols;
  const Dense<T> majors = majorsOf<T>(a, b);
  StreamMemory<int> counts;
  Indices offsets = indicesOf(b.offsets, b.offsetType, b.base);
  const Indices rows = offsets, indices = indicesOf(b.indices, b.indexType, b.base);
  if (isCoo) {
    if (!counts.allocate(handle->stream, count + 1))
      return CUSPARSE_STATUS_ALLOC_FAILED;
    VX_SPARSE_TRY(countElements(handle, majors, count, length, counts));
    offsets = indicesOf(counts, 0);
  }
  T *const values = static_cast<T *>(b.values);
  return statusOf(launch(handle->stream, count, [=] __device__(long long i) {
    long long place = offsets[i];
    for (long long j = 0; j < length; ++j) {
      const T element = majors.at(i, j);
      if (element == T(0))
        continue;
      indices.set(place, j);
      if (isCoo)
        rows.set(place, i);
      values[place++] = element;
    }
  }));
}

template <class T>
cusparseStatus_t convertToDense(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                                const cusparseDnMatDescr &b) {
  const Dense<T> dense = denseOf<T>(b, 0, CUSPARSE_OPERATION_NON_TRANSPOSE);
  const long long columns = b.cols;
  VX_SPARSE_TRY(statusOf(launch(handle->stream, b.rows * columns, [=] __device__(long long at) {
    dense.at(at / columns, at % columns) = T{};
  })));
  const Indices offsets = indicesOf(a.offsets, a.offsetType, a.base),
                indices = indicesOf(a.indices, a.indexType, a.base);
  const T *const values = static_cast<const T *>(a.values);
  if (a.format == CUSPARSE_FORMAT_COO)
    return statusOf(launch(handle->stream, a.nnz, [=] __device__(long long e) {
      dense.at(offsets[e], indices[e]) = values[e];
    }));
  const bool byColumn = a.format == CUSPARSE_FORMAT_CSC;
  return statusOf(launch(handle->stream, byColumn ? a.cols : a.rows, [=] __device__(long long i) {
    for (long long e = offsets[i]; e < offsets[i + 1]; ++e)
      dense.at(byColumn ? indices[e] : i, byColumn ? i : indices[e]) = values[e];
  }));
}

/// CSR as CSC, which is the transposed matrix as CSR.
template <class T>
cusparseStatus_t transpose(cusparseHandle_t handle, const Rows &from, int base, const void *values,
                           void *cscValues, int *cscOffsets, int *cscRows, bool withValues) {
  StreamMemory<int> order(handle->stream, from.entries), rows(handle->stream, from.entries);
  if (!order || !rows)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  VX_SPARSE_TRY(expandRows(handle, from.offsets, from.rows, indicesOf(rows, 0)));
  VX_SPARSE_TRY(groupBy(handle, from.minors, from.entries, from.columns, cscOffsets, order));
  const T *const in = static_cast<const T *>(values);
  T *const out = static_cast<T *>(cscValues);
  const int *const elements = order, *const rowOf = rows;
  VX_SPARSE_TRY(statusOf(launch(handle->stream, from.entries, [=] __device__(long long place) {
    const int e = elements[place];
    cscRows[place] = rowOf[e] + base;
    if (withValues)
      out[place] = in[e];
  })));
  return statusOf(launch(handle->stream, base ? from.columns + 1 : 0,
                         [=] __device__(long long i) { cscOffsets[i] += base; }));
}

/// Sorts each row's indices, and the permutation with them.
cusparseStatus_t sortRows(cusparseHandle_t handle, int rows, int nnz, const cusparseMatDescr_t a,
                          const int *offsets, int *indices, int *permutation) {
  VX_SPARSE_CHECK(handle, rows >= 0 && nnz >= 0 && a && (nnz == 0 || (offsets && indices)));
  const int base = a->base;
  return statusOf(launch(handle->stream, rows, [=] __device__(long long row) {
    const int first = offsets[row] - base;
    int *const keys = indices + first, *const order = permutation ? permutation + first : nullptr;
    sortByThread(
        offsets[row + 1] - base - first,
        [=](long long i, long long j) {
          return keys[i] < keys[j] || (order && keys[i] == keys[j] && order[i] < order[j]);
        },
        [=](long long i, long long j) {
          exchange(keys[i], keys[j]);
          if (order)
            exchange(order[i], order[j]);
        });
  }));
}

/// Merges neighbouring sorted runs of RUN places each: a thread finds the place of one element.
cusparseStatus_t mergeRuns(cusparseHandle_t handle, const int *keys, long long count, long long run,
                           const int *from, int *to) {
  return statusOf(launch(handle->stream, count, [=] __device__(long long at) {
    const long long begin = at / (2 * run) * (2 * run);
    const bool isLeft = at - begin < run;
    long long first = isLeft ? begin + run : begin, end = isLeft ? begin + 2 * run : begin + run;
    first = first < count ? first : count;
    end = end < count ? end : count;
    const long long other = first;
    const int key = keys[from[at]];
    while (first < end) { // of equal elements, the left ones come first
      const long long middle = (first + end) / 2;
      const int found = keys[from[middle]];
      if (isLeft ? found < key : found <= key)
        first = middle + 1;
      else
        end = middle;
    }
    const long long within = isLeft ? at - begin : at - begin - run;
    to[begin + within + (first - other)] = from[at];
  }));
}

cusparseStatus_t permute(cusparseHandle_t handle, long long count, const int *order, int *values,
                         int *copy) {
  VX_SPARSE_TRY(statusOf(
      launch(handle->stream, count, [=] __device__(long long i) { copy[i] = values[order[i]]; })));
  return statusOf(
      cudaMemcpyAsync(values, copy, count * sizeof(int), cudaMemcpyDeviceToDevice, handle->stream));
}

/// Sorts coordinates by KEYS and, where these are equal, by the others; a stable sort.
cusparseStatus_t sortCoordinates(cusparseHandle_t handle, int m, int n, int nnz, int *keys,
                                 int *others, int *permutation) {
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && nnz >= 0 && (nnz == 0 || (keys && others)));
  StreamMemory<int> memory(handle->stream, 2 * size_t(nnz));
  if (!memory)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  int *order = memory, *copy = order + nnz;
  VX_SPARSE_TRY(
      statusOf(launch(handle->stream, nnz, [=] __device__(long long i) { order[i] = int(i); })));
  for (const int *by : {others, keys})
    for (long long run = 1; run < nnz; run *= 2) {
      VX_SPARSE_TRY(mergeRuns(handle, by, nnz, run, order, copy));
      std::swap(order, copy);
    }
  VX_SPARSE_TRY(permute(handle, nnz, order, keys, copy));
  VX_SPARSE_TRY(permute(handle, nnz, order, others, copy));
  return permutation ? permute(handle, nnz, order, permutation, copy) : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sized(cusparseHandle_t handle, bool isValid, size_t *bufferSize) {
  VX_SPARSE_CHECK(handle, isValid && bufferSize);
  *bufferSize = kBufferSize;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class A, class B> bool sameSize(const A *a, const B *b) {
  return a && b && a->rows == b->rows && a->cols == b->cols && a->valueType == b->valueType;
}
bool isConvertible(cusparseFormat_t format) {
  return format >= CUSPARSE_FORMAT_CSR && format <= CUSPARSE_FORMAT_COO;
}

} // namespace
} // namespace vx::sparse

using namespace vx::sparse;

extern "C" {

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t, size_t *bufferSize) {
  return sized(handle, sameSize(a, b), bufferSize);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *) {
  VX_SPARSE_CHECK(handle, sameSize(a, b));
  if (!isConvertible(a->format))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  VX_SPARSE_COPY(a->valueType, convertToDense, handle, *a, *b)
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t, size_t *bufferSize) {
  return sized(handle, sameSize(a, b), bufferSize);
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t, void *) {
  VX_SPARSE_CHECK(handle, sameSize(a, b) && (b->format == CUSPARSE_FORMAT_COO || b->offsets));
  if (!isConvertible(b->format))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  VX_SPARSE_WITH_TYPE(a->valueType, return analyze<T>(handle, *a, *b));
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                               void *) {
  VX_SPARSE_CHECK(handle, sameSize(a, b) && (b->nnz == 0 || (b->indices && b->values)));
  if (!isConvertible(b->format))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  VX_SPARSE_WITH_TYPE(a->valueType, return convertToSparse<T>(handle, *a, *b));
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base) {
  VX_SPARSE_CHECK(handle, nnz >= 0 && m >= 0 && isBase(base) && (nnz == 0 || (offsets && rows)));
  return expandRows(handle, indicesOf(offsets, base), m, indicesOf(rows, base));
}
/// The rows are sorted.
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base) {
  VX_SPARSE_CHECK(handle, nnz >= 0 && m >= 0 && isBase(base) && offsets && (nnz == 0 || rows));
  return statusOf(vx::launch(handle->stream, m + 1LL, [=] __device__(long long row) {
    int first = 0, end = nnz;
    while (first < end) {
      const int middle = first + (end - first) / 2;
      if (rows[middle] - base < row)
        first = middle + 1;
      else
        end = middle;
    }
    offsets[row] = first + base;
  }));
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void *, const int *, const int *, void *,
                                               int *, int *, cudaDataType type, cusparseAction_t,
                                               cusparseIndexBase_t base, cusparseCsr2CscAlg_t,
                                               size_t *bufferSize) {
  return sized(handle, m >= 0 && n >= 0 && nnz >= 0 && isBase(base) && sizeOf(type), bufferSize);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *offsets, const int *columns,
                                    void *cscValues, int *cscOffsets, int *cscRows,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *) {
  const bool withValues = action == CUSPARSE_ACTION_NUMERIC;
  VX_SPARSE_CHECK(handle, m >= 0 && n >= 0 && nnz >= 0 && isBase(base) && cscOffsets &&
                              (nnz == 0 || (offsets && columns && cscRows &&
                                            (!withValues || (values && cscValues)))));
  const Rows rows = rowsOfCsr(m, n, nnz, offsets, columns, base);
  VX_SPARSE_COPY(type, transpose, handle, rows, base, values, cscValues, cscOffsets, cscRows,
                 withValues)
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                   int *permutation) {
  VX_SPARSE_CHECK(handle, n >= 0 && (n == 0 || permutation));
  return statusOf(
      vx::launch(handle->stream, n, [=] __device__(long long i) { permutation[i] = int(i); }));
}
#define VX_SPARSE_SORT_SIZE(NAME)                                                                  \
  cusparseStatus_t cusparseX##NAME##_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, \
                                                   const int *, const int *, size_t *bufferSize) { \
    return sized(handle, m >= 0 && n >= 0 && nnz >= 0, bufferSize);                                \
  }
VX_SPARSE_SORT_SIZE(csrsort)
VX_SPARSE_SORT_SIZE(cscsort)
VX_SPARSE_SORT_SIZE(coosort)
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int nnz,
                                  const cusparseMatDescr_t a, const int *offsets, int *columns,
                                  int *permutation, void *) {
  return sortRows(handle, m, nnz, a, offsets, columns, permutation);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int n, int nnz,
                                  const cusparseMatDescr_t a, const int *offsets, int *rows,
                                  int *permutation, void *) {
  return sortRows(handle, n, nnz, a, offsets, rows, permutation);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                       int *columns, int *permutation, void *) {
  return sortCoordinates(handle, m, n, nnz, rows, columns, permutation);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                          int *columns, int *permutation, void *) {
  return sortCoordinates(handle, m, n, nnz, columns, rows, permutation);
}

} // extern "C"
