// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 2: matrices and vectors. All kinds of matrices go through views (View.h), so there
// are three kernels: a product, a triangular system, and an update of low rank.

#include "Handle.h"
#include "View.h"
#include <algorithm>

namespace vx::blas {

constexpr int kThreads = 16;

/// y = alpha A x + beta y; a thread for each row.
template <class T>
__global__ void multiplyVector(int rows, int columns, Scalar<T> alphas, View<T> a,
                               Vector<const T> x, Scalar<T> betas, Vector<T> y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  const T alpha = alphas.get(), beta = betas.get();
  T result(0);
  if (!(alpha == T(0))) {
    if (a.storage == Storage::Full && a.structure == Structure::General) {
      const long long step = a.transposed ? 1 : a.step;
      const T *from = a.data + (a.transposed ? (long long)i * a.step : i);
      for (int j = 0; j < columns; ++j)
        result += conjugateIf(a.conjugated, from[j * step]) * x[j];
    } else {
      for (int j = 0; j < columns; ++j)
        result += a.at(i, j) * x[j];
    }
    result = alpha * result;
  }
  if (!(beta == T(0)))
    result += beta * y[i];
  y[i] = result;
}

/// Solves A x = x for a triangular A, in one block: each step ends one unknown for all equations
/// after it.
template <class T> __global__ void solveVector(int n, View<T> a, Vector<T> x) {
  const bool forward = a.lower != a.transposed;
  for (int step = 0; step < n; ++step) {
    const int k = forward ? step : n - 1 - step;
    if (threadIdx.x == 0 && !a.unitDiagonal)
      x[k] = x[k] / a.at(k, k);
    __syncthreads();
    const T known = x[k];
    for (int later = step + 1 + threadIdx.x; later < n; later += kThreads) {
      const int i = forward ? later : n - 1 - later;
      x[i] -= a.at(i, k) * known;
    }
    __syncthreads();
  }
}

/// The matrix that an update of low rank adds: alpha x y', and for symmetric and Hermitian ones of
/// rank 2 its mirror.
template <class T> struct Update {
  Scalar<T> alpha;
  Vector<const T> x, y;
  bool conjugated; ///< y' is the conjugate transpose.
  bool mirrored;
};

/// A += the update, in the triangle that A's view has; a thread for each row, blockIdx.y for
/// columns.
template <class T> __global__ void addUpdate(int rows, View<T> a, T *data, Update<T> update) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= rows || (a.structure != Structure::General && (a.lower ? i < j : i > j)))
    return;
  const T alpha = update.alpha.get();
  const bool conjugated = update.conjugated;
  T &element = data[a.place(i, j)];
  T sum = element + alpha * update.x[i] * conjugateIf(conjugated, update.y[j]);
  if (update.mirrored)
    sum += conjugateIf(conjugated, alpha) * update.y[i] * conjugateIf(conjugated, update.x[j]);
  if (a.structure == Structure::Hermitian && i == j)
    sum = T(realPart(sum));
  element = sum;
}

template <class T> View<T> viewOf(const T *data, int step, cublasOperation_t trans = CUBLAS_OP_N) {
  View<T> view;
  view.data = data;
  view.step = step;
  view.transposed = trans != CUBLAS_OP_N;
  view.conjugated = trans == CUBLAS_OP_C;
  return view;
}
template <class T>
View<T> triangleOf(Structure structure, cublasFillMode_t uplo, const T *data, int step) {
  View<T> view = viewOf(data, step);
  view.structure = structure;
  view.lower = uplo == CUBLAS_FILL_MODE_LOWER;
  return view;
}
/// Returns the K diagonals next to the main one of a view that has a triangle.
template <class T> View<T> banded(View<T> view, int k) {
  view.storage = Storage::Band;
  view.below = view.lower ? k : 0;
  view.above = view.lower ? 0 : k;
  return view;
}
template <class T> View<T> packed(View<T> view, int n) {
  view.storage = Storage::Packed;
  view.size = n;
  return view;
}
static int blocksFor(int rows) {
  return (rows + kThreads - 1) / kThreads;
}

