// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 3: what is a product of matrices is one kernel (Gemm.h).

#include "Gemm.h"
#include "Handle.h"
#include "Level3Kernels.h"
#include <algorithm>

namespace vx::blas {

template <class T> Factor<T> factorOf(const T *data, int step, cublasOperation_t trans) {
  Factor<T> factor;
  factor.batch.first = data;
  factor.rowStep = trans == CUBLAS_OP_N ? 1 : step;
  factor.columnStep = trans == CUBLAS_OP_N ? step : 1;
  factor.conjugated = trans == CUBLAS_OP_C;
  return factor;
}

/// A factor that is read through a view.
template <class T>
Factor<T> structuredFactor(const T *data, int step, Structure structure, cublasFillMode_t uplo,
                           cublasOperation_t trans = CUBLAS_OP_N,
                           cublasDiagType_t diag = CUBLAS_DIAG_NON_UNIT) {
  Factor<T> factor;
  factor.batch.first = data;
  factor.structured = true;
  factor.view.step = step;
  factor.view.structure = structure;
  factor.view.lower = uplo == CUBLAS_FILL_MODE_LOWER;
  factor.view.unitDiagonal = diag == CUBLAS_DIAG_UNIT;
  factor.view.transposed = trans == CUBLAS_OP_T || trans == CUBLAS_OP_C;
  factor.view.conjugated = trans == CUBLAS_OP_C;
  return factor;
}

static bool isSide(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
static cublasOperation_t transposeOf(cublasOperation_t trans, bool hermitian) {
  return trans != CUBLAS_OP_N ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
}

template <class T>
cublasStatus_t run(cublasHandle_t handle, const Product<T, T> &product, Scalar<T> alpha,
                   Scalar<T> beta, bool structured, int batches = 1) {
  if (product.rows == 0 || product.columns == 0 || batches == 0)
    return CUBLAS_STATUS_SUCCESS;
  return statusOf(
      structured ? launchProduct<T, T, T, true>(product, alpha, beta, batches, handle->stream)
                 : launchProduct<T, T, T, false>(product, alpha, beta, batches, handle->stream));
}

/// Returns true if the leading dimensions of a product fit its sizes.
static bool fits(cublasOperation_t transA, cublasOperation_t transB, int m, int n, int k, int lda,
                 int ldb, int ldc) {
  return isOperation(transA) && isOperation(transB) && m >= 0 && n >= 0 && k >= 0 &&
         lda >= std::max(1, transA == CUBLAS_OP_N ? m : k) &&
         ldb >= std::max(1, transB == CUBLAS_OP_N ? k : n) && ldc >= std::max(1, m);
}

template <class T>
Product<T, T> productOf(cublasOperation_t transA, cublasOperation_t transB, int m, int n, int k,
                        const T *a, int lda, const T *b, int ldb, T *c, int ldc) {
  Product<T, T> product;
  product.rows = m;
  product.columns = n;
  product.inner = k;
  product.a = factorOf(a, lda, transA);
  product.b = factorOf(b, ldb, transB);
  product.c.first = c;
  product.step = ldc;
  return product;
}

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB,
                    int m, int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb,
                    const T *beta, T *c, int ldc) {
  VX_BLAS_CHECK(handle, fits(transA, transB, m, n, k, lda, ldb, ldc) && alpha && beta);
  return run(handle, productOf(transA, transB, m, n, k, a, lda, b, ldb, c, ldc),
             scalarOf(handle, alpha), scalarOf(handle, beta), false);
}
template <class... Arguments> cublasStatus_t gemm3m(Arguments... arguments) {
  return gemm(arguments...);
}

template <class T>
cublasStatus_t gemmStridedBatched(cublasHandle_t handle, cublasOperation_t transA,
                                  cublasOperation_t transB, int m, int n, int k, const T *alpha,
                                  const T *a, int lda, long long strideA, const T *b, int ldb,
                                  long long strideB, const T *beta, T *c, int ldc,
                                  long long strideC, int batchCount) {
  VX_BLAS_CHECK(handle,
                fits(transA, transB, m, n, k, lda, ldb, ldc) && alpha && beta && batchCount >= 0);
  Product<T, T> product = productOf(transA, transB, m, n, k, a, lda, b, ldb, c, ldc);
  product.a.batch.distance = strideA;
  product.b.batch.distance = strideB;
  product.c.distance = strideC;
  return run(handle, product, scalarOf(handle, alpha), scalarOf(handle, beta), false, batchCount);
}

template <class T>
cublasStatus_t gemmBatched(cublasHandle_t handle, cublasOperation_t transA,
                           cublasOperation_t transB, int m, int n, int k, const T *alpha,
                           const T *const *a, int lda, const T *const *b, int ldb, const T *beta,
                           T *const *c, int ldc, int batchCount) {
  VX_BLAS_CHECK(handle,
                fits(transA, transB, m, n, k, lda, ldb, ldc) && alpha && beta && batchCount >= 0);
  const T *none = nullptr;
  Product<T, T> product = productOf<T>(transA, transB, m, n, k, none, lda, none, ldb, nullptr, ldc);
  product.a.batch.array = a;
  product.b.batch.array = b;
  product.c.array = c;
  return run(handle, product, scalarOf(handle, alpha), scalarOf(handle, beta), false, batchCount);
}

/// C = alpha A B + beta C or alpha B A + beta C, of a matrix A of which one triangle is stored.
template <class T>
cublasStatus_t multiplyStructured(cublasHandle_t handle, cublasSideMode_t side, const Factor<T> &a,
                                  int m, int n, const T *alpha, const T *b, int ldb, Scalar<T> beta,
                                  T *c, int ldc) {
  Product<T, T> product;
  product.rows = m;
  product.columns = n;
  product.inner = side == CUBLAS_SIDE_LEFT ? m : n;
  product.a = side == CUBLAS_SIDE_LEFT ? a : factorOf(b, ldb, CUBLAS_OP_N);
  product.b = side == CUBLAS_SIDE_LEFT ? factorOf(b, ldb, CUBLAS_OP_N) : a;
  product.c.first = c;
  product.step = ldc;
  return run(handle, product, scalarOf(handle, alpha), beta, true);
}

template <class T>
cublasStatus_t symmetric(cublasHandle_t handle, Structure structure, cublasSideMode_t side,
                         cublasFillMode_t uplo, int m, int n, const T *alpha, const T *a, int lda,
                         const T *b, int ldb, const T *beta, T *c, int ldc) {
  VX_BLAS_CHECK(handle, isSide(side) && isTriangle(uplo) && m >= 0 && n >= 0 && alpha && beta &&
                            lda >= std::max(1, side == CUBLAS_SIDE_LEFT ? m : n) &&
                            ldb >= std::max(1, m) && ldc >= std::max(1, m));
  return multiplyStructured(handle, side, structuredFactor(a, lda, structure, uplo), m, n, alpha, b,
                            ldb, scalarOf(handle, beta), c, ldc);
}
template <class... Arguments> cublasStatus_t symm(cublasHandle_t handle, Arguments... arguments) {
  return symmetric(handle, Structure::Symmetric, arguments...);
}
template <class... Arguments> cublasStatus_t hemm(cublasHandle_t handle, Arguments... arguments) {
  return symmetric(handle, Structure::Hermitian, arguments...);
}

/// One triangle of C = alpha op(A) op(B)' + beta C; the prime is the conjugate transpose or, where
/// C is symmetric, the transpose.
template <class T>
cublasStatus_t updateTriangle(cublasHandle_t handle, bool hermitian, cublasFillMode_t uplo,
                              cublasOperation_t trans, int n, int k, Scalar<T> alpha, const T *a,
                              int lda, const T *b, int ldb, Scalar<T> beta, T *c, int ldc) {
  const int rows = std::max(1, trans == CUBLAS_OP_N ? n : k);
  VX_BLAS_CHECK(handle, isTriangle(uplo) && isOperation(trans) && n >= 0 && k >= 0 && lda >= rows &&
                            ldb >= rows && ldc >= std::max(1, n));
  Product<T, T> product =
      productOf(trans, transposeOf(trans, hermitian), n, n, k, a, lda, b, ldb, c, ldc);
  product.part = uplo == CUBLAS_FILL_MODE_LOWER ? Part::Lower : Part::Upper;
  product.realDiagonal = hermitian;
  return run(handle, product, alpha, beta, true);
}

/// The two products of syr2k and her2k, one after the other.
template <class T>
cublasStatus_t updateTwice(cublasHandle_t handle, bool hermitian, cublasFillMode_t uplo,
                           cublasOperation_t trans, int n, int k, Scalar<T> alpha, const T *a,
                           int lda, const T *b, int ldb, Scalar<T> beta, T *c, int ldc) {
  cublasStatus_t status =
      updateTriangle(handle, hermitian, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  alpha.conjugated = hermitian;
  return updateTriangle(handle, hermitian, uplo, trans, n, k, alpha, b, ldb, a, lda, scalarOf(T(1)),
                        c, ldc);
}

template <class T>
cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                    int k, const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc) {
  VX_BLAS_CHECK(handle, alpha && beta);
  return updateTriangle(handle, false, uplo, trans, n, k, scalarOf(handle, alpha), a, lda, a, lda,
                        scalarOf(handle, beta), c, ldc);
}
template <class T>
cublasStatus_t syrkx(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                     int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta,
                     T *c, int ldc) {
  VX_BLAS_CHECK(handle, alpha && beta);
  return updateTriangle(handle, false, uplo, trans, n, k, scalarOf(handle, alpha), a, lda, b, ldb,
                        scalarOf(handle, beta), c, ldc);
}
template <class T>
cublasStatus_t syr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                     int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta,
                     T *c, int ldc) {
  VX_BLAS_CHECK(handle, alpha && beta);
  return updateTwice(handle, false, uplo, trans, n, k, scalarOf(handle, alpha), a, lda, b, ldb,
                     scalarOf(handle, beta), c, ldc);
}
template <class T>
cublasStatus_t herk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                    int k, const RealOf<T> *alpha, const T *a, int lda, const RealOf<T> *beta, T *c,
                    int ldc) {
  VX_BLAS_CHECK(handle, alpha && beta);
  return updateTriangle(handle, true, uplo, trans, n, k, realScalarOf<T>(handle, alpha), a, lda, a,
                        lda, realScalarOf<T>(handle, beta), c, ldc);
}
template <class T>
cublasStatus_t herkx(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                     int k, const T *alpha, const T *a, int lda, const T *b, int ldb,
                     const RealOf<T> *beta, T *c, int ldc) {
  VX_BLAS_CHECK(handle, alpha && beta);
  return updateTriangle(handle, true, uplo, trans, n, k, scalarOf(handle, alpha), a, lda, b, ldb,
                        realScalarOf<T>(handle, beta), c, ldc);
}
template <class T>
cublasStatus_t her2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                     int k, const T *alpha, const T *a, int lda, const T *b, int ldb,
                     const RealOf<T> *beta, T *c, int ldc) {
  VX_BLAS_CHECK(handle, alpha && beta);
  return updateTwice(handle, true, uplo, trans, n, k, scalarOf(handle, alpha), a, lda, b, ldb,
                     realScalarOf<T>(handle, beta), c, ldc);
}

