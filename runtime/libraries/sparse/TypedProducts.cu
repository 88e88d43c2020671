// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's products of one type: with matrices of blocks, and of a dense matrix with a sparse
// vector.

#include "../common/Launch.h"
#include "Entry.h"
#include "Products.h"

namespace vx::sparse {
namespace {

/// A block matrix times a dense one, in which columns are together.
template <class T>
cusparseStatus_t multiplyBlocks(cusparseHandle_t handle, cusparseDirection_t direction, int mb,
                                int kb, int nnzb, const cusparseMatDescr &a, const T *values,
                                const int *offsets, const int *columns, int blockSize,
                                const T *alpha, const Dense<const T> &b, const T *beta, T *c,
                                int ldc, int n) {
  const Rows rows = rowsOfCsr(mb, kb, nnzb, offsets, columns, a.base);
  const Blocks blocks = {blockSize, blockSize, direction == CUSPARSE_DIRECTION_COLUMN};
  const Dense<T> right = {const_cast<T *>(b.data), b.rowStep, b.columnStep, b.conjugated};
  const Dense<T> result = {c, 1, ldc, false};
  return multiply<T, T, T, T>(handle, rows, blocks, values, right, result, n,
                              scalarOf<T>(handle, alpha), scalarOf<T>(handle, beta));
}

template <class T>
cusparseStatus_t bsrmv(cusparseHandle_t handle, cusparseDirection_t direction,
                       cusparseOperation_t op, int mb, int nb, int nnzb, const T *alpha,
                       const cusparseMatDescr_t a, const T *values, const int *offsets,
                       const int *columns, int blockSize, const T *x, const T *beta, T *y) {
  VX_SPARSE_CHECK(handle, isOperation(op) && mb >= 0 && nb >= 0 && nnzb >= 0 && alpha && a &&
                              blockSize >= 1 && beta);
  if (op != CUSPARSE_OPERATION_NON_TRANSPOSE)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (a->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  return multiplyBlocks(handle, direction, mb, nb, nnzb, *a, values, offsets, columns, blockSize,
                        alpha, Dense<const T>{x, 1, 0, false}, beta, y, mb * blockSize, 1);
}

template <class T>
cusparseStatus_t bsrmm(cusparseHandle_t handle, cusparseDirection_t direction,
                       cusparseOperation_t opA, cusparseOperation_t opB, int mb, int n, int kb,
                       int nnzb, const T *alpha, const cusparseMatDescr_t a, const T *values,
                       const int *offsets, const int *columns, int blockSize, const T *b, int ldb,
                       const T *beta, T *c, int ldc) {
  const bool plain = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  VX_SPARSE_CHECK(handle, isOperation(opA) && isOperation(opB) && mb >= 0 && n >= 0 && kb >= 0 &&
                              nnzb >= 0 && alpha && a && blockSize >= 1 && beta &&
                              ldb >= (plain ? kb * blockSize : n) && ldc >= mb * blockSize);
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (a->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  const Dense<const T> right = {b, plain ? 1 : ldb, plain ? ldb : 1,
                                opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
  return multiplyBlocks(handle, direction, mb, kb, nnzb, *a, values, offsets, columns, blockSize,
                        alpha, right, beta, c, ldc, n);
}

/// y = alpha op(A) x + beta y of a dense A and a sparse x; a thread for an element of y.
template <class T>
cusparseStatus_t gemvi(cusparseHandle_t handle, cusparseOperation_t op, int m, int n,
                       const T *alpha, const T *a, int lda, int nnz, const T *x, const int *indices,
                       const T *beta, T *y, cusparseIndexBase_t base, void *) {
  VX_SPARSE_CHECK(handle, isOperation(op) && m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) &&
                              nnz >= 0 && alpha && beta && isBase(base));
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE,
             conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const long long rowStep = plain ? 1 : lda, columnStep = plain ? lda : 1;
  const Scalar<T> alphas = scalarOf<T>(handle, alpha), betas = scalarOf<T>(handle, beta);
  return statusOf(launch(handle->stream, plain ? m : n, [=] __device__(long long i) {
    T sum(0);
    for (int e = 0; e < nnz; ++e)
      sum += conjugateIf(conjugated, a[i * rowStep + (indices[e] - base) * columnStep]) * x[e];
    const T beta = betas.get();
    sum = alphas.get() * sum;
    y[i] = beta == T(0) ? sum : sum + beta * y[i];
  }));
}
template <class T>
cusparseStatus_t gemvi_bufferSize(cusparseHandle_t handle, cusparseOperation_t, int, int, int,
                                  int *bufferSize) {
  VX_SPARSE_CHECK(handle, bufferSize);
  *bufferSize = int(kBufferSize);
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace
} // namespace vx::sparse

#define VX_SPARSE_ROWS "vx/sparse/products.def"
#include "vx/sparse/rows.h"
