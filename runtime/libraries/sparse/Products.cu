// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's products: SpMV and SpMM by one kernel, in which a thread computes an element of the
// result, and SDDMM.

#include "../common/Launch.h"
#include "Products.h"

namespace vx::sparse {

template <class A, class X, class Y, class Acc>
cusparseStatus_t multiply(cusparseHandle_t handle, const Rows &rows, const Blocks &blocks,
                          const A *values, const Dense<X> &b, const Dense<Y> &c, long long columns,
                          const Scalar<Acc> &alphas, const Scalar<Acc> &betas) {
  // Neighbouring threads write neighbouring elements.
  const bool alongRows = c.columnStep == 1 || columns == 1;
  const long long count = rows.rows * blocks.rows;
  return statusOf(launch(handle->stream, count * columns, [=] __device__(long long index) {
    long long i = index, j = 0;
    if (columns > 1) {
      i = alongRows ? index / columns : index % count;
      j = alongRows ? index % columns : index / count;
    }
    Acc sum(0);
    if (blocks.rows == 1 && blocks.columns == 1) {
      const long long end = rows.offsets[i + 1];
      for (long long place = rows.offsets[i]; place < end; ++place) {
        const long long e = rows.element(place);
        sum += conjugateIf(rows.conjugated, convert<Acc>(values[e])) *
               conjugateIf(b.conjugated, convert<Acc>(b.at(rows.minors[e], j)));
      }
    } else {
      const long long blockRow = i / blocks.rows, row = i % blocks.rows,
                      end = rows.offsets[blockRow + 1];
      for (long long e = rows.offsets[blockRow]; e < end; ++e) {
        const A *const block = values + e * blocks.rows * blocks.columns;
        const long long column = rows.minors[e] * blocks.columns;
        for (int k = 0; k < blocks.columns; ++k)
          sum += convert<Acc>(
                     block[blocks.byColumn ? k * blocks.rows + row : row * blocks.columns + k]) *
                 conjugateIf(b.conjugated, convert<Acc>(b.at(column + k, j)));
      }
    }
    const Acc alpha = alphas.get(), beta = betas.get();
    Y &out = c.at(i, j);
    Acc result = alpha == Acc(0) ? Acc(0) : alpha * sum;
    if (!(beta == Acc(0)))
      result += beta * convert<Acc>(out);
    out = convert<Y>(result);
  }));
}

#define VX_SPARSE_TYPES(A, AT, X, XT, Y, YT, C, CT)                                                \
  template cusparseStatus_t multiply<AT, XT, YT, CT>(                                              \
      cusparseHandle_t, const Rows &, const Blocks &, const AT *, const Dense<XT> &,               \
      const Dense<YT> &, long long, const Scalar<CT> &, const Scalar<CT> &);
#include "ProductTypes.def"
#undef VX_SPARSE_TYPES

namespace {

struct Operands {
  cusparseOperation_t opA, opB;
  const void *alpha, *beta;
  const cusparseSpMatDescr &a;
  const cusparseDnMatDescr &b;
  cusparseDnMatDescr &c;
};

template <class A, class X, class Y, class Acc>
cusparseStatus_t multiplyTyped(cusparseHandle_t handle, const Operands &o) {
  const Blocks blocks = {int(o.a.blockRows), int(o.a.blockCols),
                         o.a.blockOrder == CUSPARSE_ORDER_COL};
  Rows rows;
  RowsMemory memory;
  for (int batch = 0; batch < o.c.batches; ++batch) {
    if (batch == 0 || (o.a.batches > 1 && (o.a.offsetsStride || o.a.indicesStride)))
      VX_SPARSE_TRY(rowsOf(handle, o.a, o.opA, batch, rows, memory));
    VX_SPARSE_TRY((multiply<A, X, Y, Acc>(
        handle, rows, blocks, valuesOf<A>(o.a, batch), denseOf<X>(o.b, batch, o.opB),
        denseOf<Y>(o.c, batch, CUSPARSE_OPERATION_NON_TRANSPOSE), o.c.cols,
        scalarOf<Acc>(handle, o.alpha), scalarOf<Acc>(handle, o.beta))));
  }
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t multiplyAny(cusparseHandle_t handle, const Operands &o, cudaDataType compute) {
#define VX_SPARSE_TYPES(A, AT, X, XT, Y, YT, C, CT)                                                \
  if (o.a.valueType == A && o.b.valueType == X && o.c.valueType == Y && compute == C)              \
    return multiplyTyped<AT, XT, YT, CT>(handle, o);
#include "ProductTypes.def"
#undef VX_SPARSE_TYPES
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// Returns what is wrong with the arguments of a product.
cusparseStatus_t checkProduct(cusparseHandle_t handle, const Operands &o) {
  const bool plain = o.opA == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const long long m = o.a.rows * o.a.blockRows, k = o.a.cols * o.a.blockCols;
  VX_SPARSE_CHECK(handle, isOperation(o.opA) && isOperation(o.opB) && o.alpha && o.beta &&
                              o.c.rows == (plain ? m : k) &&
                              rowsOfOperand(o.b, o.opB) == (plain ? k : m) &&
                              columnsOfOperand(o.b, o.opB) == o.c.cols &&
                              (o.a.batches == 1 || o.a.batches == o.c.batches) &&
                              (o.b.batches == 1 || o.b.batches == o.c.batches) &&
                              (o.a.nnz == 0 || (o.a.indices && o.a.values)));
  return CUSPARSE_STATUS_SUCCESS;
}

/// A vector as a matrix of one column.
cusparseDnMatDescr columnOf(const cusparseDnVecDescr &vector) {
  return {vector.size,       1, vector.size ? vector.size : 1, vector.values, vector.valueType,
          CUSPARSE_ORDER_COL};
}

bool isSpMVAlgorithm(cusparseSpMVAlg_t alg) {
  return alg >= CUSPARSE_SPMV_ALG_DEFAULT && alg <= CUSPARSE_SPMV_BSR_ALG1;
}
bool isSpMMAlgorithm(cusparseSpMMAlg_t alg) {
  return (alg >= CUSPARSE_SPMM_ALG_DEFAULT && alg <= CUSPARSE_SPMM_CSR_ALG2) ||
         (alg >= CUSPARSE_SPMM_CSR_ALG3 && alg <= CUSPARSE_SPMM_BSR_ALG1);
}

/// Returns the row of a compressed matrix that holds the element AT.
__device__ long long rowHolding(const Indices &offsets, long long rows, long long at) {
  long long first = 0, end = rows;
  while (end - first > 1) {
    const long long middle = (first + end) / 2;
    (offsets[middle] <= at ? first : end) = middle;
  }
  return first;
}

/// C's elements, of those of A B; a thread for each.
template <class T>
cusparseStatus_t sampledProduct(cusparseHandle_t handle, const Dense<T> &a, const Dense<T> &b,
                                long long inner, const cusparseSpMatDescr &c, int batch,
                                const Scalar<T> &alphas, const Scalar<T> &betas) {
  const long long step = c.batches > 1 ? batch : 0;
  const Indices offsets = indicesOf(c.offsets, c.offsetType, c.base).from(step * c.offsetsStride),
                indices = indicesOf(c.indices, c.indexType, c.base).from(step * c.indicesStride);
  T *const values = const_cast<T *>(valuesOf<T>(c, batch));
  const bool isCoo = c.format == CUSPARSE_FORMAT_COO, isCsc = c.format == CUSPARSE_FORMAT_CSC;
  const long long majors = isCsc ? c.cols : c.rows;
  return statusOf(launch(handle->stream, c.nnz, [=] __device__(long long e) {
    const long long major = isCoo ? offsets[e] : rowHolding(offsets, majors, e);
    const long long i = isCsc ? indices[e] : major, j = isCsc ? major : indices[e];
    T sum(0);
    for (long long k = 0; k < inner; ++k)
      sum += conjugateIf(a.conjugated, a.at(i, k)) * conjugateIf(b.conjugated, b.at(k, j));
    const T alpha = alphas.get(), beta = betas.get();
    T result = alpha * sum;
    if (!(beta == T(0)))
      result += beta * values[e];
    values[e] = result;
  }));
}

} // namespace
} // namespace vx::sparse

using namespace vx::sparse;

extern "C" {

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void *) {
  VX_SPARSE_CHECK(handle, a && b && c && isSpMMAlgorithm(alg));
  const Operands operands{opA, opB, alpha, beta, *a, *b, *c};
  VX_SPARSE_TRY(checkProduct(handle, operands));
  return multiplyAny(handle, operands, computeType);
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType,
                                         cusparseSpMMAlg_t alg, size_t *bufferSize) {
  VX_SPARSE_CHECK(handle, a && b && c && isSpMMAlgorithm(alg) && bufferSize);
  VX_SPARSE_TRY(checkProduct(handle, {opA, opB, alpha, beta, *a, *b, *c}));
  *bufferSize = kBufferSize;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, void *) {
  size_t size;
  return cusparseSpMM_bufferSize(handle, opA, opB, alpha, a, b, beta, c, computeType, alg, &size);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType computeType,
                              cusparseSpMVAlg_t alg, void *) {
  VX_SPARSE_CHECK(handle, a && x && y && isSpMVAlgorithm(alg));
  const cusparseDnMatDescr b = columnOf(*x);
  cusparseDnMatDescr c = columnOf(*y);
  const Operands operands{opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, beta, *a, b, c};
  VX_SPARSE_TRY(checkProduct(handle, operands));
  return multiplyAny(handle, operands, computeType);
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType,
                                         cusparseSpMVAlg_t alg, size_t *bufferSize) {
  VX_SPARSE_CHECK(handle, a && x && y && isSpMVAlgorithm(alg) && bufferSize);
  const cusparseDnMatDescr b = columnOf(*x);
  cusparseDnMatDescr c = columnOf(*y);
  VX_SPARSE_TRY(
      checkProduct(handle, {opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, beta, *a, b, c}));
  *bufferSize = kBufferSize;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *) {
  size_t size;
  return cusparseSpMV_bufferSize(handle, opA, alpha, a, x, beta, y, computeType, alg, &size);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType computeType,
                               cusparseSDDMMAlg_t alg, void *) {
  size_t size;
  VX_SPARSE_TRY(
      cusparseSDDMM_bufferSize(handle, opA, opB, alpha, a, b, beta, c, computeType, alg, &size));
  const long long inner = columnsOfOperand(*a, opA);
  VX_SPARSE_WITH_TYPE(computeType, {
    for (int batch = 0; batch < c->batches; ++batch)
      VX_SPARSE_TRY(sampledProduct(handle, denseOf<T>(*a, batch, opA), denseOf<T>(*b, batch, opB),
                                   inner, *c, batch, scalarOf<T>(handle, alpha),
                                   scalarOf<T>(handle, beta)));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg,
                                          size_t *bufferSize) {
  VX_SPARSE_CHECK(handle, a && b && c && alpha && beta && bufferSize);
  if (c->format == CUSPARSE_FORMAT_BSR)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  VX_SPARSE_CHECK(handle, isOperation(opA) && isOperation(opB) &&
                              alg == CUSPARSE_SDDMM_ALG_DEFAULT &&
                              rowsOfOperand(*a, opA) == c->rows &&
                              columnsOfOperand(*a, opA) == rowsOfOperand(*b, opB) &&
                              columnsOfOperand(*b, opB) == c->cols);
  if (a->valueType != computeType || b->valueType != computeType || c->valueType != computeType)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  *bufferSize = kBufferSize;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg,
                                          void *) {
  size_t size;
  return cusparseSDDMM_bufferSize(handle, opA, opB, alpha, a, b, beta, c, computeType, alg, &size);
}

} // extern "C"
