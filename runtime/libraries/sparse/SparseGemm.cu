// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's products of sparse matrices. The pattern of C is found by sorting the columns of all
// products of a row; the numbers are then added up in place, in the order of the products.

#include "../common/Launch.h"
#include "Rows.h"
#include "Sort.h"

struct cusparseSpGEMMDescr {
  bool hasPattern = false;
  long long products = 0, elements = 0;
  vx::DeviceMemory firsts;  ///< Of int: the first product of each row; one more.
  vx::DeviceMemory columns; ///< Of int: of products, sorted by row and column.
  vx::DeviceMemory offsets; ///< Of int: of the rows of C.
};

namespace vx::sparse {
namespace {

typedef cusparseSpGEMMDescr Product;

/// Everything that all functions are handed.
struct Arguments {
  cusparseHandle_t handle;
  cusparseOperation_t opA, opB;
  cusparseConstSpMatDescr_t a, b;
  cusparseSpMatDescr_t c;
  cusparseSpGEMMAlg_t alg;
  cusparseSpGEMMDescr_t descriptor;
};

cusparseStatus_t check(const Arguments &x) {
  VX_SPARSE_CHECK(x.handle, x.a && x.b && x.c && x.descriptor && isOperation(x.opA) &&
                                isOperation(x.opB) && x.alg >= CUSPARSE_SPGEMM_DEFAULT &&
                                x.alg <= CUSPARSE_SPGEMM_ALG3 && x.a->cols == x.b->rows &&
                                x.c->rows == x.a->rows && x.c->cols == x.b->cols);
  if (x.opA != CUSPARSE_OPERATION_NON_TRANSPOSE || x.opB != CUSPARSE_OPERATION_NON_TRANSPOSE ||
      x.a->format != CUSPARSE_FORMAT_CSR || x.b->format != CUSPARSE_FORMAT_CSR ||
      x.c->format != CUSPARSE_FORMAT_CSR || x.b->valueType != x.a->valueType ||
      x.c->valueType != x.a->valueType)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Makes Rows of the operands, which are CSR and as they are.
cusparseStatus_t operands(const Arguments &x, Rows &a, Rows &b) {
  RowsMemory none;
  VX_SPARSE_TRY(rowsOf(x.handle, *x.a, x.opA, 0, a, none));
  return rowsOf(x.handle, *x.b, x.opB, 0, b, none);
}

cusparseStatus_t readLast(cusparseHandle_t handle, const int *counts, long long n,
                          long long &last) {
  int value = 0;
  cudaError_t error =
      cudaMemcpyAsync(&value, counts + n, sizeof value, cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(handle->stream);
  last = value;
  return statusOf(error);
}

/// Counts the products of each row.
cusparseStatus_t countProducts(const Arguments &x) {
  Rows a, b;
  VX_SPARSE_TRY(operands(x, a, b));
  Product &product = *x.descriptor;
  if (!product.firsts.allocate((a.rows + 1) * sizeof(int)))
    return CUSPARSE_STATUS_ALLOC_FAILED;
  int *const firsts = product.firsts.as<int>();
  VX_SPARSE_TRY(statusOf(launch(x.handle->stream, a.rows, [=] __device__(long long i) {
    int count = 0;
    for (long long e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const long long k = a.minors[e];
      count += int(b.offsets[k + 1] - b.offsets[k]);
    }
    firsts[i] = count;
  })));
  sumCounts<<<1, kLibraryThreads, 0, x.handle->stream>>>(a.rows, firsts);
  VX_SPARSE_TRY(statusOf(cudaGetLastError()));
  return readLast(x.handle, firsts, a.rows, product.products);
}

/// Finds the pattern of C.
cusparseStatus_t findPattern(const Arguments &x) {
  Rows a, b;
  VX_SPARSE_TRY(operands(x, a, b));
  Product &product = *x.descriptor;
  if (!product.firsts)
    VX_SPARSE_TRY(countProducts(x));
  if (!product.columns.allocate(product.products * sizeof(int)) ||
      !product.offsets.allocate((a.rows + 1) * sizeof(int)))
    return CUSPARSE_STATUS_ALLOC_FAILED;
  const int *const firsts = product.firsts.as<int>();
  int *const all = product.columns.as<int>(), *const offsets = product.offsets.as<int>();
  VX_SPARSE_TRY(statusOf(launch(x.handle->stream, a.rows, [=] __device__(long long i) {
    int *const columns = all + firsts[i];
    long long count = 0;
    for (long long e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const long long k = a.minors[e];
      for (long long f = b.offsets[k]; f < b.offsets[k + 1]; ++f)
        columns[count++] = int(b.minors[f]);
    }
    sortByThread(
        count, [=](long long i, long long j) { return columns[i] < columns[j]; },
        [=](long long i, long long j) { exchange(columns[i], columns[j]); });
    int different = 0;
    for (long long j = 0; j < count; ++j)
      different += j == 0 || columns[j] != columns[j - 1];
    offsets[i] = different;
  })));
  sumCounts<<<1, kLibraryThreads, 0, x.handle->stream>>>(a.rows, offsets);
  VX_SPARSE_TRY(statusOf(cudaGetLastError()));
  VX_SPARSE_TRY(readLast(x.handle, offsets, a.rows, product.elements));
  x.c->nnz = product.elements;
  product.hasPattern = true;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Writes the offsets of C, and its columns if there is room for them.
cusparseStatus_t writePattern(const Arguments &x, bool withColumns) {
  const Product &product = *x.descriptor;
  const cusparseSpMatDescr &c = *x.c;
  VX_SPARSE_CHECK(x.handle, product.hasPattern && c.nnz == product.elements);
  VX_SPARSE_CHECK(x.handle, !withColumns || (c.offsets && (c.nnz == 0 || c.indices)));
  if (!c.offsets)
    return CUSPARSE_STATUS_SUCCESS;
  const int *const from = product.offsets.as<int>(), *const firsts = product.firsts.as<int>(),
                   *const all = product.columns.as<int>();
  const Indices offsets = indicesOf(c.offsets, c.offsetType, c.base),
                indices = indicesOf(c.indices, c.indexType, c.base);
  const long long rows = c.rows;
  return statusOf(launch(x.handle->stream, rows + 1, [=] __device__(long long i) {
    offsets.set(i, from[i]);
    if (!withColumns || i == rows)
      return;
    long long place = from[i];
    for (int at = firsts[i]; at < firsts[i + 1]; ++at)
      if (at == firsts[i] || all[at] != all[at - 1])
        indices.set(place++, all[at]);
  }));
}

/// C = alpha A B + beta C for the pattern of C; a thread for a row.
template <class T>
cusparseStatus_t accumulate(const Arguments &x, const Scalar<T> &alphas, const Scalar<T> &betas) {
  Rows a, b;
  VX_SPARSE_TRY(operands(x, a, b));
  const Indices offsets = indicesOf(x.c->offsets, x.c->offsetType, x.c->base),
                indices = indicesOf(x.c->indices, x.c->indexType, x.c->base);
  const T *const valuesA = static_cast<const T *>(x.a->values), *const valuesB =
                                                                    static_cast<const T *>(
                                                                        x.b->values);
  T *const values = static_cast<T *>(x.c->values);
  return statusOf(launch(x.handle->stream, a.rows, [=] __device__(long long i) {
    const T alpha = alphas.get(), beta = betas.get();
    const long long begin = offsets[i], last = offsets[i + 1];
    for (long long e = begin; e < last; ++e)
      values[e] = beta == T(0) ? T(0) : beta * values[e];
    for (long long e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const long long k = a.minors[e];
      const T factor = alpha * valuesA[e];
      for (long long f = b.offsets[k]; f < b.offsets[k + 1]; ++f) {
        const long long column = b.minors[f];
        long long first = begin, end = last;
        while (end - first > 1) {
          const long long middle = (first + end) / 2;
          (indices[middle] <= column ? first : end) = middle;
        }
        values[first] += factor * valuesB[f];
      }
    }
  }));
}

cusparseStatus_t accumulateAny(const Arguments &x, const void *alpha, const void *beta,
                               cudaDataType computeType) {
  VX_SPARSE_CHECK(x.handle, alpha && beta);
  if (computeType != x.a->valueType)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  VX_SPARSE_WITH_TYPE(computeType, {
    return accumulate(x, scalarOf<T>(x.handle, alpha), scalarOf<T>(x.handle, beta));
  });
}

/// Answers how large a buffer is to be; true: that was the question.
bool asksForSize(size_t *size, const void *buffer) {
  if (buffer || !size)
    return false;
  *size = kBufferSize;
  return true;
}

/// C's values do not exist before the product: they cannot be added to it.
template <class T> bool isZero(cusparseHandle_t handle, const void *beta) {
  T value(1);
  cudaMemcpy(&value, beta, sizeof(T),
             handle->pointerMode == CUSPARSE_POINTER_MODE_HOST ? cudaMemcpyHostToHost
                                                               : cudaMemcpyDeviceToHost);
  return value == T(0);
}
cusparseStatus_t checkBeta(cusparseHandle_t handle, const void *beta, cudaDataType type) {
  VX_SPARSE_CHECK(handle, beta);
  VX_SPARSE_WITH_TYPE(type, return isZero<T>(handle, beta) ? CUSPARSE_STATUS_SUCCESS
                                                           : CUSPARSE_STATUS_NOT_SUPPORTED);
}

} // namespace
} // namespace vx::sparse

using namespace vx::sparse;

// The parameters of the functions: with numbers, and of a pattern alone.
#define VX_SPARSE_NUMBERS                                                                          \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,    \
      cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,                  \
      cusparseSpMatDescr_t c, cudaDataType computeType, cusparseSpGEMMAlg_t alg,                   \
      cusparseSpGEMMDescr_t descriptor
#define VX_SPARSE_PATTERN                                                                          \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,                       \
      cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,            \
      cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descriptor
#define VX_SPARSE_BEGIN                                                                            \
  const Arguments x{handle, opA, opB, a, b, c, alg, descriptor};                                   \
  VX_SPARSE_TRY(check(x))

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descriptor) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descriptor = new cusparseSpGEMMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(VX_SPARSE_NUMBERS, size_t *bufferSize1,
                                               void *buffer1) {
  VX_SPARSE_BEGIN;
  VX_SPARSE_CHECK(handle, alpha);
  VX_SPARSE_TRY(checkBeta(handle, beta, computeType));
  return asksForSize(bufferSize1, buffer1) ? CUSPARSE_STATUS_SUCCESS : countProducts(x);
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descriptor,
                                               int64_t *products) {
  if (!descriptor || !products)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *products = descriptor->products;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_estimateMemory(VX_SPARSE_NUMBERS, float chunkFraction,
                                               size_t *bufferSize3, void *buffer3,
                                               size_t *bufferSize2) {
  VX_SPARSE_BEGIN;
  VX_SPARSE_CHECK(handle, alpha && chunkFraction > 0 && chunkFraction <= 1);
  VX_SPARSE_TRY(checkBeta(handle, beta, computeType));
  if (!asksForSize(bufferSize3, buffer3))
    asksForSize(bufferSize2, nullptr);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_compute(VX_SPARSE_NUMBERS, size_t *bufferSize2, void *buffer2) {
  VX_SPARSE_BEGIN;
  VX_SPARSE_CHECK(handle, alpha);
  VX_SPARSE_TRY(checkBeta(handle, beta, computeType));
  if (asksForSize(bufferSize2, buffer2))
    return CUSPARSE_STATUS_SUCCESS;
  VX_SPARSE_TRY(findPattern(x));
  return writePattern(x, false);
}
cusparseStatus_t cusparseSpGEMM_copy(VX_SPARSE_NUMBERS) {
  VX_SPARSE_BEGIN;
  VX_SPARSE_CHECK(handle, c->nnz == 0 || c->values);
  VX_SPARSE_TRY(checkBeta(handle, beta, computeType));
  VX_SPARSE_TRY(writePattern(x, true));
  return accumulateAny(x, alpha, beta, computeType);
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(VX_SPARSE_PATTERN, size_t *bufferSize1,
                                                    void *buffer1) {
  VX_SPARSE_BEGIN;
  return asksForSize(bufferSize1, buffer1) ? CUSPARSE_STATUS_SUCCESS : countProducts(x);
}
cusparseStatus_t cusparseSpGEMMreuse_nnz(VX_SPARSE_PATTERN, size_t *bufferSize2, void *buffer2,
                                         size_t *bufferSize3, void *buffer3, size_t *bufferSize4,
                                         void *buffer4) {
  VX_SPARSE_BEGIN;
  bool asked = asksForSize(bufferSize2, buffer2);
  asked |= asksForSize(bufferSize3, buffer3);
  asked |= asksForSize(bufferSize4, buffer4);
  if (asked)
    return CUSPARSE_STATUS_SUCCESS;
  VX_SPARSE_TRY(findPattern(x));
  return writePattern(x, false);
}
cusparseStatus_t cusparseSpGEMMreuse_copy(VX_SPARSE_PATTERN, size_t *bufferSize5, void *buffer5) {
  VX_SPARSE_BEGIN;
  return asksForSize(bufferSize5, buffer5) ? CUSPARSE_STATUS_SUCCESS : writePattern(x, true);
}
cusparseStatus_t cusparseSpGEMMreuse_compute(VX_SPARSE_NUMBERS) {
  VX_SPARSE_BEGIN;
  VX_SPARSE_CHECK(handle, c->offsets && (c->nnz == 0 || (c->indices && c->values)));
  return accumulateAny(x, alpha, beta, computeType);
}

} // extern "C"
