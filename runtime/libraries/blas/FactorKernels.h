// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of LU and QR factorisations of batches, and what solves systems with them.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_FACTORKERNELS_H
#define VX_RUNTIME_LIBRARIES_BLAS_FACTORKERNELS_H

#include "Level3Kernels.h"

namespace vx::blas {

constexpr int kFactorThreads = 16;

/// The first zero on A's diagonal, counted from 1; 0: there is none.
template <class T> __device__ int firstZero(int n, const T *a, int lda) {
  for (int i = 0; i < n; ++i)
    if (a[i + (long long)i * lda] == T(0))
      return i + 1;
  return 0;
}

/// LU with row exchanges in place, a block for each matrix. PIVOTS count from 1; without them rows
/// stay.
template <class T>
__global__ void factorize(int n, T *const *matrices, int lda, int *pivots, int *info) {
  T *a = matrices[blockIdx.x];
  const int thread = threadIdx.x;
  __shared__ int pivot;
  int zero = 0;
  for (int k = 0; k < n; ++k) {
    T *column = a + (long long)k * lda;
    if (thread == 0) {
      int best = k;
      if (pivots) {
        for (int i = k + 1; i < n; ++i)
          if (sumOfParts(column[i]) > sumOfParts(column[best]))
            best = i;
        pivots[(long long)blockIdx.x * n + k] = best + 1;
      }
      pivot = best;
      if (column[best] == T(0) && zero == 0)
        zero = k + 1;
    }
    __syncthreads();
    for (int j = thread; j < n; j += kFactorThreads) {
      T *row = a + (long long)j * lda, other = row[pivot];
      row[pivot] = row[k];
      row[k] = other;
    }
    __syncthreads();
    const T diagonal = column[k];
    if (!(diagonal == T(0)))
      for (int i = k + 1 + thread; i < n; i += kFactorThreads)
        column[i] = column[i] / diagonal;
    __syncthreads();
    for (int j = k + 1 + thread; j < n; j += kFactorThreads) {
      T *target = a + (long long)j * lda;
      const T factor = target[k];
      for (int i = k + 1; i < n; ++i)
        target[i] -= column[i] * factor;
    }
    __syncthreads();
  }
  if (thread == 0)
    info[blockIdx.x] = zero;
}

/// The exchanges of a factorisation in the rows of a matrix, or their inverse; a thread for a
/// column.
template <class T>
__global__ void swapRows(int n, int columns, const int *pivots, bool forward, T *const *b,
                         int ldb) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns)
    return;
  T *column = b[blockIdx.y] + (long long)j * ldb;
  const int *swaps = pivots + (long long)blockIdx.y * n;
  for (int k = 0; k < n; ++k) {
    const int i = forward ? k : n - 1 - k, other = swaps[i] - 1;
    T element = column[i];
    column[i] = column[other];
    column[other] = element;
  }
}

/// Makes C the unit matrix, and INFO the first zero on A's diagonal; a thread for a column.
template <class T>
__global__ void setUnitMatrix(int n, const T *const *a, int lda, T *const *c, int ldc, int *info) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n)
    return;
  T *column = c[blockIdx.y] + (long long)j * ldc;
  for (int i = 0; i < n; ++i)
    column[i] = T(i == j);
  if (j == 0)
    info[blockIdx.y] = firstZero(n, a[blockIdx.y], lda);
}

/// Householder's vector for ALPHA above a column part of Euclidean norm BELOW (LAPACK, larfg): the
/// part is to be multiplied by SCALE, with 1 above it, and ALPHA becomes BETA.
template <class T> struct Reflector {
  T tau, scale;
  RealOf<T> beta;
};
template <class T> __device__ Reflector<T> reflect(T alpha, RealOf<T> below) {
  typedef RealOf<T> R;
  R imaginary = 0;
  if constexpr (isComplex<T>)
    imaginary = alpha.im;
  if (below == R(0) && imaginary == R(0))
    return {T(0), T(0), realPart(alpha)};
  const R length = hypot(hypot(realPart(alpha), imaginary), below);
  const R beta = realPart(alpha) < R(0) ? length : -length;
  T tau((beta - realPart(alpha)) / beta);
  if constexpr (isComplex<T>)
    tau.im = -imaginary / beta;
  return {tau, T(1) / (alpha - T(beta)), beta};
}

