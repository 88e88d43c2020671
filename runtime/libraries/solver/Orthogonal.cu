// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's QR factorizations and products with Q. A block applies reflections to a column.

#include "../common/Launch.h"
#include "Entry.h"
#include "Orthogonal.h"

namespace vx::solver {
namespace {

/// Returns the sum of the values of all threads of a block.
template <class T> __device__ T sumOfBlock(T value) {
  __shared__ T values[kLibraryThreads];
  values[threadIdx.x] = value;
  __syncthreads();
  T sum = values[0];
  for (int i = 1; i < kLibraryThreads; ++i)
    sum += values[i];
  __syncthreads();
  return sum;
}
template <class R> __device__ R largestOfBlock(R value) {
  __shared__ R values[kLibraryThreads];
  values[threadIdx.x] = value;
  __syncthreads();
  R largest = values[0];
  for (int i = 1; i < kLibraryThreads; ++i)
    largest = values[i] > largest ? values[i] : largest;
  __syncthreads();
  return largest;
}

/// Makes COLUMN of M elements a reflection that maps it to a real multiple of the first unit vector
/// (LAPACK, larfg).
template <class T> __device__ void makeReflection(int m, T *column, T *tau) {
  typedef RealOf<T> R;
  R largest = 0;
  for (int i = 1 + threadIdx.x; i < m; i += kLibraryThreads)
    largest = fmax(largest, sumOfParts(column[i]));
  largest = largestOfBlock(largest);
  const T alpha = column[0];
  R imaginary = 0;
  if constexpr (isComplex<T>)
    imaginary = alpha.im;
  if (largest == R(0) && imaginary == R(0)) {
    if (threadIdx.x == 0)
      *tau = T(0);
    return;
  }
  R below = 0;
  if (largest > 0) {
    for (int i = 1 + threadIdx.x; i < m; i += kLibraryThreads) {
      const T x = column[i] * (R(1) / largest);
      below += realPart(x * conjugate(x));
    }
    below = largest * sqrt(sumOfBlock(below));
  }
  const R length = hypot(hypot(realPart(alpha), imaginary), below);
  const R beta = realPart(alpha) < R(0) ? length : -length;
  const T scale = T(1) / (alpha - T(beta));
  __syncthreads(); // all have read the first element
  for (int i = 1 + threadIdx.x; i < m; i += kLibraryThreads)
    column[i] = column[i] * scale;
  if (threadIdx.x == 0) {
    T result((beta - realPart(alpha)) / beta);
    if constexpr (isComplex<T>)
      result.im = -imaginary / beta;
    *tau = result;
    column[0] = T(beta);
  }
}

/// Subtracts FACTOR v (v^H x) from x of M elements STEP apart; v is 1 and then what follows in
/// VECTOR. CONJUGATED: the roles of v and its conjugate are exchanged.
template <class T>
__device__ void reflect(int m, const T *vector, T factor, T *x, long long step, bool conjugated) {
  T sum(0);
  for (int i = threadIdx.x; i < m; i += kLibraryThreads)
    sum += (i == 0 ? T(1) : conjugateIf(!conjugated, vector[i])) * x[i * step];
  sum = factor * sumOfBlock(sum);
  for (int i = threadIdx.x; i < m; i += kLibraryThreads)
    x[i * step] -= (i == 0 ? T(1) : conjugateIf(conjugated, vector[i])) * sum;
  __syncthreads();
}

/// Multiplies C by op(Q) from the left, or from the right: a block for a column, or a row, of C.
template <class T>
cusolverStatus_t multiply(cusolverDnHandle_t handle, bool left, bool adjoint, int m, int n, int k,
                          const T *a, int lda, const T *tau, T *c, int ldc) {
  const int length = left ? m : n;
  // Q = H(0) H(1) ... is applied to a column from its right end, Q^H from its left one; and for
  // rows the other way around.
  const bool forward = left == adjoint;
  return statusOf(launchBlocks(handle->stream, left ? n : m, [=] __device__() {
    const long long at = blockIdx.x, step = left ? 1 : ldc;
    T *const x = c + (left ? at * ldc : at);
    for (int count = 0; count < k; ++count) {
      const int j = forward ? count : k - 1 - count;
      const T factor = conjugateIf(adjoint, tau[j]);
      reflect(length - j, a + j + (long long)j * lda, factor, x + j * step, step, !left);
    }
  }));
}

} // namespace

template <class T>
cusolverStatus_t factorizeQr(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau) {
  for (int k = 0; k < std::min(m, n); ++k) {
    T *const column = a + k + (long long)k * lda;
    const int rows = m - k;
    VX_SOLVER_TRY(statusOf(launchBlocks(
        handle->stream, 1, [=] __device__() { makeReflection(rows, column, tau + k); })));
    VX_SOLVER_TRY(statusOf(launchBlocks(handle->stream, n - k - 1, [=] __device__() {
      reflect(rows, column, conjugate(tau[k]), column + (blockIdx.x + 1LL) * lda, 1, false);
    })));
  }
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t makeUnitary(cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda,
                             const T *tau) {
  StreamMemory<T> memory(handle->stream, size_t(m) * k);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const reflections = memory;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, (long long)m * n, [=] __device__(long long at) {
    const long long i = at % m, j = at / m;
    if (j < k)
      reflections[at] = a[i + j * lda];
    a[i + j * lda] = T(i == j);
  })));
  return multiply(handle, true, false, m, n, k, (const T *)reflections, m, tau, a, lda);
}

