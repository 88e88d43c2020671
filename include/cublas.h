// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's former interface: one handle of the library's own, letters for operations, scalars by
// value. What it has are the functions that old programs use most.

#ifndef CUBLAS_H_
#define CUBLAS_H_

#if defined(CUBLAS_V2_H_)
#error "cublas.h and cublas_v2.h declare functions of the same names: include one of them"
#endif

#include "cublas_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define cublasStatus cublasStatus_t

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/// The first error since the last call.
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int *version);
cublasStatus cublasAlloc(int n, int size, void **pointer);
cublasStatus cublasFree(void *pointer);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

// Of one type T, whose parts are of type R. SUM and INDEX are the letters of functions with such
// results.
#define VX_BLAS_LEGACY(P, SUM, INDEX, T, R)                                                        \
  void cublas##P##axpy(int n, T alpha, const T *x, int incx, T *y, int incy);                      \
  void cublas##P##copy(int n, const T *x, int incx, T *y, int incy);                               \
  void cublas##P##swap(int n, T *x, int incx, T *y, int incy);                                     \
  void cublas##P##scal(int n, T alpha, T *x, int incx);                                            \
  R cublas##SUM##nrm2(int n, const T *x, int incx);                                                \
  R cublas##SUM##asum(int n, const T *x, int incx);                                                \
  int cublas##INDEX##amax(int n, const T *x, int incx);                                            \
  int cublas##INDEX##amin(int n, const T *x, int incx);                                            \
  void cublas##P##gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x,         \
                       int incx, T beta, T *y, int incy);                                          \
  void cublas##P##trsv(char uplo, char trans, char diag, int n, const T *a, int lda, T *x,         \
                       int incx);                                                                  \
  void cublas##P##trmv(char uplo, char trans, char diag, int n, const T *a, int lda, T *x,         \
                       int incx);                                                                  \
  void cublas##P##gemm(char transA, char transB, int m, int n, int k, T alpha, const T *a,         \
                       int lda, const T *b, int ldb, T beta, T *c, int ldc);                       \
  void cublas##P##symm(char side, char uplo, int m, int n, T alpha, const T *a, int lda,           \
                       const T *b, int ldb, T beta, T *c, int ldc);                                \
  void cublas##P##syrk(char uplo, char trans, int n, int k, T alpha, const T *a, int lda, T beta,  \
                       T *c, int ldc);                                                             \
  void cublas##P##trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha,         \
                       const T *a, int lda, T *b, int ldb);                                        \
  void cublas##P##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha,         \
                       const T *a, int lda, T *b, int ldb);
VX_BLAS_LEGACY(S, S, Is, float, float)
VX_BLAS_LEGACY(D, D, Id, double, double)
VX_BLAS_LEGACY(C, Sc, Ic, cuComplex, float)
VX_BLAS_LEGACY(Z, Dz, Iz, cuDoubleComplex, double)
#undef VX_BLAS_LEGACY

float cublasSdot(int n, const float *x, int incx, const float *y, int incy);
double cublasDdot(int n, const double *x, int incx, const double *y, int incy);
cuComplex cublasCdotu(int n, const cuComplex *x, int incx, const cuComplex *y, int incy);
cuComplex cublasCdotc(int n, const cuComplex *x, int incx, const cuComplex *y, int incy);
cuDoubleComplex cublasZdotu(int n, const cuDoubleComplex *x, int incx, const cuDoubleComplex *y,
                            int incy);
cuDoubleComplex cublasZdotc(int n, const cuDoubleComplex *x, int incx, const cuDoubleComplex *y,
                            int incy);
void cublasSger(int m, int n, float alpha, const float *x, int incx, const float *y, int incy,
                float *a, int lda);
void cublasDger(int m, int n, double alpha, const double *x, int incx, const double *y, int incy,
                double *a, int lda);

#if defined(__cplusplus)
}
#endif

#endif // CUBLAS_H_
