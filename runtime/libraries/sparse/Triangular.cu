// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's triangular systems, SpSV and SpSM: a row at a time, in the order of levels.

#include "LevelLoop.h"

namespace vx::sparse {

/// What the analysis of a matrix leaves for the solution.
struct TriangularSystem {
  bool isAnalyzed = false;
  cusparseOperation_t op;
  cudaDataType type;
  Rows rows;
  RowsMemory memory;
  Levels levels;
  DeviceMemory values, diagonal; ///< Newer ones than the matrix has.
};

namespace {

bool isLower(const cusparseSpMatDescr &a, cusparseOperation_t op) {
  return (a.fillMode == CUSPARSE_FILL_MODE_LOWER) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
}

cusparseStatus_t analyze(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                         cusparseOperation_t op, TriangularSystem &system) {
  // What lasts is made in the default stream, which all streams outlive.
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  cusparseContext context = *handle;
  context.stream = nullptr;
  system.op = op;
  system.type = a.valueType;
  VX_SPARSE_TRY(rowsOf(&context, a, op, 0, system.rows, system.memory));
  VX_SPARSE_TRY(findLevels(&context, system.rows, isLower(a, op), system.levels));
  system.isAnalyzed = true;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class T>
cusparseStatus_t solve(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                       const TriangularSystem &system, const Scalar<T> &alphas, const Dense<T> &b,
                       const Dense<T> &c, long long columns) {
  const Rows rows = system.rows;
  const bool lower = isLower(a, system.op), unit = a.diagType == CUSPARSE_DIAG_TYPE_UNIT;
  const T *const values = system.values ? system.values.as<T>() : static_cast<const T *>(a.values);
  const T *const newDiagonal = system.diagonal.as<T>();
  return statusOf(
      forEachLevel(handle->stream, system.levels, columns, [=] __device__(int i, long long j) {
        T sum = alphas.get() * conjugateIf(b.conjugated, b.at(i, j)), diagonal(0);
        for (long long place = rows.offsets[i]; place < rows.offsets[i + 1]; ++place) {
          const long long e = rows.element(place), column = rows.minors[e];
          if (column == i)
            diagonal = values[e];
          else if (lower ? column < i : column > i)
            sum -= conjugateIf(rows.conjugated, values[e]) * c.at(column, j);
        }
        if (newDiagonal)
          diagonal = newDiagonal[i];
        c.at(i, j) = unit ? sum : sum / conjugateIf(rows.conjugated, diagonal);
      }));
}

/// Keeps a copy of new values for the solutions to come.
cusparseStatus_t update(cusparseHandle_t handle, TriangularSystem &system, const void *newValues,
                        bool onlyDiagonal) {
  VX_SPARSE_CHECK(handle, newValues && system.isAnalyzed);
  const size_t bytes =
      (onlyDiagonal ? system.rows.rows : system.rows.entries) * sizeOf(system.type);
  DeviceMemory &memory = onlyDiagonal ? system.diagonal : system.values;
  if (!memory && !memory.allocate(bytes))
    return CUSPARSE_STATUS_ALLOC_FAILED;
  return statusOf(cudaMemcpyAsync(memory.as<void>(), newValues, bytes, cudaMemcpyDeviceToDevice,
                                  handle->stream));
}

/// Returns what is wrong with the arguments of a system; columns are those of B and C.
cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                       const void *alpha, const cusparseSpMatDescr *a, const cusparseDnMatDescr &b,
                       const cusparseDnMatDescr &c, cudaDataType computeType,
                       const TriangularSystem *system) {
  VX_SPARSE_CHECK(handle, a && alpha && system && isOperation(opA) && isOperation(opB) &&
                              a->rows == a->cols && rowsOfOperand(b, opB) == a->rows &&
                              c.rows == a->rows && columnsOfOperand(b, opB) == c.cols);
  if ((a->format != CUSPARSE_FORMAT_CSR && a->format != CUSPARSE_FORMAT_CSC &&
       a->format != CUSPARSE_FORMAT_COO) ||
      a->valueType != computeType || b.valueType != computeType || c.valueType != computeType ||
      a->batches > 1)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t solveAny(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                          const void *alpha, const cusparseSpMatDescr &a,
                          const cusparseDnMatDescr &b, const cusparseDnMatDescr &c,
                          cudaDataType computeType, const TriangularSystem &system) {
  VX_SPARSE_CHECK(handle, system.isAnalyzed && system.op == opA);
  VX_SPARSE_WITH_TYPE(computeType, {
    for (int batch = 0; batch < c.batches; ++batch)
      VX_SPARSE_TRY(solve(handle, a, system, scalarOf<T>(handle, alpha), denseOf<T>(b, batch, opB),
                          denseOf<T>(c, batch, CUSPARSE_OPERATION_NON_TRANSPOSE), c.cols));
    return CUSPARSE_STATUS_SUCCESS;
  });
}

/// A vector as a matrix of one column.
cusparseDnMatDescr columnOf(const cusparseDnVecDescr *vector) {
  if (!vector)
    return {-1, -1, 1, nullptr, CUDA_R_32F, CUSPARSE_ORDER_COL};
  return {vector->size, 1, vector->size, vector->values, vector->valueType, CUSPARSE_ORDER_COL};
}
cusparseDnMatDescr matrixOf(const cusparseDnMatDescr *matrix) {
  return matrix ? *matrix : columnOf(nullptr);
}

} // namespace
} // namespace vx::sparse

struct cusparseSpSVDescr : vx::sparse::TriangularSystem {};
struct cusparseSpSMDescr : vx::sparse::TriangularSystem {};

using namespace vx::sparse;

// Both have the same steps, for vectors and for matrices: PARAMETERS are those between the handle
// and the type, OPB, B and C are those of check().
#define VX_SPARSE_SYSTEM(NAME, UPPERCASE, PARAMETERS, OPB, B, C)                                   \
  cusparseStatus_t cusparse##NAME##_createDescr(cusparse##NAME##Descr_t *descriptor) {             \
    if (!descriptor)                                                                               \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
    *descriptor = new cusparse##NAME##Descr;                                                       \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##NAME##_destroyDescr(cusparse##NAME##Descr_t descriptor) {             \
    cudaDeviceSynchronize();                                                                       \
    delete descriptor;                                                                             \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##NAME##_bufferSize(                                                    \
      cusparseHandle_t handle, VX_SPARSE_UNPACK PARAMETERS, cudaDataType computeType,              \
      cusparse##NAME##Alg_t, cusparse##NAME##Descr_t descriptor, size_t *bufferSize) {             \
    VX_SPARSE_CHECK(handle, bufferSize);                                                           \
    VX_SPARSE_TRY(check(handle, opA, OPB, alpha, a, B, C, computeType, descriptor));               \
    *bufferSize = kBufferSize;                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##NAME##_analysis(cusparseHandle_t handle, VX_SPARSE_UNPACK PARAMETERS, \
                                             cudaDataType computeType, cusparse##NAME##Alg_t,      \
                                             cusparse##NAME##Descr_t descriptor, void *) {         \
    VX_SPARSE_TRY(check(handle, opA, OPB, alpha, a, B, C, computeType, descriptor));               \
    return analyze(handle, *a, opA, *descriptor);                                                  \
  }                                                                                                \
  cusparseStatus_t cusparse##NAME##_solve(cusparseHandle_t handle, VX_SPARSE_UNPACK PARAMETERS,    \
                                          cudaDataType computeType, cusparse##NAME##Alg_t,         \
                                          cusparse##NAME##Descr_t descriptor) {                    \
    VX_SPARSE_TRY(check(handle, opA, OPB, alpha, a, B, C, computeType, descriptor));               \
    return solveAny(handle, opA, OPB, alpha, *a, B, C, computeType, *descriptor);                  \
  }                                                                                                \
  cusparseStatus_t cusparse##NAME##_updateMatrix(cusparseHandle_t handle,                          \
                                                 cusparse##NAME##Descr_t descriptor,               \
                                                 void *newValues, cusparse##NAME##Update_t part) { \
    VX_SPARSE_CHECK(handle, descriptor && (part == CUSPARSE_##UPPERCASE##_UPDATE_GENERAL ||        \
                                           part == CUSPARSE_##UPPERCASE##_UPDATE_DIAGONAL));       \
    return update(handle, *descriptor, newValues, part == CUSPARSE_##UPPERCASE##_UPDATE_DIAGONAL); \
  }
#define VX_SPARSE_UNPACK(...) __VA_ARGS__

extern "C" {

VX_SPARSE_SYSTEM(SpSV, SPSV,
                 (cusparseOperation_t opA, const void *alpha, cusparseConstSpMatDescr_t a,
                  cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y),
                 CUSPARSE_OPERATION_NON_TRANSPOSE, columnOf(x), columnOf(y))
VX_SPARSE_SYSTEM(SpSM, SPSM,
                 (cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
                  cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c),
                 opB, matrixOf(b), matrixOf(c))

} // extern "C"
