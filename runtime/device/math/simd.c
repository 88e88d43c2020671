// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD in a 32-bit word: two halves or four bytes. The PTX instructions (vadd2, vset4, …) are
// called by passes/import as __vxm_<op><n>_<s|u>[_sat|_add|_<comparison>]; the library functions
// __nv_v* are one of them each.

#include "vxmath.h"

/// Applies EXPR to each lane: x and y are its operands, extended by the sign (s) or zeros (u).
#define LANES(NAME, N, TYPE, EXPR)                                                                 \
  u32 NAME(u32 a, u32 b, u32 c) {                                                                  \
    u32 r = 0;                                                                                     \
    for (int i = 0; i < N; ++i) {                                                                  \
      const int bits = 32 / N, shift = i * bits;                                                   \
      s32 x = (TYPE)(a >> shift), y = (TYPE)(b >> shift);                                          \
      r |= ((u32)(EXPR) & (u32)((1ull << bits) - 1)) << shift;                                     \
    }                                                                                              \
    return r;                                                                                      \
  }
/// Does the same, and adds the lanes up, and C to them.
#define LANES_SUM(NAME, N, TYPE, EXPR)                                                             \
  u32 NAME(u32 a, u32 b, u32 c) {                                                                  \
    for (int i = 0; i < N; ++i) {                                                                  \
      const int shift = i * (32 / N);                                                              \
      s32 x = (TYPE)(a >> shift), y = (TYPE)(b >> shift);                                          \
      c += (u32)(EXPR);                                                                            \
    }                                                                                              \
    return c;                                                                                      \
  }
#define LIMIT(V, LOW, HIGH) ((V) < (LOW) ? (LOW) : (V) > (HIGH) ? (HIGH) : (V))
#define MAGNITUDE(V) ((V) < 0 ? -(V) : (V))

