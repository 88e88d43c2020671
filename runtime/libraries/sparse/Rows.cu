// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of sparse matrices: found where the format has them, else made by a sort of counts.

#include "../common/Launch.h"
#include "Rows.h"
#include "Sort.h"

namespace vx::sparse {

cusparseStatus_t groupBy(cusparseHandle_t handle, const Indices &keys, long long count,
                         long long groups, int *offsets, int *order) {
  StreamMemory<int> ranks(handle->stream, count);
  if (!ranks)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  int *const rank = ranks;
  if (cudaMemsetAsync(offsets, 0, (groups + 1) * sizeof(int), handle->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  cudaError_t error = launch(handle->stream, count, [=] __device__(long long e) {
    rank[e] = atomicAdd(&offsets[keys[e]], 1);
  });
  if (error == cudaSuccess) {
    sumCounts<<<1, kLibraryThreads, 0, handle->stream>>>(groups, offsets);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess)
    error = launch(handle->stream, count,
                   [=] __device__(long long e) { order[offsets[keys[e]] + rank[e]] = int(e); });
  if (error == cudaSuccess)
    error = launch(handle->stream, groups, [=] __device__(long long group) {
      int *const first = order + offsets[group];
      sortByThread(
          offsets[group + 1] - offsets[group],
          [=](long long i, long long j) { return first[i] < first[j]; },
          [=](long long i, long long j) { exchange(first[i], first[j]); });
    });
  return statusOf(error);
}

cusparseStatus_t expandRows(cusparseHandle_t handle, const Indices &offsets, long long rows,
                            const Indices &rowIndices) {
  return statusOf(launch(handle->stream, rows, [=] __device__(long long row) {
    for (long long place = offsets[row]; place < offsets[row + 1]; ++place)
      rowIndices.set(place, row);
  }));
}

Rows rowsOfCsr(int m, int n, int nnz, const int *offsets, const int *columns, int base) {
  Rows rows;
  rows.rows = m;
  rows.columns = n;
  rows.entries = nnz;
  rows.offsets = indicesOf(offsets, base);
  rows.minors = indicesOf(columns, base);
  return rows;
}

cusparseStatus_t rowsOf(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                        cusparseOperation_t op, int batch, Rows &rows, RowsMemory &memory) {
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const long long step = a.batches > 1 ? batch : 0;
  const Indices offsets = indicesOf(a.offsets, a.offsetType, a.base).from(step * a.offsetsStride);
  const Indices indices = indicesOf(a.indices, a.indexType, a.base).from(step * a.indicesStride);
  rows.rows = rowsOfOperand(a, op);
  rows.columns = columnsOfOperand(a, op);
  rows.entries = a.nnz;
  rows.conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  if (a.nnz > INT32_MAX || rows.rows >= INT32_MAX)
    return CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  const bool byRow = a.format == CUSPARSE_FORMAT_CSR || a.format == CUSPARSE_FORMAT_BSR;
  if (a.format != CUSPARSE_FORMAT_COO && plain == byRow) {
    rows.offsets = offsets;
    rows.minors = indices;
    return CUSPARSE_STATUS_SUCCESS;
  }
  if (a.format == CUSPARSE_FORMAT_BSR)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (!memory.offsets.allocate(handle->stream, rows.rows + 1) ||
      !memory.order.allocate(handle->stream, a.nnz))
    return CUSPARSE_STATUS_ALLOC_FAILED;
  rows.offsets = indicesOf(memory.offsets, 0);
  rows.order = memory.order;
  if (a.format == CUSPARSE_FORMAT_COO) {
    rows.minors = plain ? indices : offsets;
    return groupBy(handle, plain ? offsets : indices, a.nnz, rows.rows, memory.offsets,
                   memory.order);
  }
  if (!memory.minors.allocate(handle->stream, a.nnz))
    return CUSPARSE_STATUS_ALLOC_FAILED;
  rows.minors = indicesOf(memory.minors, 0);
  VX_SPARSE_TRY(expandRows(handle, offsets, rows.columns, rows.minors));
  return groupBy(handle, indices, a.nnz, rows.rows, memory.offsets, memory.order);
}

} // namespace vx::sparse
