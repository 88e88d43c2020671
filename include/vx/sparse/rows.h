// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's functions of one type, for all types: VX_SPARSE_ROWS is the file of their rows,
//
//   VX_SPARSE_FUNCTION(NAME, PARAMETERS, ARGUMENTS)
//
// for cusparse, VX_SPARSE_LETTER, NAME; the library calls its template NAME with ARGUMENTS, in
// which E() is around pointers to elements. VX_SPARSE_T is the type of elements, VX_SPARSE_R that
// of parts.

#define VX_SPARSE_T float
#define VX_SPARSE_R float
#define VX_SPARSE_COMPLEX 0
#define VX_SPARSE_LETTER S
#include VX_SPARSE_ROWS
#undef VX_SPARSE_T
#undef VX_SPARSE_R
#undef VX_SPARSE_COMPLEX
#undef VX_SPARSE_LETTER

#define VX_SPARSE_T double
#define VX_SPARSE_R double
#define VX_SPARSE_COMPLEX 0
#define VX_SPARSE_LETTER D
#include VX_SPARSE_ROWS
#undef VX_SPARSE_T
#undef VX_SPARSE_R
#undef VX_SPARSE_COMPLEX
#undef VX_SPARSE_LETTER

#define VX_SPARSE_T cuComplex
#define VX_SPARSE_R float
#define VX_SPARSE_COMPLEX 1
#define VX_SPARSE_LETTER C
#include VX_SPARSE_ROWS
#undef VX_SPARSE_T
#undef VX_SPARSE_R
#undef VX_SPARSE_COMPLEX
#undef VX_SPARSE_LETTER

#define VX_SPARSE_T cuDoubleComplex
#define VX_SPARSE_R double
#define VX_SPARSE_COMPLEX 1
#define VX_SPARSE_LETTER Z
#include VX_SPARSE_ROWS
#undef VX_SPARSE_T
#undef VX_SPARSE_R
#undef VX_SPARSE_COMPLEX
#undef VX_SPARSE_LETTER

#undef VX_SPARSE_ROWS
