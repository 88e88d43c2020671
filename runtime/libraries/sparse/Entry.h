// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points of the functions of one type, each of which calls the template of its name. A file
// that has those of a table includes it last.

#ifndef VX_RUNTIME_LIBRARIES_SPARSE_ENTRY_H
#define VX_RUNTIME_LIBRARIES_SPARSE_ENTRY_H

#include "Handle.h"

namespace vx::sparse {

template <class T> T value(T x) {
  return x;
}
inline Complex<float> value(cuComplex x) {
  return {x.x, x.y};
}
inline Complex<double> value(cuDoubleComplex x) {
  return {x.x, x.y};
}
template <class T> using ElementOf = decltype(value(T()));

} // namespace vx::sparse

#define VX_SPARSE_FUNCTION(NAME, PARAMETERS, ARGUMENTS)                                            \
  VX_SPARSE_ENTRY(VX_SPARSE_LETTER, NAME, PARAMETERS, ARGUMENTS)
#define VX_SPARSE_ENTRY(LETTER, NAME, PARAMETERS, ARGUMENTS)                                       \
  VX_SPARSE_ENTRY_(LETTER, NAME, PARAMETERS, ARGUMENTS)
#define VX_SPARSE_ENTRY_(LETTER, NAME, PARAMETERS, ARGUMENTS)                                      \
  extern "C" cusparseStatus_t cusparse##LETTER##NAME PARAMETERS {                                  \
    using vx::blas::E;                                                                             \
    using vx::sparse::value;                                                                       \
    return vx::sparse::NAME<vx::sparse::ElementOf<VX_SPARSE_T>> ARGUMENTS;                         \
  }

#endif // VX_RUNTIME_LIBRARIES_SPARSE_ENTRY_H
