// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASXt: level 3 of BLAS for matrices in memory of the host, computed by several devices.

#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;

typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtGetNumBoards(int deviceCount, int devices[], int *boards);
cublasStatus_t cublasXtMaxBoards(int *boards);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int deviceCount, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                                     cublasXtOpType_t type, void *routine);
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                                   cublasXtOpType_t type, float ratio);

#define VX_BLAS_DECLARE(PREFIX, NAME, PARAMETERS) cublasStatus_t cublasXt##PREFIX##NAME PARAMETERS;
#define VX_BLAS_XT(PREFIX, NAME, FUNCTION, PARAMETERS, ARGUMENTS)                                  \
  VX_BLAS_DECLARE(PREFIX, NAME, PARAMETERS)
#define VX_BLAS_LEVEL "vx/blas/xt.def"
#include "vx/blas/rows.h"
#undef VX_BLAS_XT
#undef VX_BLAS_DECLARE

#if defined(__cplusplus)
}
#endif

#endif // CUBLAS_XT_H_
