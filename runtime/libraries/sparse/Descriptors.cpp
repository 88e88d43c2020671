// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's descriptors of vectors and matrices.

#include "Handle.h"
#include <initializer_list>

using namespace vx::sparse;

#define VX_SPARSE_VALID(CONDITION)                                                                 \
  do {                                                                                             \
    if (!(CONDITION))                                                                              \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
  } while (0)

namespace {

/// Returns false for arrays that are missing where elements are.
bool holds(int64_t count, std::initializer_list<const void *> arrays) {
  for (const void *array : arrays)
    if (count > 0 && !array)
      return false;
  return count >= 0;
}

/// A constant descriptor is one through which nothing is written.
template <class D> D *plain(const D *descriptor) {
  return const_cast<D *>(descriptor);
}
void *plain(const void *data) {
  return const_cast<void *>(data);
}

template <class Out>
cusparseStatus_t createMatrix(Out *matrix, cusparseFormat_t format, int64_t rows, int64_t cols,
                              int64_t nnz, const void *offsets, const void *indices,
                              const void *values, cusparseIndexType_t offsetType,
                              cusparseIndexType_t indexType, cusparseIndexBase_t base,
                              cudaDataType valueType) {
  const bool isCoo = format == CUSPARSE_FORMAT_COO;
  // The arrays of a matrix whose size is still to be found out come later.
  VX_SPARSE_VALID(matrix && rows >= 0 && cols >= 0 && nnz >= 0 && isIndexType(offsetType) &&
                  isIndexType(indexType) && isBase(base) && sizeOf(valueType) &&
                  (isCoo || nnz == 0 || offsets));
  auto *made = new cusparseSpMatDescr{format,         rows,           cols,          nnz,
                                      plain(offsets), plain(indices), plain(values), offsetType,
                                      indexType,      base,           valueType};
  *matrix = made;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t getMatrix(cusparseConstSpMatDescr_t matrix, cusparseFormat_t format, int64_t *rows,
                           int64_t *cols, int64_t *nnz, Pointer *offsets, Pointer *indices,
                           Pointer *values, cusparseIndexType_t *offsetType,
                           cusparseIndexType_t *indexType, cusparseIndexBase_t *base,
                           cudaDataType *valueType) {
  VX_SPARSE_VALID(matrix && matrix->format == format && rows && cols && nnz && offsets && indices &&
                  values && offsetType && indexType && base && valueType);
  *rows = matrix->rows;
  *cols = matrix->cols;
  *nnz = matrix->nnz;
  *offsets = matrix->offsets;
  *indices = matrix->indices;
  *values = matrix->values;
  *offsetType = matrix->offsetType;
  *indexType = matrix->indexType;
  *base = matrix->base;
  *valueType = matrix->valueType;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t setPointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format, void *offsets,
                             void *indices, void *values) {
  VX_SPARSE_VALID(matrix && matrix->format == format && offsets &&
                  holds(matrix->nnz, {indices, values}));
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t setBatch(cusparseSpMatDescr_t matrix, cusparseFormat_t format, int count,
                          int64_t offsetsStride, int64_t indicesStride, int64_t valuesStride) {
  VX_SPARSE_VALID(matrix && matrix->format == format && count > 0 && offsetsStride >= 0 &&
                  indicesStride >= 0 && valuesStride >= 0);
  matrix->batches = count;
  matrix->offsetsStride = offsetsStride;
  matrix->indicesStride = indicesStride;
  matrix->valuesStride = valuesStride;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Out>
cusparseStatus_t createSpVec(Out *vector, int64_t size, int64_t nnz, const void *indices,
                             const void *values, cusparseIndexType_t indexType,
                             cusparseIndexBase_t base, cudaDataType valueType) {
  VX_SPARSE_VALID(vector && size >= 0 && nnz <= size && holds(nnz, {indices, values}) &&
                  isIndexType(indexType) && isBase(base) && sizeOf(valueType));
  *vector =
      new cusparseSpVecDescr{size, nnz, plain(indices), plain(values), indexType, base, valueType};
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t getSpVec(cusparseConstSpVecDescr_t vector, int64_t *size, int64_t *nnz,
                          Pointer *indices, Pointer *values, cusparseIndexType_t *indexType,
                          cusparseIndexBase_t *base, cudaDataType *valueType) {
  VX_SPARSE_VALID(vector && size && nnz && indices && values && indexType && base && valueType);
  *size = vector->size;
  *nnz = vector->nnz;
  *indices = vector->indices;
  *values = vector->values;
  *indexType = vector->indexType;
  *base = vector->base;
  *valueType = vector->valueType;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Out>
cusparseStatus_t createDnVec(Out *vector, int64_t size, const void *values,
                             cudaDataType valueType) {
  VX_SPARSE_VALID(vector && holds(size, {values}) && sizeOf(valueType));
  *vector = new cusparseDnVecDescr{size, plain(values), valueType};
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t getDnVec(cusparseConstDnVecDescr_t vector, int64_t *size, Pointer *values,
                          cudaDataType *valueType) {
  VX_SPARSE_VALID(vector && size && values && valueType);
  *size = vector->size;
  *values = vector->values;
  *valueType = vector->valueType;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Out>
cusparseStatus_t createDnMat(Out *matrix, int64_t rows, int64_t cols, int64_t ld,
                             const void *values, cudaDataType valueType, cusparseOrder_t order) {
  VX_SPARSE_VALID(matrix && rows >= 0 && cols >= 0 && sizeOf(valueType) &&
                  (order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW) &&
                  ld >= (order == CUSPARSE_ORDER_COL ? rows : cols) &&
                  holds(rows * cols, {values}));
  *matrix = new cusparseDnMatDescr{rows, cols, ld, plain(values), valueType, order};
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Pointer>
cusparseStatus_t getDnMat(cusparseConstDnMatDescr_t matrix, int64_t *rows, int64_t *cols,
                          int64_t *ld, Pointer *values, cudaDataType *valueType,
                          cusparseOrder_t *order) {
  VX_SPARSE_VALID(matrix && rows && cols && ld && values && valueType && order);
  *rows = matrix->rows;
  *cols = matrix->cols;
  *ld = matrix->ld;
  *values = matrix->values;
  *valueType = matrix->valueType;
  *order = matrix->order;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class D, class Pointer> cusparseStatus_t getValues(const D *descriptor, Pointer *values) {
  VX_SPARSE_VALID(descriptor && values);
  *values = descriptor->values;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class D> cusparseStatus_t setValues(D *descriptor, void *values) {
  VX_SPARSE_VALID(descriptor && values);
  descriptor->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class D> cusparseStatus_t destroy(const D *descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Out>
cusparseStatus_t createBsr(Out *matrix, int64_t blockRows, int64_t blockCols, int64_t blocks,
                           int64_t rowsOfBlock, int64_t columnsOfBlock, const void *offsets,
                           const void *indices, const void *values, cusparseIndexType_t offsetType,
                           cusparseIndexType_t indexType, cusparseIndexBase_t base,
                           cudaDataType valueType, cusparseOrder_t order) {
  VX_SPARSE_VALID(rowsOfBlock > 0 && columnsOfBlock > 0 &&
                  (order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW));
  VX_SPARSE_TRY(createMatrix(matrix, CUSPARSE_FORMAT_BSR, blockRows, blockCols, blocks, offsets,
                             indices, values, offsetType, indexType, base, valueType));
  cusparseSpMatDescr *made = plain(*matrix);
  made->blockRows = rowsOfBlock;
  made->blockCols = columnsOfBlock;
  made->blockOrder = order;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

extern "C" {

// Functions that are there for descriptors that may be written through, and for constant ones.
#define VX_SPARSE_BOTH(CONST, QUALIFIER)                                                           \
  cusparseStatus_t cusparseCreate##CONST##SpVec(                                                   \
      cusparse##CONST##SpVecDescr_t *vector, int64_t size, int64_t nnz, QUALIFIER void *indices,   \
      QUALIFIER void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base,             \
      cudaDataType valueType) {                                                                    \
    return createSpVec(vector, size, nnz, indices, values, indexType, base, valueType);            \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##SpVecGet(                                                      \
      cusparse##CONST##SpVecDescr_t vector, int64_t *size, int64_t *nnz, QUALIFIER void **indices, \
      QUALIFIER void **values, cusparseIndexType_t *indexType, cusparseIndexBase_t *base,          \
      cudaDataType *valueType) {                                                                   \
    return getSpVec(vector, size, nnz, indices, values, indexType, base, valueType);               \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##SpVecGetValues(cusparse##CONST##SpVecDescr_t vector,           \
                                                   QUALIFIER void **values) {                      \
    return getValues(vector, values);                                                              \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##DnVec(cusparse##CONST##DnVecDescr_t *vector,             \
                                                int64_t size, QUALIFIER void *values,              \
                                                cudaDataType valueType) {                          \
    return createDnVec(vector, size, values, valueType);                                           \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##DnVecGet(cusparse##CONST##DnVecDescr_t vector, int64_t *size,  \
                                             QUALIFIER void **values, cudaDataType *valueType) {   \
    return getDnVec(vector, size, values, valueType);                                              \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##DnVecGetValues(cusparse##CONST##DnVecDescr_t vector,           \
                                                   QUALIFIER void **values) {                      \
    return getValues(vector, values);                                                              \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##DnMat(                                                   \
      cusparse##CONST##DnMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t ld,               \
      QUALIFIER void *values, cudaDataType valueType, cusparseOrder_t order) {                     \
    return createDnMat(matrix, rows, cols, ld, values, valueType, order);                          \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##DnMatGet(cusparse##CONST##DnMatDescr_t matrix, int64_t *rows,  \
                                             int64_t *cols, int64_t *ld, QUALIFIER void **values,  \
                                             cudaDataType *valueType, cusparseOrder_t *order) {    \
    return getDnMat(matrix, rows, cols, ld, values, valueType, order);                             \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##DnMatGetValues(cusparse##CONST##DnMatDescr_t matrix,           \
                                                   QUALIFIER void **values) {                      \
    return getValues(matrix, values);                                                              \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##SpMatGetValues(cusparse##CONST##SpMatDescr_t matrix,           \
                                                   QUALIFIER void **values) {                      \
    return getValues(matrix, values);                                                              \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##Coo(                                                     \
      cusparse##CONST##SpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,              \
      QUALIFIER void *rowIndices, QUALIFIER void *columnIndices, QUALIFIER void *values,           \
      cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType valueType) {           \
    VX_SPARSE_VALID(holds(nnz, {rowIndices, columnIndices, values}));                              \
    return createMatrix(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, rowIndices, columnIndices,   \
                        values, indexType, indexType, base, valueType);                            \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##CooGet(                                                        \
      cusparse##CONST##SpMatDescr_t matrix, int64_t *rows, int64_t *cols, int64_t *nnz,            \
      QUALIFIER void **rowIndices, QUALIFIER void **columnIndices, QUALIFIER void **values,        \
      cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *valueType) {        \
    return getMatrix(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, rowIndices, columnIndices,      \
                     values, indexType, indexType, base, valueType);                               \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##Bsr(                                                     \
      cusparse##CONST##SpMatDescr_t *matrix, int64_t blockRows, int64_t blockColumns,              \
      int64_t blocks, int64_t rowsOfBlock, int64_t columnsOfBlock, QUALIFIER void *offsets,        \
      QUALIFIER void *indices, QUALIFIER void *values, cusparseIndexType_t offsetType,             \
      cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType valueType,             \
      cusparseOrder_t order) {                                                                     \
    return createBsr(matrix, blockRows, blockColumns, blocks, rowsOfBlock, columnsOfBlock,         \
                     offsets, indices, values, offsetType, indexType, base, valueType, order);     \
  }                                                                                                \
  VX_SPARSE_COMPRESSED(CONST, QUALIFIER, Csr, CUSPARSE_FORMAT_CSR)                                 \
  VX_SPARSE_COMPRESSED(CONST, QUALIFIER, Csc, CUSPARSE_FORMAT_CSC)
#define VX_SPARSE_COMPRESSED(CONST, QUALIFIER, NAME, FORMAT)                                       \
  cusparseStatus_t cusparseCreate##CONST##NAME(                                                    \
      cusparse##CONST##SpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,              \
      QUALIFIER void *offsets, QUALIFIER void *indices, QUALIFIER void *values,                    \
      cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base,     \
      cudaDataType valueType) {                                                                    \
    return createMatrix(matrix, FORMAT, rows, cols, nnz, offsets, indices, values, offsetType,     \
                        indexType, base, valueType);                                               \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##NAME##Get(                                                     \
      cusparse##CONST##SpMatDescr_t matrix, int64_t *rows, int64_t *cols, int64_t *nnz,            \
      QUALIFIER void **offsets, QUALIFIER void **indices, QUALIFIER void **values,                 \
      cusparseIndexType_t *offsetType, cusparseIndexType_t *indexType, cusparseIndexBase_t *base,  \
      cudaDataType *valueType) {                                                                   \
    return getMatrix(matrix, FORMAT, rows, cols, nnz, offsets, indices, values, offsetType,        \
                     indexType, base, valueType);                                                  \
  }
VX_SPARSE_BOTH(, )
VX_SPARSE_BOTH(Const, const)

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  return destroy(vector);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return destroy(vector);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return destroy(matrix);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return destroy(matrix);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values) {
  return setValues(vector, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values) {
  return setValues(vector, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values) {
  return setValues(matrix, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values) {
  return setValues(matrix, values);
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t *base) {
  VX_SPARSE_VALID(vector && base);
  *base = vector->base;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values) {
  return setPointers(matrix, CUSPARSE_FORMAT_CSR, offsets, indices, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values) {
  return setPointers(matrix, CUSPARSE_FORMAT_CSC, offsets, indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rowIndices,
                                        void *columnIndices, void *values) {
  return setPointers(matrix, CUSPARSE_FORMAT_COO, rowIndices, columnIndices, values);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offsetsStride, int64_t columnsValuesStride) {
  return setBatch(matrix, CUSPARSE_FORMAT_CSR, count, offsetsStride, columnsValuesStride,
                  columnsValuesStride);
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t stride) {
  return setBatch(matrix, CUSPARSE_FORMAT_COO, count, stride, stride, stride);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offsetsStride, int64_t columnsStride,
                                            int64_t valuesStride) {
  return setBatch(matrix, CUSPARSE_FORMAT_BSR, count, offsetsStride, columnsStride, valuesStride);
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t *format) {
  VX_SPARSE_VALID(matrix && format);
  *format = matrix->format;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base) {
  VX_SPARSE_VALID(matrix && base);
  *base = matrix->base;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *cols, int64_t *nnz) {
  VX_SPARSE_VALID(matrix && rows && cols && nnz);
  *rows = matrix->rows * matrix->blockRows;
  *cols = matrix->cols * matrix->blockCols;
  *nnz = matrix->nnz * matrix->blockRows * matrix->blockCols;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int *count) {
  VX_SPARSE_VALID(matrix && count);
  *count = matrix->batches;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride) {
  VX_SPARSE_VALID(matrix && count > 0 && stride >= 0);
  matrix->batches = count;
  matrix->batchStride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int *count,
                                              int64_t *stride) {
  VX_SPARSE_VALID(matrix && count && stride);
  *count = matrix->batches;
  *stride = matrix->batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size) {
  VX_SPARSE_VALID(matrix && data && size == sizeof(int));
  VX_SPARSE_VALID(attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE);
  *static_cast<int *>(data) =
      attribute == CUSPARSE_SPMAT_FILL_MODE ? int(matrix->fillMode) : int(matrix->diagType);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size) {
  VX_SPARSE_VALID(matrix && data && size == sizeof(int));
  const int value = *static_cast<const int *>(data);
  VX_SPARSE_VALID(value == 0 || value == 1);
  switch (attribute) {
  case CUSPARSE_SPMAT_FILL_MODE:
    matrix->fillMode = cusparseFillMode_t(value);
    return CUSPARSE_STATUS_SUCCESS;
  case CUSPARSE_SPMAT_DIAG_TYPE:
    matrix->diagType = cusparseDiagType_t(value);
    return CUSPARSE_STATUS_SUCCESS;
  }
  return CUSPARSE_STATUS_INVALID_VALUE;
}

} // extern "C"