/// The Euclidean norm of COUNT elements, by a block; nothing overflows that the norm does not.
template <class T> __device__ RealOf<T> normOf(const T *elements, int count) {
  typedef RealOf<T> R;
  __shared__ R parts[kFactorThreads];
  R largest = 0;
  for (int i = threadIdx.x; i < count; i += kFactorThreads)
    largest = fmax(largest, sumOfParts(elements[i]));
  parts[threadIdx.x] = largest;
  __syncthreads();
  for (int i = 0; i < kFactorThreads; ++i)
    largest = fmax(largest, parts[i]);
  __syncthreads();
  if (largest == R(0))
    return 0;
  R sum = 0;
  for (int i = threadIdx.x; i < count; i += kFactorThreads) {
    const T x = elements[i] * (R(1) / largest);
    sum += realPart(x * conjugate(x));
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < kFactorThreads; ++i)
    sum += parts[i];
  __syncthreads();
  return largest * sqrt(sum);
}

/// X = H^H X of ROWS elements, where H = 1 - TAU v v^H, and v is 1 and then what follows in VECTOR.
template <class T> __device__ void applyReflector(const T *vector, T tau, T *x, int rows) {
  T product = x[0];
  for (int i = 1; i < rows; ++i)
    product += conjugate(vector[i]) * x[i];
  product = conjugate(tau) * product;
  x[0] -= product;
  for (int i = 1; i < rows; ++i)
    x[i] -= vector[i] * product;
}

/// QR in place, a block for each matrix: R, below it Householder's vectors, and their factors in
/// TAUS (LAPACK, geqr2).
template <class T>
__global__ void factorizeQr(int m, int n, T *const *matrices, int lda, Batch<T> taus) {
  T *a = matrices[blockIdx.x], *tau = taus.at(blockIdx.x);
  for (int k = 0; k < min(m, n); ++k) {
    T *column = a + k + (long long)k * lda;
    const int rows = m - k;
    const RealOf<T> below = normOf(column + 1, rows - 1);
    const Reflector<T> reflector = reflect(column[0], below);
    __syncthreads(); // all have read the first element
    for (int i = 1 + threadIdx.x; i < rows && !(reflector.tau == T(0)); i += kFactorThreads)
      column[i] = column[i] * reflector.scale;
    if (threadIdx.x == 0) {
      column[0] = T(reflector.beta);
      tau[k] = reflector.tau;
    }
    __syncthreads();
    for (int j = 1 + threadIdx.x; j < n - k; j += kFactorThreads)
      applyReflector(column, reflector.tau, column + (long long)j * lda, rows);
    __syncthreads();
  }
}

/// Solves the triangular system of a QR factorisation for a column of C, a thread for each.
/// ZEROS, unless null, get the first zero on R's diagonal, counted from 1; C is then not solved.
template <class T>
__global__ void solveByQr(int m, int n, int columns, T *const *matrices, int lda, Batch<T> taus,
                          T *const *c, int ldc, int *zeros) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const T *a = matrices[blockIdx.y], *tau = taus.at(blockIdx.y);
  const int zero = firstZero(n, a, lda);
  if (column == 0 && zeros)
    zeros[blockIdx.y] = zero;
  if (column >= columns)
    return;
  T *x = c[blockIdx.y] + (long long)column * ldc;
  for (int k = 0; k < n; ++k)
    applyReflector(a + k + (long long)k * lda, tau[k], x + k, m - k);
  if (zero)
    return;
  View<T> upper;
  upper.data = a;
  upper.step = lda;
  upper.structure = Structure::Triangular;
  substitute(upper, n, T(1), x, 1);
}

/// Copies matrices of N columns to COPIES, one after the other, and their addresses to ADDRESSES;
/// a thread for a column.
template <class T>
__global__ void copyMatrices(int n, const T *const *matrices, int lda, T *copies, T **addresses) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  T *copy = copies + (long long)blockIdx.y * n * n;
  if (j == 0)
    addresses[blockIdx.y] = copy;
  for (int i = 0; i < n && j < n; ++i)
    copy[i + (long long)j * n] = matrices[blockIdx.y][i + (long long)j * lda];
}

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_FACTORKERNELS_H
