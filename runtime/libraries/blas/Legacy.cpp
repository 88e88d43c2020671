// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's legacy interface (cublas.h): each function calls that of today with one handle.

#include <cublas.h>

namespace {

cublasHandle_t handle;
cublasStatus_t firstError = CUBLAS_STATUS_SUCCESS;

void note(cublasStatus_t status) {
  if (firstError == CUBLAS_STATUS_SUCCESS)
    firstError = status;
}

// Letters of either case; others are values that the functions refuse.
cublasOperation_t operationOf(char letter) {
  switch (letter | 0x20) {
  case 'n':
    return CUBLAS_OP_N;
  case 't':
    return CUBLAS_OP_T;
  case 'c':
    return CUBLAS_OP_C;
  }
  return cublasOperation_t(99);
}
cublasFillMode_t triangleOf(char letter) {
  const char lower = letter | 0x20;
  return lower == 'l'   ? CUBLAS_FILL_MODE_LOWER
         : lower == 'u' ? CUBLAS_FILL_MODE_UPPER
                        : CUBLAS_FILL_MODE_FULL;
}
cublasDiagType_t diagonalOf(char letter) {
  return (letter | 0x20) == 'u' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}
cublasSideMode_t sideOf(char letter) {
  const char lower = letter | 0x20;
  return lower == 'l' ? CUBLAS_SIDE_LEFT : lower == 'r' ? CUBLAS_SIDE_RIGHT : cublasSideMode_t(99);
}

/// The result of FUNCTION, the last of whose parameters is where it goes.
template <class Result, class Function, class... Arguments>
Result resultOf(Function function, Arguments... arguments) {
  Result result{};
  note(function(handle, arguments..., &result));
  return result;
}

} // namespace

