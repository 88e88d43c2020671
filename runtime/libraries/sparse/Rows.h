// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One view of sparse matrices in all formats: the entries of op(A), row by row.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_ROWS_H
#define VX_RUNTIME_LIBRARIES_SPARSE_ROWS_H

#include "Handle.h"

namespace vx::sparse {

/// Row i has the places from offsets[i] to offsets[i + 1]. At a place is an element, whose column
/// is minors[element]. Of BSR, elements are blocks.
struct Rows {
  long long rows = 0, columns = 0, entries = 0;
  Indices offsets, minors;
  const int *order = nullptr; ///< The elements at the places; null: the place is the element.
  bool conjugated = false;
  VX_BLAS_BOTH long long element(long long place) const { return order ? order[place] : place; }
};

/// Arrays that rowsOf() had to make.
struct RowsMemory {
  StreamMemory<int> offsets, order, minors;
};

/// Finds the rows of op(A) of one matrix of a batch. Rows of a transposed CSR and its like are
/// made: the order of a row's entries is that of the elements in memory, so results do not depend
/// on how blocks run.
cusparseStatus_t rowsOf(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                        cusparseOperation_t op, int batch, Rows &rows, RowsMemory &memory);

/// The rows of a CSR matrix with indices of 32 bits.
Rows rowsOfCsr(int m, int n, int nnz, const int *offsets, const int *columns, int base);

/// Groups COUNT elements by their keys below GROUPS: OFFSETS gets where each group begins (GROUPS +
/// 1), ORDER the elements group by group, each in increasing order.
cusparseStatus_t groupBy(cusparseHandle_t handle, const Indices &keys, long long count,
                         long long groups, int *offsets, int *order);

/// Writes the row of each of a compressed matrix's elements, counted from BASE of ROWINDICES.
cusparseStatus_t expandRows(cusparseHandle_t handle, const Indices &offsets, long long rows,
                            const Indices &rowIndices);

/// Returns the address of the values of one matrix of a batch.
template <class T> const T *valuesOf(const cusparseSpMatDescr &a, int batch) {
  return static_cast<const T *>(a.values) + (a.batches > 1 ? batch * a.valuesStride : 0);
}

/// A dense matrix in both orders, perhaps transposed.
template <class T> struct Dense {
  T *data = nullptr;
  long long rowStep = 1, columnStep = 0;
  bool conjugated = false;
  VX_BLAS_BOTH T &at(long long i, long long j) const { return data[i * rowStep + j * columnStep]; }
};
template <class T>
Dense<T> denseOf(const cusparseDnMatDescr &matrix, int batch, cusparseOperation_t op) {
  Dense<T> dense;
  dense.data =
      static_cast<T *>(matrix.values) + (matrix.batches > 1 ? batch * matrix.batchStride : 0);
  const bool alongRows =
      (matrix.order == CUSPARSE_ORDER_ROW) != (op != CUSPARSE_OPERATION_NON_TRANSPOSE);
  dense.rowStep = alongRows ? matrix.ld : 1;
  dense.columnStep = alongRows ? 1 : matrix.ld;
  dense.conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  return dense;
}

/// Returns the rows and columns of op(matrix).
template <class M> long long rowsOfOperand(const M &matrix, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.rows : matrix.cols;
}
template <class M> long long columnsOfOperand(const M &matrix, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.cols : matrix.rows;
}

} // namespace vx::sparse

#endif // VX_RUNTIME_LIBRARIES_SPARSE_ROWS_H