template <class T>
cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,
                    const T *a, int lda, const T *b, int ldb, T *c, int ldc) {
  VX_BLAS_CHECK(handle, isSide(side) && isTriangle(uplo) && isOperation(trans) &&
                            isDiagonal(diag) && m >= 0 && n >= 0 && alpha &&
                            lda >= std::max(1, side == CUBLAS_SIDE_LEFT ? m : n) &&
                            ldb >= std::max(1, m) && ldc >= std::max(1, m));
  const Factor<T> factor = structuredFactor(a, lda, Structure::Triangular, uplo, trans, diag);
  if (b != c)
    return multiplyStructured(handle, side, factor, m, n, alpha, b, ldb, scalarOf(T(0)), c, ldc);
  // In place: of a copy of B.
  Temporary<T> copy(handle, size_t(m) * n);
  if (!copy)
    return CUBLAS_STATUS_ALLOC_FAILED;
  cudaError_t error = cudaMemcpy2DAsync(copy, m * sizeof(T), b, ldb * sizeof(T), m * sizeof(T), n,
                                        cudaMemcpyDeviceToDevice, handle->stream);
  if (error != cudaSuccess)
    return statusOf(error);
  return multiplyStructured<T>(handle, side, factor, m, n, alpha, copy, m, scalarOf(T(0)), c, ldc);
}