#define VX_SOLVER_INSTANCES(T)                                                                     \
  template cusolverStatus_t factorizeQr(cusolverDnHandle_t, int, int, T *, int, T *);              \
  template cusolverStatus_t makeUnitary(cusolverDnHandle_t, int, int, int, T *, int, const T *);
VX_SOLVER_INSTANCES(float)
VX_SOLVER_INSTANCES(double)
VX_SOLVER_INSTANCES(Complex<float>)
VX_SOLVER_INSTANCES(Complex<double>)

namespace {

template <class T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau, T *, int,
                       int *info) {
  VX_SOLVER_CHECK(handle, m >= 0 && n >= 0 && lda >= std::max(1, m) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  return factorizeQr(handle, m, n, a, lda, tau);
}
template <class T>
cusolverStatus_t orgqr(cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda, const T *tau,
                       T *, int, int *info) {
  VX_SOLVER_CHECK(handle,
                  m >= 0 && n >= 0 && n <= m && k >= 0 && k <= n && lda >= std::max(1, m) && info);
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  return makeUnitary(handle, m, n, k, a, lda, tau);
}
template <class T>
cusolverStatus_t ormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                       int m, int n, int k, const T *a, int lda, const T *tau, T *c, int ldc, T *,
                       int, int *info) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int length = left ? m : n;
  VX_SOLVER_CHECK(handle, (left || side == CUBLAS_SIDE_RIGHT) && isOperation(trans) && m >= 0 &&
                              n >= 0 && k >= 0 && k <= length && lda >= std::max(1, length) &&
                              ldc >= std::max(1, m) && info);
  if (isComplex<T> && trans == CUBLAS_OP_T)
    return CUSOLVER_STATUS_INVALID_VALUE; // not an operation of LAPACK's
  VX_SOLVER_TRY(statusOf(clearInfo(handle, info)));
  return multiply(handle, left, trans != CUBLAS_OP_N, m, n, k, a, lda, tau, c, ldc);
}

#define VX_SOLVER_SIZE(NAME, ...)                                                                  \
  template <class T>                                                                               \
  cusolverStatus_t NAME##_bufferSize(cusolverDnHandle_t handle, __VA_ARGS__, int *lwork) {         \
    VX_SOLVER_CHECK(handle, lwork);                                                                \
    *lwork = kWorkSize;                                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
VX_SOLVER_SIZE(geqrf, int, int, T *, int)
VX_SOLVER_SIZE(orgqr, int, int, int, const T *, int, const T *)
VX_SOLVER_SIZE(ormqr, cublasSideMode_t, cublasOperation_t, int, int, int, const T *, int, const T *,
               const T *, int)

} // namespace
} // namespace vx::solver

#define VX_SOLVER_ROWS "vx/solver/orthogonal.def"
#include "vx/solver/rows.h"
