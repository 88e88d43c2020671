// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of matrices, C = alpha A B + beta C, that all functions of level 3 are made of.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_GEMM_H
#define VX_RUNTIME_LIBRARIES_BLAS_GEMM_H

#include "View.h"

namespace vx::blas {

/// The addresses of the matrices of a batch: at a fixed distance, or from an array.
template <class T> struct Batch {
  T *first = nullptr;
  long long distance = 0;
  T *const *array = nullptr;
  VX_BLAS_BOTH T *at(int i) const { return array ? array[i] : first + i * distance; }
};

/// A factor of a product: element (i, j) lies i * rowStep + j * columnStep from the first. A
/// structured one is read through a view instead.
template <class T> struct Factor {
  Batch<const T> batch;
  long long rowStep = 1, columnStep = 0;
  bool conjugated = false;
  bool structured = false;
  View<T> view;
};

/// The elements of the result that are computed.
enum class Part : char { All, Lower, Upper };

/// Everything about a product but its scalars.
template <class In, class Out> struct Product {
  int rows = 0, columns = 0, inner = 0;
  Factor<In> a, b;
  Batch<Out> c;
  int step = 0; ///< From column to column of C.
  Part part = Part::All;
  bool realDiagonal = false; ///< C is Hermitian.
};

/// Instantiated in Gemm.cu.
template <class In, class Out, class Acc, bool Structured>
cudaError_t launchProduct(const Product<In, Out> &product, Scalar<Acc> alpha, Scalar<Acc> beta,
                          int batches, cudaStream_t stream);

} // namespace vx::blas

#endif // VX_RUNTIME_LIBRARIES_BLAS_GEMM_H
