// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of one level of cuBLAS for all types: VX_BLAS_LEVEL is the file of their rows. Each
// is
//
//   VX_BLAS_FUNCTION(PREFIX, NAME, SUFFIX, PARAMETERS, ARGUMENTS)
//
// for cublas, PREFIX, NAME, SUFFIX; the library calls its template NAME with ARGUMENTS, in which
// E() is around pointers to elements. In the rows:
//
//   VX_BLAS_T, VX_BLAS_R   the type of elements, and that of their parts
//   VX_BLAS_NAME           S, D, C, Z; VX_BLAS_SUM: S, D, Sc, Dz; VX_BLAS_INDEX: Is, Id, Ic, Iz
//   VX_BLAS_MIXED          Cs, Zd: a complex function with real scalars

#define VX_BLAS_T float
#define VX_BLAS_R float
#define VX_BLAS_COMPLEX 0
#define VX_BLAS_NAME S
#define VX_BLAS_SUM S
#define VX_BLAS_INDEX Is
#include VX_BLAS_LEVEL
#undef VX_BLAS_T
#undef VX_BLAS_R
#undef VX_BLAS_COMPLEX
#undef VX_BLAS_NAME
#undef VX_BLAS_SUM
#undef VX_BLAS_INDEX

#define VX_BLAS_T double
#define VX_BLAS_R double
#define VX_BLAS_COMPLEX 0
#define VX_BLAS_NAME D
#define VX_BLAS_SUM D
#define VX_BLAS_INDEX Id
#include VX_BLAS_LEVEL
#undef VX_BLAS_T
#undef VX_BLAS_R
#undef VX_BLAS_COMPLEX
#undef VX_BLAS_NAME
#undef VX_BLAS_SUM
#undef VX_BLAS_INDEX

#define VX_BLAS_T cuComplex
#define VX_BLAS_R float
#define VX_BLAS_COMPLEX 1
#define VX_BLAS_NAME C
#define VX_BLAS_SUM Sc
#define VX_BLAS_INDEX Ic
#define VX_BLAS_MIXED Cs
#include VX_BLAS_LEVEL
#undef VX_BLAS_T
#undef VX_BLAS_R
#undef VX_BLAS_COMPLEX
#undef VX_BLAS_NAME
#undef VX_BLAS_SUM
#undef VX_BLAS_INDEX
#undef VX_BLAS_MIXED

#define VX_BLAS_T cuDoubleComplex
#define VX_BLAS_R double
#define VX_BLAS_COMPLEX 1
#define VX_BLAS_NAME Z
#define VX_BLAS_SUM Dz
#define VX_BLAS_INDEX Iz
#define VX_BLAS_MIXED Zd
#include VX_BLAS_LEVEL
#undef VX_BLAS_T
#undef VX_BLAS_R
#undef VX_BLAS_COMPLEX
#undef VX_BLAS_NAME
#undef VX_BLAS_SUM
#undef VX_BLAS_INDEX
#undef VX_BLAS_MIXED

#undef VX_BLAS_LEVEL
