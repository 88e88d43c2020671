// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's handle and descriptors, and what all functions do with their arguments.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_HANDLE_H
#define VX_RUNTIME_LIBRARIES_SPARSE_HANDLE_H

#include "../blas/Types.h"
#include "../common/Memory.h"
#include <cusparse.h>

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointerMode = CUSPARSE_POINTER_MODE_HOST;
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fillMode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagType = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType valueType;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType valueType;
};

struct cusparseDnMatDescr {
  int64_t rows, cols, ld;
  void *values;
  cudaDataType valueType;
  cusparseOrder_t order;
  int batches = 1;
  int64_t batchStride = 0;
};

/// Offsets are those of rows (CSR, BSR) or columns (CSC), or the row indices of COO; indices are
/// the others. Sizes of BSR count blocks.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, cols, nnz;
  void *offsets, *indices, *values;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType valueType;
  int64_t blockRows = 1, blockCols = 1;
  cusparseOrder_t blockOrder = CUSPARSE_ORDER_ROW;
  int batches = 1;
  int64_t offsetsStride = 0, indicesStride = 0, valuesStride = 0;
  cusparseFillMode_t fillMode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagType = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

namespace vx::sparse {

using namespace vx::blas;

/// The size that functions ask for as a work area: some hand over null to ask, so it is not 0.
constexpr size_t kBufferSize = 256;

inline cusparseStatus_t statusOf(cudaError_t error) {
  return error == cudaSuccess                 ? CUSPARSE_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUSPARSE_STATUS_ALLOC_FAILED
                                              : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/// Returns the scalar that POINTER points to.
template <class T> Scalar<T> scalarOf(cusparseHandle_t handle, const void *pointer) {
  Scalar<T> scalar;
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_HOST) {
    scalar.value = readUnaligned<T>(pointer);
  } else {
    scalar.pointer = pointer;
    scalar.source = Source::Device;
  }
  return scalar;
}

/// An array of indices of 32 or 64 bits that count from BASE.
struct Indices {
  void *data = nullptr;
  bool wide = false;
  int base = 0;
  VX_BLAS_BOTH long long operator[](long long i) const {
    return (wide ? static_cast<const long long *>(data)[i] : static_cast<const int *>(data)[i]) -
           base;
  }
  VX_BLAS_BOTH void set(long long i, long long index) const {
    if (wide)
      static_cast<long long *>(data)[i] = index + base;
    else
      static_cast<int *>(data)[i] = int(index + base);
  }
  size_t width() const { return wide ? sizeof(long long) : sizeof(int); }
  Indices from(long long first) const {
    return {static_cast<char *>(data) + first * (long long)width(), wide, base};
  }
};
inline Indices indicesOf(const void *data, int base) {
  return {const_cast<void *>(data), false, base};
}
inline Indices indicesOf(const void *data, cusparseIndexType_t type, cusparseIndexBase_t base) {
  return {const_cast<void *>(data), type == CUSPARSE_INDEX_64I, int(base)};
}

inline bool isOperation(cusparseOperation_t op) {
  return op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
inline bool isIndexType(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
inline bool isBase(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
/// Returns the bytes of an element; 0: of no type that the library has.
inline size_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

} // namespace vx::sparse

// Functions return what is wrong with their arguments before anything is done.
#define VX_SPARSE_CHECK(HANDLE, CONDITION)                                                         \
  do {                                                                                             \
    if (!(HANDLE))                                                                                 \
      return CUSPARSE_STATUS_NOT_INITIALIZED;                                                      \
    if (!(CONDITION))                                                                              \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
  } while (0)
#define VX_SPARSE_TRY(CALL)                                                                        \
  do {                                                                                             \
    if (cusparseStatus_t status_ = (CALL); status_ != CUSPARSE_STATUS_SUCCESS)                     \
      return status_;                                                                              \
  } while (0)

// Runs STATEMENT for the four types of numbers, T.
#define VX_SPARSE_WITH_TYPE(TYPE, STATEMENT)                                                       \
  do {                                                                                             \
    switch (TYPE) {                                                                                \
    case CUDA_R_32F: {                                                                             \
      typedef float T;                                                                             \
      STATEMENT;                                                                                   \
    }                                                                                              \
    case CUDA_R_64F: {                                                                             \
      typedef double T;                                                                            \
      STATEMENT;                                                                                   \
    }                                                                                              \
    case CUDA_C_32F: {                                                                             \
      typedef vx::blas::Complex<float> T;                                                          \
      STATEMENT;                                                                                   \
    }                                                                                              \
    case CUDA_C_64F: {                                                                             \
      typedef vx::blas::Complex<double> T;                                                         \
      STATEMENT;                                                                                   \
    }                                                                                              \
    default:                                                                                       \
      return CUSPARSE_STATUS_NOT_SUPPORTED;                                                        \
    }                                                                                              \
  } while (0)

// Calls FUNCTION for elements of TYPE's size, which it only copies.
#define VX_SPARSE_COPY(TYPE, FUNCTION, ...)                                                        \
  switch (sizeOf(TYPE)) {                                                                          \
  case 1:                                                                                          \
    return FUNCTION<char>(__VA_ARGS__);                                                            \
  case 2:                                                                                          \
    return FUNCTION<short>(__VA_ARGS__);                                                           \
  case 4:                                                                                          \
    return FUNCTION<float>(__VA_ARGS__);                                                           \
  case 8:                                                                                          \
    return FUNCTION<double>(__VA_ARGS__);                                                          \
  case 16:                                                                                         \
    return FUNCTION<Complex<double>>(__VA_ARGS__);                                                 \
  default:                                                                                         \
    return CUSPARSE_STATUS_NOT_SUPPORTED;                                                          \
  }

#endif // VX_RUNTIME_LIBRARIES_SPARSE_HANDLE_H
