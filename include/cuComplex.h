// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers on float2 and double2, for host and device.

#ifndef VX_CUDA_CUCOMPLEX_H
#define VX_CUDA_CUCOMPLEX_H

#include "vector_functions.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define VX_COMPLEX static __inline__ __host__ __device__

// The functions of one precision; SUFFIX ends CUDA's names and those of C's math functions. The
// absolute value and the quotient do not overflow where the result does not.
#define VX_COMPLEX_FUNCTIONS(COMPLEX, T, SUFFIX)                                                   \
  VX_COMPLEX COMPLEX make_##COMPLEX(T re, T im) {                                                  \
    COMPLEX z;                                                                                     \
    z.x = re;                                                                                      \
    z.y = im;                                                                                      \
    return z;                                                                                      \
  }                                                                                                \
  VX_COMPLEX T cuCreal##SUFFIX(COMPLEX z) { return z.x; }                                          \
  VX_COMPLEX T cuCimag##SUFFIX(COMPLEX z) { return z.y; }                                          \
  VX_COMPLEX T cuCabs##SUFFIX(COMPLEX z) { return hypot##SUFFIX(z.x, z.y); }                       \
  VX_COMPLEX COMPLEX cuConj##SUFFIX(COMPLEX z) { return make_##COMPLEX(z.x, -z.y); }               \
  VX_COMPLEX COMPLEX cuCadd##SUFFIX(COMPLEX a, COMPLEX b) {                                        \
    return make_##COMPLEX(a.x + b.x, a.y + b.y);                                                   \
  }                                                                                                \
  VX_COMPLEX COMPLEX cuCsub##SUFFIX(COMPLEX a, COMPLEX b) {                                        \
    return make_##COMPLEX(a.x - b.x, a.y - b.y);                                                   \
  }                                                                                                \
  VX_COMPLEX COMPLEX cuCmul##SUFFIX(COMPLEX a, COMPLEX b) {                                        \
    return make_##COMPLEX(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                           \
  }                                                                                                \
  VX_COMPLEX COMPLEX cuCdiv##SUFFIX(COMPLEX a, COMPLEX b) {                                        \
    T scale = fmax##SUFFIX(fabs##SUFFIX(b.x), fabs##SUFFIX(b.y));                                  \
    T ax = a.x / scale, ay = a.y / scale, bx = b.x / scale, by = b.y / scale;                      \
    T norm = bx * bx + by * by;                                                                    \
    return make_##COMPLEX((ax * bx + ay * by) / norm, (ay * bx - ax * by) / norm);                 \
  }                                                                                                \
  VX_COMPLEX COMPLEX cuCfma##SUFFIX(COMPLEX a, COMPLEX b, COMPLEX c) {                             \
    return make_##COMPLEX(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);               \
  }

VX_COMPLEX_FUNCTIONS(cuFloatComplex, float, f)
VX_COMPLEX_FUNCTIONS(cuDoubleComplex, double, )

VX_COMPLEX cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
VX_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
VX_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}

#undef VX_COMPLEX
#undef VX_COMPLEX_FUNCTIONS

#endif // VX_CUDA_CUCOMPLEX_H
