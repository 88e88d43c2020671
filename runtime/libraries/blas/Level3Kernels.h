// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of level 3 that are no products: triangular systems, sums and scalings of matrices. A
// thread works for itself; blockIdx.y counts the batch, or columns.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_LEVEL3KERNELS_H
#define VX_RUNTIME_LIBRARIES_BLAS_LEVEL3KERNELS_H

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

/// Solves the triangular system of SIZE rows with the matrix of VIEW and the right side ALPHA times
/// X, whose elements are at a distance of STEP.
template <class T>
__device__ void substitute(const View<T> &view, int size, T alpha, T *x, long long step) {
  const bool forward = view.lower != view.transposed;
  for (int done = 0; done < size; ++done) {
    const int i = forward ? done : size - 1 - done;
    T sum = alpha * x[i * step];
    for (int k = 0; k < done; ++k) {
      const int j = forward ? k : size - 1 - k;
      sum -= view.at(i, j) * x[j * step];
    }
    x[i * step] = view.unitDiagonal ? sum : sum / view.at(i, i);
  }
}

template <class T>
__global__ void solveTriangular(TriangularSystems<T> systems, Scalar<T> alphas, Batch<const T> a,
                                Batch<T> b) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= systems.count)
    return;
  const T alpha = alphas.get();
  View<T> view = systems.view;
  view.data = a.at(blockIdx.y);
  substitute(view, systems.size, alpha, b.at(blockIdx.y) + system * systems.distance, systems.step);
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

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_LEVEL3KERNELS_H
