// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's functions that compute nothing: handles, settings, names of errors.

#include "Handle.h"

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (!handle)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  VX_SPARSE_CHECK(handle, true);
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  VX_SPARSE_CHECK(handle, version);
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  VX_SPARSE_CHECK(handle, true);
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  VX_SPARSE_CHECK(handle, stream);
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  VX_SPARSE_CHECK(handle,
                  mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
  handle->pointerMode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  VX_SPARSE_CHECK(handle, mode);
  *mode = handle->pointerMode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetFile(FILE *) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerOpenFile(const char *) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetLevel(int) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetMask(int) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerForceDisable(void) {
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix) {
  if (!matrix)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *matrix = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
#define VX_SPARSE_SETTING(NAME, TYPE, MEMBER, LARGEST)                                             \
  cusparseStatus_t cusparseSet##NAME(cusparseMatDescr_t matrix, TYPE value) {                      \
    if (!matrix || value < TYPE(0) || value > LARGEST)                                             \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
    matrix->MEMBER = value;                                                                        \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  TYPE cusparseGet##NAME(const cusparseMatDescr_t matrix) {                                        \
    return matrix->MEMBER;                                                                         \
  }
VX_SPARSE_SETTING(MatType, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
VX_SPARSE_SETTING(MatFillMode, cusparseFillMode_t, fillMode, CUSPARSE_FILL_MODE_UPPER)
VX_SPARSE_SETTING(MatDiagType, cusparseDiagType_t, diagType, CUSPARSE_DIAG_TYPE_UNIT)
VX_SPARSE_SETTING(MatIndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)

// Name, and what CUDA's documentation calls it.
#define VX_SPARSE_STATUSES(ROW)                                                                    \
  ROW(CUSPARSE_STATUS_SUCCESS, "success")                                                          \
  ROW(CUSPARSE_STATUS_NOT_INITIALIZED, "initialization error")                                     \
  ROW(CUSPARSE_STATUS_ALLOC_FAILED, "resource allocation failed")                                  \
  ROW(CUSPARSE_STATUS_INVALID_VALUE, "invalid value")                                              \
  ROW(CUSPARSE_STATUS_ARCH_MISMATCH, "architecture mismatch")                                      \
  ROW(CUSPARSE_STATUS_MAPPING_ERROR, "mapping error")                                              \
  ROW(CUSPARSE_STATUS_EXECUTION_FAILED, "kernel launch failure")                                   \
  ROW(CUSPARSE_STATUS_INTERNAL_ERROR, "internal error")                                            \
  ROW(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported")                      \
  ROW(CUSPARSE_STATUS_ZERO_PIVOT, "zero pivot")                                                    \
  ROW(CUSPARSE_STATUS_NOT_SUPPORTED, "operation not supported")                                    \
  ROW(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "insufficient resources")

const char *cusparseGetErrorName(cusparseStatus_t status) {
  switch (status) {
#define ROW(NAME, TEXT)                                                                            \
  case NAME:                                                                                       \
    return #NAME;
    VX_SPARSE_STATUSES(ROW)
#undef ROW
  }
  return "unrecognized error code";
}
const char *cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
#define ROW(NAME, TEXT)                                                                            \
  case NAME:                                                                                       \
    return TEXT;
    VX_SPARSE_STATUSES(ROW)
#undef ROW
  }
  return "unrecognized error code";
}

} // extern "C"
