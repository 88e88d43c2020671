// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of vectors: that of scalars for each element. libclc computes on whole
// vectors, which for the device is the same code once for each element, without calls and without
// the branches around rare cases: ten times the code, and many times the registers that there are.

#define VX_OVERLOAD __attribute__((overloadable, nodebug))
// The loops have no trip count that depends on anything, and calls in them, or little code.
#define VX_ELEMENTS(N) _Pragma("unroll") for (int i = 0; i < N; ++i)

#define VX_UNARY_N(F, T, N)                                                                        \
  VX_OVERLOAD T##N F(T##N x) {                                                                     \
    T##N result;                                                                                   \
    VX_ELEMENTS(N) result[i] = F(x[i]);                                                            \
    return result;                                                                                 \
  }
#define VX_BINARY_N(F, T, U, N)                                                                    \
  VX_OVERLOAD T##N F(T##N x, U##N y) {                                                             \
    T##N result;                                                                                   \
    VX_ELEMENTS(N) result[i] = F(x[i], y[i]);                                                      \
    return result;                                                                                 \
  }
// These functions give a second result through a pointer.
#define VX_UNARY_TO_N(F, T, U, SPACE, N)                                                           \
  VX_OVERLOAD T##N F(T##N x, SPACE U##N *to) {                                                     \
    T##N result;                                                                                   \
    U##N second;                                                                                   \
    VX_ELEMENTS(N) {                                                                               \
      U element;                                                                                   \
      result[i] = F(x[i], &element);                                                               \
      second[i] = element;                                                                         \
    }                                                                                              \
    *to = second;                                                                                  \
    return result;                                                                                 \
  }
#define VX_BINARY_TO_N(F, T, U, SPACE, N)                                                          \
  VX_OVERLOAD T##N F(T##N x, T##N y, SPACE U##N *to) {                                             \
    T##N result;                                                                                   \
    U##N second;                                                                                   \
    VX_ELEMENTS(N) {                                                                               \
      U element;                                                                                   \
      result[i] = F(x[i], y[i], &element);                                                         \
      second[i] = element;                                                                         \
    }                                                                                              \
    *to = second;                                                                                  \
    return result;                                                                                 \
  }

#define VX_SIZES(MACRO, ...)                                                                       \
  MACRO(__VA_ARGS__, 2)                                                                            \
  MACRO(__VA_ARGS__, 3)                                                                            \
  MACRO(__VA_ARGS__, 4) MACRO(__VA_ARGS__, 8) MACRO(__VA_ARGS__, 16)
#define VX_SPACES(MACRO, ...)                                                                      \
  VX_SIZES(MACRO, __VA_ARGS__, __private)                                                          \
  VX_SIZES(MACRO, __VA_ARGS__, __global) VX_SIZES(MACRO, __VA_ARGS__, __local)

// The functions of scalars are libclc's: a file that overloads a name has to declare all of it.
#define VX_UNARY_OF(F, T)                                                                          \
  VX_OVERLOAD T F(T);                                                                              \
  VX_SIZES(VX_UNARY_N, F, T)
#define VX_BINARY_OF(F, T, U)                                                                      \
  VX_OVERLOAD T F(T, U);                                                                           \
  VX_SIZES(VX_BINARY_N, F, T, U)
#define VX_UNARY_TO_OF(F, T, U)                                                                    \
  VX_OVERLOAD T F(T, __private U *);                                                               \
  VX_SPACES(VX_UNARY_TO_N, F, T, U)
#define VX_BINARY_TO_OF(F, T, U)                                                                   \
  VX_OVERLOAD T F(T, T, __private U *);                                                            \
  VX_SPACES(VX_BINARY_TO_N, F, T, U)

#define VX_UNARY(F) VX_UNARY_OF(F, float) VX_UNARY_OF(F, double)
#define VX_BINARY(F) VX_BINARY_OF(F, float, float) VX_BINARY_OF(F, double, double)
#define VX_BINARY_INT(F) VX_BINARY_OF(F, float, int) VX_BINARY_OF(F, double, int)

VX_UNARY(acos)
VX_UNARY(acosh)
VX_UNARY(acospi)
VX_UNARY(asin)
VX_UNARY(asinh)
VX_UNARY(asinpi)
VX_UNARY(atan)
VX_UNARY(atanh)
VX_UNARY(atanpi)
VX_UNARY(cbrt)
VX_UNARY(cos)
VX_UNARY(cosh)
VX_UNARY(cospi)
VX_UNARY(erf)
VX_UNARY(erfc)
VX_UNARY(exp)
VX_UNARY(exp10)
VX_UNARY(exp2)
VX_UNARY(expm1)
VX_UNARY(lgamma)
VX_UNARY(log)
VX_UNARY(log10)
VX_UNARY(log1p)
VX_UNARY(log2)
VX_UNARY(rsqrt)
VX_UNARY(sin)
VX_UNARY(sinh)
VX_UNARY(sinpi)
VX_UNARY(sqrt)
VX_UNARY(tan)
VX_UNARY(tanh)
VX_UNARY(tanpi)
VX_UNARY(tgamma)
VX_UNARY_OF(half_cos, float)
VX_UNARY_OF(half_exp, float)
VX_UNARY_OF(half_exp10, float)
VX_UNARY_OF(half_exp2, float)
VX_UNARY_OF(half_log, float)
VX_UNARY_OF(half_log10, float)
VX_UNARY_OF(half_log2, float)
VX_UNARY_OF(half_sin, float)
VX_UNARY_OF(half_tan, float)

VX_BINARY(atan2)
VX_BINARY(atan2pi)
VX_BINARY(fmod)
VX_BINARY(hypot)
VX_BINARY(pow)
VX_BINARY(powr)
VX_BINARY(remainder)
VX_BINARY_INT(pown)
VX_BINARY_INT(rootn)
VX_BINARY_OF(half_powr, float, float)

VX_UNARY_TO_OF(lgamma_r, float, int)
VX_UNARY_TO_OF(lgamma_r, double, int)
VX_UNARY_TO_OF(sincos, float, float)
VX_UNARY_TO_OF(sincos, double, double)
VX_BINARY_TO_OF(remquo, float, int)
VX_BINARY_TO_OF(remquo, double, int)
