// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's dense functions of one type, for all types: VX_SOLVER_ROWS is the file of their rows,
//
//   VX_SOLVER_FUNCTION(NAME, TEMPLATE, PARAMETERS, ARGUMENTS)
//
// for cusolverDn, VX_SOLVER_LETTER, NAME; the library calls TEMPLATE with ARGUMENTS, in which E()
// is around pointers to elements. VX_SOLVER_T is the type of elements, VX_SOLVER_R that of parts;
// VX_SOLVER_PICK(REAL, COMPLEX) is the name for the type.

#define VX_SOLVER_T float
#define VX_SOLVER_R float
#define VX_SOLVER_LETTER S
#define VX_SOLVER_PICK(REAL, COMPLEX) REAL
#include VX_SOLVER_ROWS
#undef VX_SOLVER_T
#undef VX_SOLVER_R
#undef VX_SOLVER_LETTER
#undef VX_SOLVER_PICK

#define VX_SOLVER_T double
#define VX_SOLVER_R double
#define VX_SOLVER_LETTER D
#define VX_SOLVER_PICK(REAL, COMPLEX) REAL
#include VX_SOLVER_ROWS
#undef VX_SOLVER_T
#undef VX_SOLVER_R
#undef VX_SOLVER_LETTER
#undef VX_SOLVER_PICK

#define VX_SOLVER_T cuComplex
#define VX_SOLVER_R float
#define VX_SOLVER_LETTER C
#define VX_SOLVER_PICK(REAL, COMPLEX) COMPLEX
#include VX_SOLVER_ROWS
#undef VX_SOLVER_T
#undef VX_SOLVER_R
#undef VX_SOLVER_LETTER
#undef VX_SOLVER_PICK

#define VX_SOLVER_T cuDoubleComplex
#define VX_SOLVER_R double
#define VX_SOLVER_LETTER Z
#define VX_SOLVER_PICK(REAL, COMPLEX) COMPLEX
#include VX_SOLVER_ROWS
#undef VX_SOLVER_T
#undef VX_SOLVER_R
#undef VX_SOLVER_LETTER
#undef VX_SOLVER_PICK

#undef VX_SOLVER_ROWS
