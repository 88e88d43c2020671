// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one-sided method of Jacobi: columns are rotated in pairs until all are orthogonal.

#ifndef VX_RUNTIME_LIBRARIES_SOLVER_JACOBI_H
#define VX_RUNTIME_LIBRARIES_SOLVER_JACOBI_H

#include "../common/Launch.h"
#include "Handle.h"
#include <cmath>
#include <limits>

namespace vx::solver {

/// The most sweeps over all pairs of columns, unless the caller says otherwise.
constexpr int kSweeps = 40;

template <class T> struct PairSums {
  RealOf<T> p, q; ///< Squares of the columns.
  T pq;           ///< The scalar product of the first with the second.
};

/// Returns the sums of all threads of a block.
template <class T> __device__ PairSums<T> sumsOfBlock(const PairSums<T> &mine) {
  __shared__ RealOf<T> values[4][kLibraryThreads];
  const int thread = threadIdx.x;
  values[0][thread] = mine.p;
  values[1][thread] = mine.q;
  values[2][thread] = realPart(mine.pq);
  if constexpr (isComplex<T>)
    values[3][thread] = mine.pq.im;
  __syncthreads();
  PairSums<T> sums{0, 0, T(0)};
  for (int i = 0; i < kLibraryThreads; ++i) {
    sums.p += values[0][i];
    sums.q += values[1][i];
    if constexpr (isComplex<T>)
      sums.pq += T(values[2][i], values[3][i]);
    else
      sums.pq += values[2][i];
  }
  __syncthreads();
  return sums;
}

template <class R> __device__ __forceinline__ R absolute(R x) {
  return fabs(x);
}
template <class R> __device__ __forceinline__ R absolute(Complex<R> x) {
  return hypot(x.re, x.im);
}

/// x' = c x - s conj(phase) y, y' = s phase x + c y, of COUNT elements.
template <class T>
__device__ void rotate(int count, T *x, T *y, RealOf<T> c, RealOf<T> s, T phase) {
  for (int i = threadIdx.x; i < count; i += kLibraryThreads) {
    const T a = x[i], b = y[i];
    x[i] = a * c - conjugate(phase) * b * s;
    y[i] = phase * a * s + b * c;
  }
}

/// Makes the columns P and Q of G orthogonal, and counts what had to be done.
template <class T>
__device__ void orthogonalize(int m, int n, T *g, int ldg, T *v, int ldv, int p, int q,
                              RealOf<T> tolerance, int *rotations) {
  typedef RealOf<T> R;
  T *const x = g + (long long)p * ldg, *const y = g + (long long)q * ldg;
  PairSums<T> sums{0, 0, T(0)};
  for (int i = threadIdx.x; i < m; i += kLibraryThreads) {
    sums.p += realPart(conjugate(x[i]) * x[i]);
    sums.q += realPart(conjugate(y[i]) * y[i]);
    sums.pq += conjugate(x[i]) * y[i];
  }
  sums = sumsOfBlock(sums);
  const R size = absolute(sums.pq);
  if (!(size > tolerance * sqrt(sums.p) * sqrt(sums.q)) || size == R(0))
    return;
  const R zeta = (sums.q - sums.p) / (2 * size),
          tangent = (zeta < 0 ? R(-1) : R(1)) / (fabs(zeta) + hypot(R(1), zeta)),
          c = R(1) / hypot(R(1), tangent), s = c * tangent;
  const T phase = sums.pq * (R(1) / size);
  rotate(m, x, y, c, s, phase);
  rotate(n, v + (long long)p * ldv, v + (long long)q * ldv, c, s, phase);
  if (threadIdx.x == 0)
    atomicAdd(rotations, 1);
}

/// Makes V, which is set to the unit matrix first, a unitary matrix for which the columns of G V
/// are orthogonal, and G that product. G has M rows, and N columns. INFO on the device gets 0, or N
/// + 1 if the sweeps did not suffice. Waits for the stream after each sweep.
template <class T>
cusolverStatus_t rotateColumns(cusolverDnHandle_t handle, int m, int n, T *g, int ldg, T *v,
                               int ldv, int *info, JacobiInfo *parameters) {
  typedef RealOf<T> R;
  StreamMemory<int> memory(handle->stream, 1);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  int *const rotations = memory;
  VX_SOLVER_TRY(statusOf(launch(handle->stream, (long long)n * n, [=] __device__(long long at) {
    v[at % n + at / n * ldv] = T(at % n == at / n);
  })));
  const R least = std::numeric_limits<R>::epsilon() * std::sqrt(R(m > 1 ? m : 1)) / 2;
  const R tolerance =
      parameters && parameters->tolerance > double(least) ? R(parameters->tolerance) : least;
  const int sweeps = parameters ? std::max(1, parameters->maxSweeps) : kSweeps;
  const int players = n + n % 2; // an odd one has none to be rotated with
  int done = 1, sweep = 0;
  for (; done != 0 && sweep < sweeps; ++sweep) {
    cudaError_t error = cudaMemsetAsync(rotations, 0, sizeof(int), handle->stream);
    for (int round = 0; round + 1 < players && error == cudaSuccess; ++round)
      error = launchBlocks(handle->stream, players / 2, [=] __device__() {
        const int k = blockIdx.x, others = players - 1;
        const int a = k == 0 ? others : (round + k) % others, b = (round + others - k) % others;
        if (a < n && b < n)
          orthogonalize(m, n, g, ldg, v, ldv, a < b ? a : b, a < b ? b : a, tolerance, rotations);
      });
    if (error == cudaSuccess)
      error =
          cudaMemcpyAsync(&done, rotations, sizeof(int), cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess)
      error = cudaStreamSynchronize(handle->stream);
    if (error != cudaSuccess)
      return statusOf(error);
  }
  if (parameters)
    parameters->sweeps = sweep;
  const int result = done ? n + 1 : 0;
  return statusOf(launch(handle->stream, 1, [=] __device__(long long) { *info = result; }));
}

/// Returns the place of element I when VALUES are sorted.
template <class R> __device__ int placeOf(const R *values, int n, int i, bool descending) {
  int place = 0;
  for (int j = 0; j < n; ++j)
    place += (descending ? values[j] > values[i] : values[j] < values[i]) ||
             (values[j] == values[i] && j < i);
  return place;
}

} // namespace vx::solver

#endif // VX_RUNTIME_LIBRARIES_SOLVER_JACOBI_H