/// A times x, where A has M rows and N columns as it is stored.
template <class T>
cublasStatus_t product(cublasHandle_t handle, const View<T> &a, int m, int n, const T *alpha,
                       const T *x, int incx, const T *beta, T *y, int incy) {
  VX_BLAS_CHECK(handle, m >= 0 && n >= 0 && alpha && beta && incx != 0 && incy != 0);
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const int rows = a.transposed ? n : m, columns = a.transposed ? m : n;
  multiplyVector<T><<<blocksFor(rows), kThreads, 0, handle->stream>>>(
      rows, columns, scalarOf(handle, alpha), a, Vector<const T>(x, columns, incx),
      scalarOf(handle, beta), Vector<T>(y, rows, incy));
  return statusOf(cudaGetLastError());
}

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha,
                    const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) {
  VX_BLAS_CHECK(handle, isOperation(trans) && lda >= std::max(1, m));
  return product(handle, viewOf(a, lda, trans), m, n, alpha, x, incx, beta, y, incy);
}
template <class T>
cublasStatus_t gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku,
                    const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta, T *y,
                    int incy) {
  VX_BLAS_CHECK(handle, isOperation(trans) && kl >= 0 && ku >= 0 && lda > kl + ku);
  View<T> view = viewOf(a, lda, trans);
  view.storage = Storage::Band;
  view.below = kl;
  view.above = ku;
  return product(handle, view, m, n, alpha, x, incx, beta, y, incy);
}

// Symmetric and Hermitian matrices, in the three ways of storage.
#define VX_BLAS_TRIANGLE_PRODUCTS(FULL, BAND, PACKED, STRUCTURE)                                   \
  template <class T>                                                                               \
  cublasStatus_t FULL(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,         \
                      const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) {  \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && lda >= std::max(1, n));                              \
    return product(handle, triangleOf(STRUCTURE, uplo, a, lda), n, n, alpha, x, incx, beta, y,     \
                   incy);                                                                          \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t BAND(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k, const T *alpha,  \
                      const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) {  \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && k >= 0 && lda > k);                                  \
    return product(handle, banded(triangleOf(STRUCTURE, uplo, a, lda), k), n, n, alpha, x, incx,   \
                   beta, y, incy);                                                                 \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t PACKED(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,       \
                        const T *a, const T *x, int incx, const T *beta, T *y, int incy) {         \
    VX_BLAS_CHECK(handle, isTriangle(uplo));                                                       \
    return product(handle, packed(triangleOf(STRUCTURE, uplo, a, 0), n), n, n, alpha, x, incx,     \
                   beta, y, incy);                                                                 \
  }
VX_BLAS_TRIANGLE_PRODUCTS(symv, sbmv, spmv, Structure::Symmetric)
VX_BLAS_TRIANGLE_PRODUCTS(hemv, hbmv, hpmv, Structure::Hermitian)

/// x = A x for a triangular A, from a copy of x.
template <class T>
cublasStatus_t triangularProduct(cublasHandle_t handle, const View<T> &a, int n, T *x, int incx) {
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const size_t length = (n - 1) * size_t(std::abs(incx)) + 1;
  Temporary<T> copy(handle, length);
  if (!copy)
    return CUBLAS_STATUS_ALLOC_FAILED;
  cudaError_t error =
      cudaMemcpyAsync(copy, x, length * sizeof(T), cudaMemcpyDeviceToDevice, handle->stream);
  if (error != cudaSuccess)
    return statusOf(error);
  multiplyVector<T><<<blocksFor(n), kThreads, 0, handle->stream>>>(
      n, n, scalarOf(T(1)), a, Vector<const T>(copy, n, incx), scalarOf(T(0)),
      Vector<T>(x, n, incx));
  return statusOf(cudaGetLastError());
}
template <class T>
cublasStatus_t triangularSystem(cublasHandle_t handle, const View<T> &a, int n, T *x, int incx) {
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  solveVector<T><<<1, kThreads, 0, handle->stream>>>(n, a, Vector<T>(x, n, incx));
  return statusOf(cudaGetLastError());
}

template <class T>
View<T> triangularView(cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                       const T *a, int lda) {
  View<T> view = triangleOf(Structure::Triangular, uplo, a, lda);
  view.unitDiagonal = diag == CUBLAS_DIAG_UNIT;
  view.transposed = trans != CUBLAS_OP_N;
  view.conjugated = trans == CUBLAS_OP_C;
  return view;
}

// Products and systems of triangular matrices, in the three ways of storage.
#define VX_BLAS_TRIANGULAR(FULL, BAND, PACKED, OPERATION)                                          \
  template <class T>                                                                               \
  cublasStatus_t FULL(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,       \
                      cublasDiagType_t diag, int n, const T *a, int lda, T *x, int incx) {         \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && isOperation(trans) && isDiagonal(diag) && n >= 0 &&  \
                              incx != 0 && lda >= std::max(1, n));                                 \
    return OPERATION(handle, triangularView(uplo, trans, diag, a, lda), n, x, incx);               \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t BAND(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,       \
                      cublasDiagType_t diag, int n, int k, const T *a, int lda, T *x, int incx) {  \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && isOperation(trans) && isDiagonal(diag) && n >= 0 &&  \
                              incx != 0 && k >= 0 && lda > k);                                     \
    return OPERATION(handle, banded(triangularView(uplo, trans, diag, a, lda), k), n, x, incx);    \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t PACKED(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,     \
                        cublasDiagType_t diag, int n, const T *a, T *x, int incx) {                \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && isOperation(trans) && isDiagonal(diag) && n >= 0 &&  \
                              incx != 0);                                                          \
    return OPERATION(handle, packed(triangularView(uplo, trans, diag, a, 0), n), n, x, incx);      \
  }
