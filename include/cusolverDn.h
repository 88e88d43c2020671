// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's dense functions, for C and C++; the library is libcusolver. Work areas are asked for,
// and not used: the library has its own.

#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cuda_runtime_api.h"
#include "cusolver_common.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
// Results are always the same: both modes are.
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t *mode);

// Nothing is logged: levels, masks and callbacks are accepted.
typedef void (*cusolverDnLoggerCallback_t)(int level, const char *function, const char *message);
cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback);
cusolverStatus_t cusolverDnLoggerSetFile(FILE *file);
cusolverStatus_t cusolverDnLoggerOpenFile(const char *file);
cusolverStatus_t cusolverDnLoggerSetLevel(int level);
cusolverStatus_t cusolverDnLoggerSetMask(int mask);
cusolverStatus_t cusolverDnLoggerForceDisable(void);

// Parameters of the methods of Jacobi.
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sorts);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info,
                                             double *residual);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info,
                                           int *sweeps);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sorts);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                              double *residual);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                            int *sweeps);

// Functions with sizes of 64 bits, whose types are arguments.
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, cudaDataType computeType, void *deviceWork,
                                  size_t deviceBytes, void *hostWork, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  int64_t *pivots, cudaDataType computeType, void *deviceWork,
                                  size_t deviceBytes, void *hostWork, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType typeB, void *b, int64_t ldb,
                                  int *info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType typeTau,
                                             const void *tau, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeTau, void *tau, cudaDataType computeType,
                                  void *deviceWork, size_t deviceBytes, void *hostWork,
                                  size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType typeW, const void *w,
                                             cudaDataType computeType, size_t *deviceBytes,
                                             size_t *hostBytes);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeW,
                                  void *w, cudaDataType computeType, void *deviceWork,
                                  size_t deviceBytes, void *hostWork, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt,
    int64_t m, int64_t n, cudaDataType typeA, const void *a, int64_t lda, cudaDataType typeS,
    const void *s, cudaDataType typeU, const void *u, int64_t ldu, cudaDataType typeVt,
    const void *vt, int64_t ldvt, cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeS,
                                  void *s, cudaDataType typeU, void *u, int64_t ldu,
                                  cudaDataType typeVt, void *vt, int64_t ldvt,
                                  cudaDataType computeType, void *deviceWork, size_t deviceBytes,
                                  void *hostWork, size_t hostBytes, int *info);

#define VX_SOLVER_FUNCTION(NAME, TEMPLATE, PARAMETERS, ARGUMENTS)                                  \
  VX_SOLVER_DECLARE(VX_SOLVER_LETTER, NAME, PARAMETERS)
#define VX_SOLVER_DECLARE(LETTER, NAME, PARAMETERS) VX_SOLVER_DECLARE_(LETTER, NAME, PARAMETERS)
#define VX_SOLVER_DECLARE_(LETTER, NAME, PARAMETERS)                                               \
  cusolverStatus_t cusolverDn##LETTER##NAME PARAMETERS;
#define VX_SOLVER_ROWS "vx/solver/linear.def"
#include "vx/solver/rows.h"
#define VX_SOLVER_ROWS "vx/solver/orthogonal.def"
#include "vx/solver/rows.h"
#define VX_SOLVER_ROWS "vx/solver/singular.def"
#include "vx/solver/rows.h"
#define VX_SOLVER_ROWS "vx/solver/eigenvalues.def"
#include "vx/solver/rows.h"
#undef VX_SOLVER_FUNCTION
#undef VX_SOLVER_DECLARE
#undef VX_SOLVER_DECLARE_

#if defined(__cplusplus)
}
#endif

#endif // CUSOLVERDN_H_