/// Launches one thread for each of COUNT things of each of BATCHES.
template <class... Parameters, class... Arguments>
cublasStatus_t launchThreads(cublasHandle_t handle, void (*kernel)(Parameters...), int count,
                             int batches, const Arguments &...arguments) {
  if (count == 0 || batches == 0)
    return CUBLAS_STATUS_SUCCESS;
  constexpr int threads = 16;
  kernel<<<dim3((count + threads - 1) / threads, batches), threads, 0, handle->stream>>>(
      arguments...);
  return statusOf(cudaGetLastError());
}

template <class T>
cublasStatus_t solve(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                     cublasOperation_t trans, cublasDiagType_t diag, int m, int n, Scalar<T> alpha,
                     Batch<const T> a, int lda, Batch<T> b, int ldb, int batches) {
  VX_BLAS_CHECK(handle, isSide(side) && isTriangle(uplo) && isOperation(trans) &&
                            isDiagonal(diag) && m >= 0 && n >= 0 && batches >= 0 &&
                            ldb >= std::max(1, m) &&
                            lda >= std::max(1, side == CUBLAS_SIDE_LEFT ? m : n));
  TriangularSystems<T> systems;
  systems.view = structuredFactor<T>(nullptr, lda, Structure::Triangular, uplo, trans, diag).view;
  // X op(A) = B is the transpose of op(A)' X' = B'.
  const bool left = side == CUBLAS_SIDE_LEFT;
  systems.view.transposed ^= !left;
  systems.size = left ? m : n;
  systems.count = left ? n : m;
  systems.step = left ? 1 : ldb;
  systems.distance = left ? ldb : 1;
  return launchThreads(handle, solveTriangular<T>, systems.count, batches, systems, alpha, a, b);
}

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,
                    const T *a, int lda, T *b, int ldb) {
  VX_BLAS_CHECK(handle, alpha);
  return solve(handle, side, uplo, trans, diag, m, n, scalarOf(handle, alpha), Batch<const T>{a},
               lda, Batch<T>{b}, ldb, 1);
}
template <class T>
cublasStatus_t trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const T *alpha, const T *const *a, int lda, T *const *b, int ldb,
                           int batchCount) {
  VX_BLAS_CHECK(handle, alpha);
  return solve(handle, side, uplo, trans, diag, m, n, scalarOf(handle, alpha),
               Batch<const T>{nullptr, 0, a}, lda, Batch<T>{nullptr, 0, b}, ldb, batchCount);
}