/// All operations on N lanes of type T (sign letter S), whose values lie in [LOW, HIGH].
#define OPERATIONS(N, T, S, LOW, HIGH)                                                             \
  LANES(__vxm_vadd##N##_##S, N, T, x + y)                                                          \
  LANES(__vxm_vadd##N##_##S##_sat, N, T, LIMIT(x + y, LOW, HIGH))                                  \
  LANES(__vxm_vsub##N##_##S, N, T, x - y)                                                          \
  LANES(__vxm_vsub##N##_##S##_sat, N, T, LIMIT(x - y, LOW, HIGH))                                  \
  LANES(__vxm_vavrg##N##_##S, N, T, (x + y + (x + y >= 0)) >> 1)                                   \
  LANES(__vxm_vabsdiff##N##_##S, N, T, MAGNITUDE(x - y))                                           \
  LANES(__vxm_vabsdiff##N##_##S##_sat, N, T, LIMIT(MAGNITUDE(x - y), LOW, HIGH))                   \
  LANES_SUM(__vxm_vabsdiff##N##_##S##_add, N, T, MAGNITUDE(x - y))                                 \
  LANES(__vxm_vmin##N##_##S, N, T, x < y ? x : y)                                                  \
  LANES(__vxm_vmax##N##_##S, N, T, x > y ? x : y)                                                  \
  LANES(__vxm_vset##N##_##S##_eq, N, T, x == y)                                                    \
  LANES(__vxm_vset##N##_##S##_ne, N, T, x != y)                                                    \
  LANES(__vxm_vset##N##_##S##_lt, N, T, x < y)                                                     \
  LANES(__vxm_vset##N##_##S##_le, N, T, x <= y)                                                    \
  LANES(__vxm_vset##N##_##S##_gt, N, T, x > y)                                                     \
  LANES(__vxm_vset##N##_##S##_ge, N, T, x >= y)
OPERATIONS(2, s16, s, -32768, 32767)
OPERATIONS(2, u16, u, 0, 65535)
OPERATIONS(4, s8, s, -128, 127)
OPERATIONS(4, u8, u, 0, 255)

/// Lanes of 0 or 1 to lanes of zeros or ones.
VX_INLINE u32 masks2(u32 ones) {
  return ones * 0xffff;
}
VX_INLINE u32 masks4(u32 ones) {
  return ones * 0xff;
}

#define NAMES(N)                                                                                   \
  u32 __nv_vadd##N(u32 a, u32 b) {                                                                 \
    return __vxm_vadd##N##_u(a, b, 0);                                                             \
  }                                                                                                \
  u32 __nv_vaddss##N(u32 a, u32 b) {                                                               \
    return __vxm_vadd##N##_s_sat(a, b, 0);                                                         \
  }                                                                                                \
  u32 __nv_vaddus##N(u32 a, u32 b) {                                                               \
    return __vxm_vadd##N##_u_sat(a, b, 0);                                                         \
  }                                                                                                \
  u32 __nv_vsub##N(u32 a, u32 b) {                                                                 \
    return __vxm_vsub##N##_u(a, b, 0);                                                             \
  }                                                                                                \
  u32 __nv_vsubss##N(u32 a, u32 b) {                                                               \
    return __vxm_vsub##N##_s_sat(a, b, 0);                                                         \
  }                                                                                                \
  u32 __nv_vsubus##N(u32 a, u32 b) {                                                               \
    return __vxm_vsub##N##_u_sat(a, b, 0);                                                         \
  }                                                                                                \
  u32 __nv_vneg##N(u32 a) {                                                                        \
    return __vxm_vsub##N##_u(0, a, 0);                                                             \
  }                                                                                                \
  u32 __nv_vnegss##N(u32 a) {                                                                      \
    return __vxm_vsub##N##_s_sat(0, a, 0);                                                         \
  }                                                                                                \
  u32 __nv_vabs##N(u32 a) {                                                                        \
    return __vxm_vabsdiff##N##_s(a, 0, 0);                                                         \
  }                                                                                                \
  u32 __nv_vabsss##N(u32 a) {                                                                      \
    return __vxm_vabsdiff##N##_s_sat(a, 0, 0);                                                     \
  }                                                                                                \
  u32 __nv_vabsdiffs##N(u32 a, u32 b) {                                                            \
    return __vxm_vabsdiff##N##_s(a, b, 0);                                                         \
  }                                                                                                \
  u32 __nv_vabsdiffu##N(u32 a, u32 b) {                                                            \
    return __vxm_vabsdiff##N##_u(a, b, 0);                                                         \
  }                                                                                                \
  u32 __nv_vsads##N(u32 a, u32 b) {                                                                \
    return __vxm_vabsdiff##N##_s_add(a, b, 0);                                                     \
  }                                                                                                \
  u32 __nv_vsadu##N(u32 a, u32 b) {                                                                \
    return __vxm_vabsdiff##N##_u_add(a, b, 0);                                                     \
  }                                                                                                \
  u32 __nv_vavgs##N(u32 a, u32 b) {                                                                \
    return __vxm_vavrg##N##_s(a, b, 0);                                                            \
  }                                                                                                \
  u32 __nv_vavgu##N(u32 a, u32 b) {                                                                \
    return __vxm_vavrg##N##_u(a, b, 0);                                                            \
  }                                                                                                \
  u32 __nv_vmaxs##N(u32 a, u32 b) {                                                                \
    return __vxm_vmax##N##_s(a, b, 0);                                                             \
  }                                                                                                \
  u32 __nv_vmaxu##N(u32 a, u32 b) {                                                                \
    return __vxm_vmax##N##_u(a, b, 0);                                                             \
  }                                                                                                \
  u32 __nv_vmins##N(u32 a, u32 b) {                                                                \
    return __vxm_vmin##N##_s(a, b, 0);                                                             \
  }                                                                                                \
  u32 __nv_vminu##N(u32 a, u32 b) {                                                                \
    return __vxm_vmin##N##_u(a, b, 0);                                                             \
  }
NAMES(2)
NAMES(4)
u32 __nv_vhaddu2(u32 a, u32 b) {
  return ((a ^ b) >> 1 & 0x7fff7fff) + (a & b);
}
u32 __nv_vhaddu4(u32 a, u32 b) {
  return ((a ^ b) >> 1 & 0x7f7f7f7f) + (a & b);
}

/// NAME is the comparison with the sign letter where it matters (ges, geu); OP and S select it.
#define COMPARISON(N, NAME, S, OP)                                                                 \
  u32 __nv_vset##NAME##N(u32 a, u32 b) {                                                           \
    return __vxm_vset##N##_##S##_##OP(a, b, 0);                                                    \
  }                                                                                                \
  u32 __nv_vcmp##NAME##N(u32 a, u32 b) {                                                           \
    return masks##N(__vxm_vset##N##_##S##_##OP(a, b, 0));                                          \
  }
#define COMPARISONS(N)                                                                             \
  COMPARISON(N, eq, u, eq)                                                                         \
  COMPARISON(N, ne, u, ne)                                                                         \
  COMPARISON(N, lts, s, lt)                                                                        \
  COMPARISON(N, ltu, u, lt)                                                                        \
  COMPARISON(N, les, s, le)                                                                        \
  COMPARISON(N, leu, u, le)                                                                        \
  COMPARISON(N, gts, s, gt)                                                                        \
  COMPARISON(N, gtu, u, gt)                                                                        \
  COMPARISON(N, ges, s, ge)                                                                        \
  COMPARISON(N, geu, u, ge)
COMPARISONS(2)
COMPARISONS(4)
