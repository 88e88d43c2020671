// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's types and functions, for C and C++; the library is libcublas. Programs include
// cublas_v2.h.

// Programs look whether these guards are defined, here and in the other headers of these libraries.
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "library_types.h"
#include <stddef.h>
#include <stdint.h>

#define CUBLASAPI
#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 3
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VER_BUILD 1
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;

typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;

typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;

typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;

typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;

typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

// There is one algorithm; the others are accepted for it.
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;

typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *a, int lda, void *b,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
                                    void *b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *a, int lda,
                                    void *b, int ldb, cudaStream_t stream);

#define VX_BLAS_DECLARE(PREFIX, NAME, SUFFIX, PARAMETERS)                                          \
  cublasStatus_t cublas##PREFIX##NAME##SUFFIX PARAMETERS;
#define VX_BLAS_FUNCTION(PREFIX, NAME, SUFFIX, PARAMETERS, ARGUMENTS)                              \
  VX_BLAS_DECLARE(PREFIX, NAME, SUFFIX, PARAMETERS)
#define VX_BLAS_LEVEL "vx/blas/level1.def"
#include "vx/blas/rows.h"
#define VX_BLAS_LEVEL "vx/blas/level2.def"
#include "vx/blas/rows.h"
#define VX_BLAS_LEVEL "vx/blas/level3.def"
#include "vx/blas/rows.h"
#undef VX_BLAS_FUNCTION
#undef VX_BLAS_DECLARE

// Products of half precision, and of types that are given as arguments.
#if defined(__cplusplus)
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transA,
                           cublasOperation_t transB, int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb, const __half *beta,
                           __half *c, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transA,
                                  cublasOperation_t transB, int m, int n, int k,
                                  const __half *alpha, const __half *const a[], int lda,
                                  const __half *const b[], int ldb, const __half *beta,
                                  __half *const c[], int ldc, int batchCount);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transA,
                                         cublasOperation_t transB, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long strideA, const __half *b, int ldb,
                                         long long strideB, const __half *beta, __half *c, int ldc,
                                         long long strideC, int batchCount);
#endif
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transA,
                             cublasOperation_t transB, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType typeA, int lda, const void *b,
                             cudaDataType typeB, int ldb, const float *beta, void *c,
                             cudaDataType typeC, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transA,
                            cublasOperation_t transB, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType typeA, int lda, const void *b,
                            cudaDataType typeB, int ldb, const void *beta, void *c,
                            cudaDataType typeC, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transA,
                                   cublasOperation_t transB, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType typeA, int lda,
                                   const void *const b[], cudaDataType typeB, int ldb,
                                   const void *beta, void *const c[], cudaDataType typeC, int ldc,
                                   int batchCount, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transA,
                                          cublasOperation_t transB, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType typeA,
                                          int lda, long long strideA, const void *b,
                                          cudaDataType typeB, int ldb, long long strideB,
                                          const void *beta, void *c, cudaDataType typeC, int ldc,
                                          long long strideC, int batchCount,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                           int incx, const void *y, cudaDataType yType, int incy, void *result,
                           cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, const void *y, cudaDataType yType, int incy, void *result,
                            cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, void *result, cudaDataType resultType,
                            cudaDataType executionType);
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            const void *x, cudaDataType xType, int incx, void *y,
                            cudaDataType yType, int incy, cudaDataType executionType);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            void *x, cudaDataType xType, int incx, cudaDataType executionType);

#if defined(__cplusplus)
}

// Before CUDA 11 the type that is computed in was a data type.

/// The compute type of a data type, pedantic if the handle's math mode is.
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType type,
                                                      cublasComputeType_t *compute) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  cublasStatus_t status = cublasGetMathMode(handle, &mode);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  switch (type) {
  case CUDA_R_16F:
    *compute = CUBLAS_COMPUTE_16F;
    break;
  case CUDA_R_32F:
  case CUDA_C_32F:
    *compute = CUBLAS_COMPUTE_32F;
    break;
  case CUDA_R_64F:
  case CUDA_C_64F:
    *compute = CUBLAS_COMPUTE_64F;
    break;
  case CUDA_R_32I:
    *compute = CUBLAS_COMPUTE_32I;
    break;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if ((mode & 0xf) == CUBLAS_PEDANTIC_MATH) // the next enumerator of each
    *compute = static_cast<cublasComputeType_t>(*compute + 1);
  return CUBLAS_STATUS_SUCCESS;
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transA,
                                          cublasOperation_t transB, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType typeA,
                                          int lda, const void *b, cudaDataType typeB, int ldb,
                                          const void *beta, void *c, cudaDataType typeC, int ldc,
                                          cudaDataType computed, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute;
  cublasStatus_t status = cublasMigrateComputeType(handle, computed, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmEx(handle, transA, transB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb,
                            beta, c, typeC, ldc, compute, algorithm);
}
static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB,
                    int m, int n, int k, const void *alpha, const void *const a[],
                    cudaDataType typeA, int lda, const void *const b[], cudaDataType typeB, int ldb,
                    const void *beta, void *const c[], cudaDataType typeC, int ldc, int batchCount,
                    cudaDataType computed, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute;
  cublasStatus_t status = cublasMigrateComputeType(handle, computed, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmBatchedEx(handle, transA, transB, m, n, k, alpha, a, typeA, lda, b, typeB,
                                   ldb, beta, c, typeC, ldc, batchCount, compute, algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType typeA, int lda, long long strideA, const void *b,
    cudaDataType typeB, int ldb, long long strideB, const void *beta, void *c, cudaDataType typeC,
    int ldc, long long strideC, int batchCount, cudaDataType computed, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute;
  cublasStatus_t status = cublasMigrateComputeType(handle, computed, &compute);
  return status != CUBLAS_STATUS_SUCCESS
             ? status
             : cublasGemmStridedBatchedEx(handle, transA, transB, m, n, k, alpha, a, typeA, lda,
                                          strideA, b, typeB, ldb, strideB, beta, c, typeC, ldc,
                                          strideC, batchCount, compute, algorithm);
}
#endif

#endif // CUBLAS_API_H_
