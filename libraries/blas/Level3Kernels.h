// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of level 3 that are no products: triangular systems, sums and scalings of matrices,
// LU factorisations. In all but the last a thread works for itself; blockIdx.y counts the batch, or
// columns.

#ifndef VX_LIBRARIES_BLAS_LEVEL3KERNELS_H
#define VX_LIBRARIES_BLAS_LEVEL3KERNELS_H

#include "Gemm.h"
#include "Handle.h"

namespace vx::blas {

/// Triangular systems with one matrix: element i of system s is step * i + distance * s elements
/// from the first, and the solution takes the right side's place.
template <class T> struct TriangularSystems {
  View<T> view;
  int size, count;
  long long step, distance;
};

template <class T>
__global__ void solveTriangular(TriangularSystems<T> systems, Scalar<T> alphas, Batch<const T> a,
                                Batch<T> b) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= systems.count)
    return;
  const T alpha = alphas.get();
  View<T> view = systems.view;
  view.data = a.at(blockIdx.y);
  T *x = b.at(blockIdx.y) + system * systems.distance;
  const bool forward = view.lower != view.transposed;
  for (int step = 0; step < systems.size; ++step) {
    const int i = forward ? step : systems.size - 1 - step;
    T sum = alpha * x[i * systems.step];
    for (int k = 0; k < step; ++k) {
      const int j = forward ? k : systems.size - 1 - k;
      sum -= view.at(i, j) * x[j * systems.step];
    }
    x[i * systems.step] = view.unitDiagonal ? sum : sum / view.at(i, i);
  }
}

/// C = alpha A + beta B; a factor 0 means that its matrix is not read.
template <class T>
__global__ void addMatrices(int rows, Scalar<T> alphas, Factor<T> a, Scalar<T> betas, Factor<T> b,
                            T *c, int ldc) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= rows)
    return;
  const T alpha = alphas.get(), beta = betas.get();
  T sum(0);
  if (!(alpha == T(0)))
    sum += alpha * conjugateIf(a.conjugated, a.batch.first[i * a.rowStep + j * a.columnStep]);
  if (!(beta == T(0)))
    sum += beta * conjugateIf(b.conjugated, b.batch.first[i * b.rowStep + j * b.columnStep]);
  c[i + j * ldc] = sum;
}

/// C = diag(x) A, or A diag(x).
template <class T>
__global__ void scaleByDiagonal(int rows, bool left, const T *a, int lda, Vector<const T> x, T *c,
                                int ldc) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < rows)
    c[i + j * ldc] = a[i + j * lda] * x[left ? i : j];
}

constexpr int kFactorThreads = 16;

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
  if (j != 0)
    return;
  int zero = 0;
  for (int i = n - 1; i >= 0; --i)
    if (a[blockIdx.y][i + (long long)i * lda] == T(0))
      zero = i + 1;
  info[blockIdx.y] = zero;
}

} // namespace vx::blas

#endif // VX_LIBRARIES_BLAS_LEVEL3KERNELS_H
