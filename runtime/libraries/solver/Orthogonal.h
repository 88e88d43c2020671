// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Householder's reflections: QR factorizations, and products with the unitary matrices that they
// are.

#ifndef VX_RUNTIME_LIBRARIES_SOLVER_ORTHOGONAL_H
#define VX_RUNTIME_LIBRARIES_SOLVER_ORTHOGONAL_H

#include "Handle.h"

namespace vx::solver {

// Instantiated for the four types in Orthogonal.cu.

/// Factorizes A in place as LAPACK's geqrf.
template <class T>
cusolverStatus_t factorizeQr(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau);

/// Makes A, in which the first K columns are reflections, the first N columns of their product.
template <class T>
cusolverStatus_t makeUnitary(cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda,
                             const T *tau);

} // namespace vx::solver

#endif // VX_RUNTIME_LIBRARIES_SOLVER_ORTHOGONAL_H