template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB,
                    int m, int n, const T *alpha, const T *a, int lda, const T *beta, const T *b,
                    int ldb, T *c, int ldc) {
  VX_BLAS_CHECK(handle, isOperation(transA) && isOperation(transB) && m >= 0 && n >= 0 && alpha &&
                            beta && lda >= std::max(1, transA == CUBLAS_OP_N ? m : n) &&
                            ldb >= std::max(1, transB == CUBLAS_OP_N ? m : n) &&
                            ldc >= std::max(1, m));
  // In place, a matrix is read where it is written.
  VX_BLAS_CHECK(handle, (c != a || (lda == ldc && transA == CUBLAS_OP_N)) &&
                            (c != b || (ldb == ldc && transB == CUBLAS_OP_N)));
  return launchThreads(handle, addMatrices<T>, m, n, m, scalarOf(handle, alpha),
                       factorOf(a, lda, transA), scalarOf(handle, beta), factorOf(b, ldb, transB),
                       c, ldc);
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *a, int lda,
                    const T *x, int incx, T *c, int ldc) {
  VX_BLAS_CHECK(handle,
                isSide(side) && m >= 0 && n >= 0 && lda >= std::max(1, m) && ldc >= std::max(1, m));
  const bool left = side == CUBLAS_SIDE_LEFT;
  return launchThreads(handle, scaleByDiagonal<T>, m, n, m, left, a, lda,
                       Vector<const T>(x, left ? m : n, incx), c, ldc);
}

} // namespace vx::blas

#include "Factorizations.h"

#define VX_BLAS_LEVEL "vx/blas/level3.def"
#include "vx/blas/rows.h"
