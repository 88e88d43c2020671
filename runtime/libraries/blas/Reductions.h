// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of vectors. Each block leaves a partial result; the last one to arrive combines them,
// in their order, so that results do not depend on how blocks run.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_REDUCTIONS_H
#define VX_RUNTIME_LIBRARIES_BLAS_REDUCTIONS_H

#include "Handle.h"

namespace vx::blas {

constexpr int kReductionThreads = 16;

// An operation has: Sum, what is collected; Result; start(), add(Sum &, index), join(Sum &, Sum)
// where the second is of later elements, and result(Sum).

/// Of T, added up in A.
template <class T, class A = T> struct DotProduct {
  typedef A Sum;
  typedef T Result;
  Vector<const T> x, y;
  bool conjugated;
  VX_BLAS_BOTH static Sum start() { return A(0); }
  VX_BLAS_BOTH void add(Sum &sum, int i) const {
    sum += conjugateIf(conjugated, convert<A>(x[i])) * convert<A>(y[i]);
  }
  VX_BLAS_BOTH static void join(Sum &a, Sum b) { a += b; }
  VX_BLAS_BOTH static Result result(Sum sum) { return convert<T>(sum); }
};

template <class T> struct SumOfMagnitudes {
  typedef RealOf<T> Sum;
  typedef RealOf<T> Result;
  Vector<const T> x;
  VX_BLAS_BOTH static Sum start() { return 0; }
  VX_BLAS_BOTH void add(Sum &sum, int i) const { sum += sumOfParts(x[i]); }
  VX_BLAS_BOTH static void join(Sum &a, Sum b) { a += b; }
  VX_BLAS_BOTH static Result result(Sum sum) { return sum; }
};

/// The root of a sum of squares, scaled so that none overflows or vanishes; of T, added up in A.
template <class T, class A = T> struct EuclideanNorm {
  struct Sum {
    RealOf<A> scale, squares;
  };
  typedef RealOf<T> Result;
  Vector<const T> x;
  VX_BLAS_BOTH static Sum start() { return {0, 1}; }
  VX_BLAS_BOTH static void addPart(Sum &sum, RealOf<A> part) {
    part = magnitude(part);
    if (part == 0)
      return;
    const bool larger = sum.scale < part;
    const RealOf<A> ratio = larger ? sum.scale / part : part / sum.scale;
    sum.squares = larger ? 1 + sum.squares * ratio * ratio : sum.squares + ratio * ratio;
    sum.scale = larger ? part : sum.scale;
  }
  VX_BLAS_BOTH void add(Sum &sum, int i) const {
    const A element = convert<A>(x[i]);
    addPart(sum, realPart(element));
    if constexpr (isComplex<T>)
      addPart(sum, element.im);
  }
  VX_BLAS_BOTH static void join(Sum &a, Sum b) {
    if (b.scale == 0)
      return;
    if (a.scale < b.scale) {
      const Sum smaller = a;
      a = b;
      b = smaller;
    }
    const RealOf<A> ratio = b.scale / a.scale;
    a.squares += b.scale == 0 ? 0 : b.squares * ratio * ratio;
  }
  VX_BLAS_BOTH static Result result(Sum sum) {
    return convert<Result>(sum.scale == 0 ? RealOf<A>(0)
                                          : sum.scale * RealOf<A>(sqrt(sum.squares)));
  }
};

/// The index, from 1, of the first element of largest or smallest magnitude.
template <class T, bool Largest> struct ExtremeIndex {
  struct Sum {
    RealOf<T> value;
    int index; ///< 0: none yet.
  };
  typedef int Result;
  Vector<const T> x;
  VX_BLAS_BOTH static Sum start() { return {0, 0}; }
  VX_BLAS_BOTH void add(Sum &sum, int i) const { join(sum, {sumOfParts(x[i]), i + 1}); }
  VX_BLAS_BOTH static void join(Sum &a, Sum b) {
    const bool better = Largest ? b.value > a.value : b.value < a.value;
    if (b.index != 0 && (a.index == 0 || better || (b.value == a.value && b.index < a.index)))
      a = b;
  }
  VX_BLAS_BOTH static Result result(Sum sum) { return sum.index; }
};

template <class Operation>
__global__ void reduce(Operation operation, int n, ReductionSpace *space,
                       typename Operation::Result *out) {
  typedef typename Operation::Sum Sum;
  static_assert(sizeof(Sum) <= sizeof space->partial[0]);
  __shared__ Sum sums[kReductionThreads];
  const int thread = threadIdx.x;
  Sum sum = Operation::start();
  for (int i = blockIdx.x * kReductionThreads + thread; i < n; i += gridDim.x * kReductionThreads)
    operation.add(sum, i);
  sums[thread] = sum;
  __syncthreads();
  if (thread != 0)
    return;
  for (int i = 1; i < kReductionThreads; ++i)
    Operation::join(sum, sums[i]);
  if (gridDim.x > 1) {
    memcpy(space->partial[blockIdx.x], &sum, sizeof sum);
    __threadfence();
    if (atomicAdd(&space->arrived, 1u) != gridDim.x - 1)
      return;
    __threadfence();
    sum = Operation::start();
    for (unsigned block = 0; block < gridDim.x; ++block) {
      Sum partial;
      memcpy(&partial, space->partial[block], sizeof partial);
      Operation::join(sum, partial);
    }
    space->arrived = 0;
  }
  *out = Operation::result(sum);
}

/// Reduces N elements; the result goes where the handle's pointer mode says.
template <class Operation>
cublasStatus_t launchReduction(cublasHandle_t handle, const Operation &operation, int n,
                               typename Operation::Result *result) {
  typedef typename Operation::Result Result;
  const bool toHost = handle->pointerMode == CUBLAS_POINTER_MODE_HOST;
  if (toHost && n <= 0) {
    *result = Operation::result(Operation::start());
    return CUBLAS_STATUS_SUCCESS;
  }
  auto *out = toHost ? reinterpret_cast<Result *>(handle->space->result) : result;
  const int wanted = (n + 8 * kReductionThreads - 1) / (8 * kReductionThreads);
  const int blocks = wanted < 1 ? 1 : wanted < kReductionBlocks ? wanted : kReductionBlocks;
  reduce<Operation><<<blocks, kReductionThreads, 0, handle->stream>>>(operation, n < 0 ? 0 : n,
                                                                      handle->space, out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess && toHost) {
    error = cudaMemcpyAsync(result, out, sizeof *result, cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess)
      error = cudaStreamSynchronize(handle->stream);
  }
  return statusOf(error);
}

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_REDUCTIONS_H
