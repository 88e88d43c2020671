// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions that compute nothing: handles, settings, names of errors, copies.

#include "Handle.h"

static bool isMathMode(cublasMath_t mode) {
  constexpr int flag = CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  const int base = mode & ~flag;
  return base >= CUBLAS_DEFAULT_MATH && base <= CUBLAS_TF32_TENSOR_OP_MATH;
}

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  auto *context = new cublasContext;
  cudaError_t error = cudaMalloc(&context->space, sizeof(ReductionSpace));
  if (error == cudaSuccess)
    error = cudaMemset(context->space, 0, sizeof(ReductionSpace));
  if (error != cudaSuccess) {
    delete context;
    return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = context;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  VX_BLAS_CHECK(handle, true);
  cudaFree(handle->space);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
  VX_BLAS_CHECK(handle, version);
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) {
  return CUDART_VERSION;
}

/// Not used: the library has memory of its own.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t) {
  VX_BLAS_CHECK(handle, reinterpret_cast<uintptr_t>(workspace) % 256 == 0);
  return CUBLAS_STATUS_SUCCESS;
}

#define VX_BLAS_SETTING(NAME, SUFFIX, TYPE, MEMBER, ISVALID)                                       \
  cublasStatus_t cublasSet##NAME##SUFFIX(cublasHandle_t handle, TYPE value) {                      \
    VX_BLAS_CHECK(handle, ISVALID);                                                                \
    handle->MEMBER = value;                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  cublasStatus_t cublasGet##NAME##SUFFIX(cublasHandle_t handle, TYPE *value) {                     \
    VX_BLAS_CHECK(handle, value);                                                                  \
    *value = handle->MEMBER;                                                                       \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }
VX_BLAS_SETTING(Stream, _v2, cudaStream_t, stream, true)
VX_BLAS_SETTING(PointerMode, _v2, cublasPointerMode_t, pointerMode,
                value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
VX_BLAS_SETTING(AtomicsMode, , cublasAtomicsMode_t, atomicsMode,
                value == CUBLAS_ATOMICS_NOT_ALLOWED || value == CUBLAS_ATOMICS_ALLOWED)
VX_BLAS_SETTING(MathMode, , cublasMath_t, mathMode, isMathMode(value))

// Name, and what CUDA's documentation calls it.
#define VX_BLAS_STATUSES(ROW)                                                                      \
  ROW(CUBLAS_STATUS_SUCCESS, "success")                                                            \
  ROW(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized")                            \
  ROW(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed")                                \
  ROW(CUBLAS_STATUS_INVALID_VALUE, "an unsupported value or parameter was passed to the function") \
  ROW(CUBLAS_STATUS_ARCH_MISMATCH, "the device lacks a feature of the function")                   \
  ROW(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed")                         \
  ROW(CUBLAS_STATUS_EXECUTION_FAILED, "the GPU program failed to execute")                         \
  ROW(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed")                                \
  ROW(CUBLAS_STATUS_NOT_SUPPORTED, "the functionality is not supported")                           \
  ROW(CUBLAS_STATUS_LICENSE_ERROR, "a license is missing")

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define ROW(NAME, TEXT)                                                                            \
  case NAME:                                                                                       \
    return #NAME;
    VX_BLAS_STATUSES(ROW)
#undef ROW
  }
  return "unknown";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define ROW(NAME, TEXT)                                                                            \
  case NAME:                                                                                       \
    return TEXT;
    VX_BLAS_STATUSES(ROW)
#undef ROW
  }
  return "unknown";
}

} // extern "C"

/// A vector is a matrix of one row, whose columns have the distance of its elements.
static cublasStatus_t copyMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                                 int ldb, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  const size_t to = size_t(ldb) * size, from = size_t(lda) * size, width = size_t(rows) * size;
  cudaError_t error = async ? cudaMemcpy2DAsync(b, to, a, from, width, columns, kind, stream)
                            : cudaMemcpy2D(b, to, a, from, width, columns, kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

extern "C" {

#define VX_BLAS_COPIES(NAME, KIND)                                                                 \
  cublasStatus_t cublas##NAME##Vector(int n, int size, const void *x, int incx, void *y,           \
                                      int incy) {                                                  \
    return copyMatrix(1, n, size, x, incx, y, incy, KIND, nullptr, false);                         \
  }                                                                                                \
  cublasStatus_t cublas##NAME##VectorAsync(int n, int size, const void *x, int incx, void *y,      \
                                           int incy, cudaStream_t stream) {                        \
    return copyMatrix(1, n, size, x, incx, y, incy, KIND, stream, true);                           \
  }                                                                                                \
  cublasStatus_t cublas##NAME##Matrix(int rows, int columns, int size, const void *a, int lda,     \
                                      void *b, int ldb) {                                          \
    return copyMatrix(rows, columns, size, a, lda, b, ldb, KIND, nullptr, false);                  \
  }                                                                                                \
  cublasStatus_t cublas##NAME##MatrixAsync(int rows, int columns, int size, const void *a,         \
                                           int lda, void *b, int ldb, cudaStream_t stream) {       \
    return copyMatrix(rows, columns, size, a, lda, b, ldb, KIND, stream, true);                    \
  }
VX_BLAS_COPIES(Set, cudaMemcpyHostToDevice)
VX_BLAS_COPIES(Get, cudaMemcpyDeviceToHost)

} // extern "C"