extern "C" {

cublasStatus_t cublasInit(void) {
  return handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&handle);
}
cublasStatus_t cublasShutdown(void) {
  const cublasHandle_t old = handle;
  handle = nullptr;
  return cublasDestroy_v2(old);
}
cublasStatus_t cublasGetError(void) {
  const cublasStatus_t error = firstError;
  firstError = CUBLAS_STATUS_SUCCESS;
  return error;
}
cublasStatus_t cublasGetVersion(int *version) {
  return cublasGetVersion_v2(handle, version);
}
cublasStatus_t cublasAlloc(int n, int size, void **pointer) {
  if (n <= 0 || size <= 0 || !pointer)
    return CUBLAS_STATUS_INVALID_VALUE;
  return cudaMalloc(pointer, size_t(n) * size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                              : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasFree(void *pointer) {
  return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream_v2(handle, stream);
}

#define VX_BLAS_LEGACY(P, SUM, INDEX, T, R)                                                        \
  void cublas##P##axpy(int n, T alpha, const T *x, int incx, T *y, int incy) {                     \
    note(cublas##P##axpy_v2(handle, n, &alpha, x, incx, y, incy));                                 \
  }                                                                                                \
  void cublas##P##copy(int n, const T *x, int incx, T *y, int incy) {                              \
    note(cublas##P##copy_v2(handle, n, x, incx, y, incy));                                         \
  }                                                                                                \
  void cublas##P##swap(int n, T *x, int incx, T *y, int incy) {                                    \
    note(cublas##P##swap_v2(handle, n, x, incx, y, incy));                                         \
  }                                                                                                \
  void cublas##P##scal(int n, T alpha, T *x, int incx) {                                           \
    note(cublas##P##scal_v2(handle, n, &alpha, x, incx));                                          \
  }                                                                                                \
  R cublas##SUM##nrm2(int n, const T *x, int incx) {                                               \
    return resultOf<R>(cublas##SUM##nrm2_v2, n, x, incx);                                          \
  }                                                                                                \
  R cublas##SUM##asum(int n, const T *x, int incx) {                                               \
    return resultOf<R>(cublas##SUM##asum_v2, n, x, incx);                                          \
  }                                                                                                \
  int cublas##INDEX##amax(int n, const T *x, int incx) {                                           \
    return resultOf<int>(cublas##INDEX##amax_v2, n, x, incx);                                      \
  }                                                                                                \
  int cublas##INDEX##amin(int n, const T *x, int incx) {                                           \
    return resultOf<int>(cublas##INDEX##amin_v2, n, x, incx);                                      \
  }                                                                                                \
  void cublas##P##gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x,         \
                       int incx, T beta, T *y, int incy) {                                         \
    note(cublas##P##gemv_v2(handle, operationOf(trans), m, n, &alpha, a, lda, x, incx, &beta, y,   \
                            incy));                                                                \
  }                                                                                                \
  void cublas##P##trsv(char uplo, char trans, char diag, int n, const T *a, int lda, T *x,         \
                       int incx) {                                                                 \
    note(cublas##P##trsv_v2(handle, triangleOf(uplo), operationOf(trans), diagonalOf(diag), n, a,  \
                            lda, x, incx));                                                        \
  }                                                                                                \
  void cublas##P##trmv(char uplo, char trans, char diag, int n, const T *a, int lda, T *x,         \
                       int incx) {                                                                 \
    note(cublas##P##trmv_v2(handle, triangleOf(uplo), operationOf(trans), diagonalOf(diag), n, a,  \
                            lda, x, incx));                                                        \
  }                                                                                                \
  void cublas##P##gemm(char transA, char transB, int m, int n, int k, T alpha, const T *a,         \
                       int lda, const T *b, int ldb, T beta, T *c, int ldc) {                      \
    note(cublas##P##gemm_v2(handle, operationOf(transA), operationOf(transB), m, n, k, &alpha, a,  \
                            lda, b, ldb, &beta, c, ldc));                                          \
  }                                                                                                \
  void cublas##P##symm(char side, char uplo, int m, int n, T alpha, const T *a, int lda,           \
                       const T *b, int ldb, T beta, T *c, int ldc) {                               \
    note(cublas##P##symm_v2(handle, sideOf(side), triangleOf(uplo), m, n, &alpha, a, lda, b, ldb,  \
                            &beta, c, ldc));                                                       \
  }                                                                                                \
  void cublas##P##syrk(char uplo, char trans, int n, int k, T alpha, const T *a, int lda, T beta,  \
                       T *c, int ldc) {                                                            \
    note(cublas##P##syrk_v2(handle, triangleOf(uplo), operationOf(trans), n, k, &alpha, a, lda,    \
                            &beta, c, ldc));                                                       \
  }                                                                                                \
  void cublas##P##trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha,         \
                       const T *a, int lda, T *b, int ldb) {                                       \
    note(cublas##P##trmm_v2(handle, sideOf(side), triangleOf(uplo), operationOf(trans),            \
                            diagonalOf(diag), m, n, &alpha, a, lda, b, ldb, b, ldb));              \
  }                                                                                                \
  void cublas##P##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha,         \
                       const T *a, int lda, T *b, int ldb) {                                       \
    note(cublas##P##trsm_v2(handle, sideOf(side), triangleOf(uplo), operationOf(trans),            \
                            diagonalOf(diag), m, n, &alpha, a, lda, b, ldb));                      \
  }
VX_BLAS_LEGACY(S, S, Is, float, float)
VX_BLAS_LEGACY(D, D, Id, double, double)
VX_BLAS_LEGACY(C, Sc, Ic, cuComplex, float)
VX_BLAS_LEGACY(Z, Dz, Iz, cuDoubleComplex, double)

#define VX_BLAS_LEGACY_DOT(NAME, T)                                                                \
  T cublas##NAME(int n, const T *x, int incx, const T *y, int incy) {                              \
    return resultOf<T>(cublas##NAME##_v2, n, x, incx, y, incy);                                    \
  }
VX_BLAS_LEGACY_DOT(Sdot, float)
VX_BLAS_LEGACY_DOT(Ddot, double)
VX_BLAS_LEGACY_DOT(Cdotu, cuComplex)
VX_BLAS_LEGACY_DOT(Cdotc, cuComplex)
VX_BLAS_LEGACY_DOT(Zdotu, cuDoubleComplex)
VX_BLAS_LEGACY_DOT(Zdotc, cuDoubleComplex)

void cublasSger(int m, int n, float alpha, const float *x, int incx, const float *y, int incy,
                float *a, int lda) {
  note(cublasSger_v2(handle, m, n, &alpha, x, incx, y, incy, a, lda));
}
void cublasDger(int m, int n, double alpha, const double *x, int incx, const double *y, int incy,
                double *a, int lda) {
  note(cublasDger_v2(handle, m, n, &alpha, x, incx, y, incy, a, lda));
}

} // extern "C"