VX_BLAS_TRIANGULAR(trmv, tbmv, tpmv, triangularProduct)
VX_BLAS_TRIANGULAR(trsv, tbsv, tpsv, triangularSystem)

template <class T>
cublasStatus_t update(cublasHandle_t handle, const View<T> &a, T *data, int m, int n,
                      const Update<T> &update) {
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  addUpdate<T><<<dim3(blocksFor(m), n), kThreads, 0, handle->stream>>>(m, a, data, update);
  return statusOf(cudaGetLastError());
}

template <class T>
cublasStatus_t ger(cublasHandle_t handle, int m, int n, bool conjugated, const T *alpha, const T *x,
                   int incx, const T *y, int incy, T *a, int lda) {
  VX_BLAS_CHECK(handle,
                m >= 0 && n >= 0 && alpha && incx != 0 && incy != 0 && lda >= std::max(1, m));
  return update(handle, viewOf<T>(a, lda), a, m, n,
                Update<T>{scalarOf(handle, alpha), {x, m, incx}, {y, n, incy}, conjugated, false});
}
template <class... Arguments> cublasStatus_t geru(Arguments... arguments) {
  return ger(arguments...);
}
template <class... Arguments> cublasStatus_t gerc(Arguments... arguments) {
  return ger(arguments...);
}

// Updates of rank 1 and 2 of full and packed triangles. The scalar of Hermitian ones of rank 1 is
// real.
#define VX_BLAS_TRIANGLE_UPDATES(RANK1, RANK2, PACKED1, PACKED2, STRUCTURE, SCALAR, MAKE)          \
  template <class T>                                                                               \
  cublasStatus_t RANK1(cublasHandle_t handle, cublasFillMode_t uplo, int n, const SCALAR *alpha,   \
                       const T *x, int incx, T *a, int lda) {                                      \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && n >= 0 && alpha && incx && lda >= std::max(1, n));   \
    return update(handle, triangleOf<T>(STRUCTURE, uplo, a, lda), a, n, n,                         \
                  Update<T>{MAKE(handle, alpha),                                                   \
                            {x, n, incx},                                                          \
                            {x, n, incx},                                                          \
                            STRUCTURE == Structure::Hermitian,                                     \
                            false});                                                               \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t PACKED1(cublasHandle_t handle, cublasFillMode_t uplo, int n, const SCALAR *alpha, \
                         const T *x, int incx, T *a) {                                             \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && n >= 0 && alpha && incx);                            \
    return update(handle, packed(triangleOf<T>(STRUCTURE, uplo, a, 0), n), a, n, n,                \
                  Update<T>{MAKE(handle, alpha),                                                   \
                            {x, n, incx},                                                          \
                            {x, n, incx},                                                          \
                            STRUCTURE == Structure::Hermitian,                                     \
                            false});                                                               \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t RANK2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,        \
                       const T *x, int incx, const T *y, int incy, T *a, int lda) {                \
    VX_BLAS_CHECK(handle,                                                                          \
                  isTriangle(uplo) && n >= 0 && alpha && incx && incy && lda >= std::max(1, n));   \
    return update(handle, triangleOf<T>(STRUCTURE, uplo, a, lda), a, n, n,                         \
                  Update<T>{scalarOf(handle, alpha),                                               \
                            {x, n, incx},                                                          \
                            {y, n, incy},                                                          \
                            STRUCTURE == Structure::Hermitian,                                     \
                            true});                                                                \
  }                                                                                                \
  template <class T>                                                                               \
  cublasStatus_t PACKED2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,      \
                         const T *x, int incx, const T *y, int incy, T *a) {                       \
    VX_BLAS_CHECK(handle, isTriangle(uplo) && n >= 0 && alpha && incx && incy);                    \
    return update(handle, packed(triangleOf<T>(STRUCTURE, uplo, a, 0), n), a, n, n,                \
                  Update<T>{scalarOf(handle, alpha),                                               \
                            {x, n, incx},                                                          \
                            {y, n, incy},                                                          \
                            STRUCTURE == Structure::Hermitian,                                     \
                            true});                                                                \
  }
VX_BLAS_TRIANGLE_UPDATES(syr, syr2, spr, spr2, Structure::Symmetric, T, scalarOf)
VX_BLAS_TRIANGLE_UPDATES(her, her2, hpr, hpr2, Structure::Hermitian, RealOf<T>, realScalarOf<T>)

} // namespace vx::blas

#define VX_BLAS_LEVEL "vx/blas/level2.def"
#include "vx/blas/rows.h"
