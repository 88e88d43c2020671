// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of a sparse and a dense matrix, C = alpha A B + beta C.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_PRODUCTS_H
#define VX_RUNTIME_LIBRARIES_SPARSE_PRODUCTS_H

#include "Rows.h"

namespace vx::sparse {

/// The blocks of BSR; of one element each in other formats.
struct Blocks {
  int rows = 1, columns = 1;
  bool byColumn = false; ///< The elements of a block are in the order of columns.
};

/// Instantiated in Products.cu for the types of ProductTypes.def. C has COLUMNS columns.
template <class A, class X, class Y, class Acc>
cusparseStatus_t multiply(cusparseHandle_t handle, const Rows &rows, const Blocks &blocks,
                          const A *values, const Dense<X> &b, const Dense<Y> &c, long long columns,
                          const Scalar<Acc> &alpha, const Scalar<Acc> &beta);

} // namespace vx::sparse

#endif // VX_RUNTIME_LIBRARIES_SPARSE_PRODUCTS_H
