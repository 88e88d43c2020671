// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DPX functions (CUDA Math API, "SIMD Intrinsics" and "DPX"): sums, minima and maxima of 32-bit
// integers or of pairs of 16-bit ones, as dynamic programming has them. For host and device.

#ifndef VX_CUDA_DPX_H
#define VX_CUDA_DPX_H

#define VX_DPX static __inline__ __host__ __device__ __attribute__((always_inline, __nodebug__))

VX_DPX int __vx_max(int a, int b) { return a > b ? a : b; }
VX_DPX int __vx_min(int a, int b) { return a < b ? a : b; }
VX_DPX unsigned __vx_max(unsigned a, unsigned b) { return a > b ? a : b; }
VX_DPX unsigned __vx_min(unsigned a, unsigned b) { return a < b ? a : b; }

// Sums wrap around at the width of a part.
#define VX_DPX_32(S, T)                                                                            \
  VX_DPX T __vimax3_##S(T a, T b, T c) { return __vx_max(__vx_max(a, b), c); }                     \
  VX_DPX T __vimin3_##S(T a, T b, T c) { return __vx_min(__vx_min(a, b), c); }                     \
  VX_DPX T __viaddmax_##S(T a, T b, T c) { return __vx_max((T)((unsigned)a + (unsigned)b), c); }   \
  VX_DPX T __viaddmin_##S(T a, T b, T c) { return __vx_min((T)((unsigned)a + (unsigned)b), c); }   \
  VX_DPX T __vibmax_##S(T a, T b, bool *const isFirst) {                                           \
    *isFirst = a >= b;                                                                             \
    return __vx_max(a, b);                                                                         \
  }                                                                                                \
  VX_DPX T __vibmin_##S(T a, T b, bool *const isFirst) {                                           \
    *isFirst = a <= b;                                                                             \
    return __vx_min(a, b);                                                                         \
  }
VX_DPX_32(s32, int)
VX_DPX_32(u32, unsigned)
#undef VX_DPX_32

// With _relu, a negative result becomes 0.
VX_DPX int __vimax_s32_relu(int a, int b) { return __vx_max(__vx_max(a, b), 0); }
VX_DPX int __vimin_s32_relu(int a, int b) { return __vx_max(__vx_min(a, b), 0); }
VX_DPX int __vimax3_s32_relu(int a, int b, int c) { return __vx_max(__vimax3_s32(a, b, c), 0); }
VX_DPX int __vimin3_s32_relu(int a, int b, int c) { return __vx_max(__vimin3_s32(a, b, c), 0); }
VX_DPX int __viaddmax_s32_relu(int a, int b, int c) { return __vx_max(__viaddmax_s32(a, b, c), 0); }
VX_DPX int __viaddmin_s32_relu(int a, int b, int c) { return __vx_max(__viaddmin_s32(a, b, c), 0); }

#define VX_DPX_LOW(T, X) ((T)(unsigned short)(X))
#define VX_DPX_HIGH(T, X) ((T)(unsigned short)((X) >> 16))
#define VX_DPX_BOTH(HIGH, LOW) ((unsigned)(unsigned short)(HIGH) << 16 | (unsigned short)(LOW))
// A function of three pairs whose parts of type T go through EXPRESSION in x, y and z.
#define VX_DPX_3(NAME, T, WIDE, EXPRESSION)                                                        \
  VX_DPX WIDE NAME##_part(WIDE x, WIDE y, WIDE z) { return EXPRESSION; }                           \
  VX_DPX unsigned NAME(unsigned a, unsigned b, unsigned c) {                                       \
    return VX_DPX_BOTH(NAME##_part(VX_DPX_HIGH(T, a), VX_DPX_HIGH(T, b), VX_DPX_HIGH(T, c)),       \
                       NAME##_part(VX_DPX_LOW(T, a), VX_DPX_LOW(T, b), VX_DPX_LOW(T, c)));         \
  }
#define VX_DPX_16(S, T, WIDE)                                                                      \
  VX_DPX_3(__vimax3_##S, T, WIDE, __vx_max(__vx_max(x, y), z))                                     \
  VX_DPX_3(__vimin3_##S, T, WIDE, __vx_min(__vx_min(x, y), z))                                     \
  VX_DPX_3(__viaddmax_##S, T, WIDE, __vx_max((WIDE)(T)(x + y), z))                                 \
  VX_DPX_3(__viaddmin_##S, T, WIDE, __vx_min((WIDE)(T)(x + y), z))                                 \
  VX_DPX unsigned __vibmax_##S(unsigned a, unsigned b, bool *const high, bool *const low) {        \
    *high = VX_DPX_HIGH(T, a) >= VX_DPX_HIGH(T, b);                                                \
    *low = VX_DPX_LOW(T, a) >= VX_DPX_LOW(T, b);                                                   \
    return __vimax3_##S(a, b, a);                                                                  \
  }                                                                                                \
  VX_DPX unsigned __vibmin_##S(unsigned a, unsigned b, bool *const high, bool *const low) {        \
    *high = VX_DPX_HIGH(T, a) <= VX_DPX_HIGH(T, b);                                                \
    *low = VX_DPX_LOW(T, a) <= VX_DPX_LOW(T, b);                                                   \
    return __vimin3_##S(a, b, a);                                                                  \
  }
VX_DPX_16(s16x2, short, int)
VX_DPX_16(u16x2, unsigned short, unsigned)
VX_DPX_3(__vimax3_s16x2_relu, short, int, __vx_max(__vimax3_s16x2_part(x, y, z), 0))
VX_DPX_3(__vimin3_s16x2_relu, short, int, __vx_max(__vimin3_s16x2_part(x, y, z), 0))
VX_DPX_3(__viaddmax_s16x2_relu, short, int, __vx_max(__viaddmax_s16x2_part(x, y, z), 0))
VX_DPX_3(__viaddmin_s16x2_relu, short, int, __vx_max(__viaddmin_s16x2_part(x, y, z), 0))
VX_DPX unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2_relu(a, b, b); }
VX_DPX unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vimin3_s16x2_relu(a, b, b); }

#undef VX_DPX_3
#undef VX_DPX_16
#undef VX_DPX_LOW
#undef VX_DPX_HIGH
#undef VX_DPX_BOTH
#undef VX_DPX

#endif // VX_CUDA_DPX_H
