// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer functions: CUDA's integer intrinsics and the PTX instructions that passes/import leaves
// to this library.

#include "vxmath.h"

int __nv_abs(int x) {
  return x < 0 ? (int)-(u32)x : x;
}
s64 __nv_llabs(s64 x) {
  return x < 0 ? (s64) - (u64)x : x;
}
int __nv_min(int x, int y) {
  return x < y ? x : y;
}
int __nv_max(int x, int y) {
  return x > y ? x : y;
}
u32 __nv_umin(u32 x, u32 y) {
  return x < y ? x : y;
}
u32 __nv_umax(u32 x, u32 y) {
  return x > y ? x : y;
}
s64 __nv_llmin(s64 x, s64 y) {
  return x < y ? x : y;
}
s64 __nv_llmax(s64 x, s64 y) {
  return x > y ? x : y;
}
u64 __nv_ullmin(u64 x, u64 y) {
  return x < y ? x : y;
}
u64 __nv_ullmax(u64 x, u64 y) {
  return x > y ? x : y;
}

int __nv_popc(u32 x) {
  return __builtin_popcount(x);
}
int __nv_popcll(u64 x) {
  return __builtin_popcountll(x);
}
int __nv_clz(int x) {
  return __builtin_clzg((u32)x, 32);
}
int __nv_clzll(s64 x) {
  return __builtin_clzg((u64)x, 64);
}
int __nv_ffs(int x) {
  return __builtin_ctzg((u32)x, -1) + 1;
}
int __nv_ffsll(s64 x) {
  return __builtin_ctzg((u64)x, -1) + 1;
}
int __nv_brev(int x) {
  return (int)__builtin_bitreverse32((u32)x);
}
s64 __nv_brevll(s64 x) {
  return (s64)__builtin_bitreverse64((u64)x);
}

int __nv_mulhi(int x, int y) {
  return (int)((s64)x * y >> 32);
}
u32 __nv_umulhi(u32 x, u32 y) {
  return (u32)((u64)x * y >> 32);
}

/// The high half of a 64-bit product from 32-bit halves: no 128-bit arithmetic on RV32.
u64 __nv_umul64hi(u64 x, u64 y) {
  u64 xl = (u32)x, xh = x >> 32, yl = (u32)y, yh = y >> 32;
  u64 middle = xh * yl + (xl * yl >> 32);
  u64 cross = xl * yh + (u32)middle;
  return xh * yh + (middle >> 32) + (cross >> 32);
}
s64 __nv_mul64hi(s64 x, s64 y) {
  u64 high = __nv_umul64hi((u64)x, (u64)y);
  return (s64)(high - (x < 0 ? (u64)y : 0) - (y < 0 ? (u64)x : 0));
}
int __nv_mul24(int x, int y) {
  return (int)((u32)((int)((u32)x << 8) >> 8) * (u32)((int)((u32)y << 8) >> 8));
}
u32 __nv_umul24(u32 x, u32 y) {
  return (x & 0xffffff) * (y & 0xffffff);
}

u32 __nv_sad(int x, int y, u32 z) {
  return (x > y ? (u32)x - (u32)y : (u32)y - (u32)x) + z;
}
u32 __nv_usad(u32 x, u32 y, u32 z) {
  return (x > y ? x - y : y - x) + z;
}
int __nv_hadd(int x, int y) {
  return (int)(((s64)x + y) >> 1);
}
int __nv_rhadd(int x, int y) {
  return (int)(((s64)x + y + 1) >> 1);
}
u32 __nv_uhadd(u32 x, u32 y) {
  return (u32)(((u64)x + y) >> 1);
}
u32 __nv_urhadd(u32 x, u32 y) {
  return (u32)(((u64)x + y + 1) >> 1);
}

/// Byte number SELECTOR (bits 0..2) of HIGH:LOW; bit 3 repeats the byte's sign instead.
VX_INLINE u32 permuteByte(u64 bytes, u32 selector) {
  u32 byte = (u32)(bytes >> ((selector & 7) * 8)) & 0xff;
  u32 sign = byte & 0x80 ? 0xff : 0;
  return selector & 8 ? sign : byte;
}
u32 __vxm_prmt(u32 low, u32 high, u32 selector) {
  u64 bytes = (u64)high << 32 | low;
  u32 r = 0;
  for (int i = 0; i < 4; ++i)
    r |= permuteByte(bytes, selector >> (4 * i)) << (8 * i);
  return r;
}
/// CUDA's function leaves bit 3 out.
int __nv_byte_perm(int low, int high, int selector) {
  return (int)__vxm_prmt((u32)low, (u32)high, (u32)selector & 0x7777);
}

// The special modes of prmt. In PTX all take three operands; the intrinsics of the last four have
// no high operand.
u32 __vxm_ptx_prmt_f4e(u32 low, u32 high, u32 selector) {
  return (u32)(((u64)high << 32 | low) >> (8 * (selector & 3)));
}
u32 __vxm_ptx_prmt_b4e(u32 low, u32 high, u32 selector) {
  u64 bytes = (u64)high << 32 | low;
  u32 r = 0;
  for (u32 i = 0; i < 4; ++i)
    r |= permuteByte(bytes, ((selector & 3) - i) & 7) << (8 * i);
  return r;
}
u32 __vxm_ptx_prmt_rc8(u32 low, u32 high, u32 selector) {
  return (low >> (8 * (selector & 3)) & 0xff) * 0x01010101u;
}
u32 __vxm_ptx_prmt_ecl(u32 low, u32 high, u32 selector) {
  u32 r = 0;
  for (u32 i = 0, s = selector & 3; i < 4; ++i)
    r |= permuteByte(low, i > s ? i : s) << (8 * i);
  return r;
}
u32 __vxm_ptx_prmt_ecr(u32 low, u32 high, u32 selector) {
  u32 r = 0;
  for (u32 i = 0, s = selector & 3; i < 4; ++i)
    r |= permuteByte(low, i < s ? i : s) << (8 * i);
  return r;
}
u32 __vxm_ptx_prmt_rc16(u32 low, u32 high, u32 selector) {
  return (low >> (16 * (selector & 1)) & 0xffff) * 0x00010001u;
}
u32 __vxm_prmt_f4e(u32 a, u32 b, u32 s) {
  return __vxm_ptx_prmt_f4e(a, b, s);
}
u32 __vxm_prmt_b4e(u32 a, u32 b, u32 s) {
  return __vxm_ptx_prmt_b4e(a, b, s);
}
u32 __vxm_prmt_rc8(u32 a, u32 s) {
  return __vxm_ptx_prmt_rc8(a, 0, s);
}
u32 __vxm_prmt_ecl(u32 a, u32 s) {
  return __vxm_ptx_prmt_ecl(a, 0, s);
}
u32 __vxm_prmt_ecr(u32 a, u32 s) {
  return __vxm_ptx_prmt_ecr(a, 0, s);
}
u32 __vxm_prmt_rc16(u32 a, u32 s) {
  return __vxm_ptx_prmt_rc16(a, 0, s);
}

/// A mask of LENGTH ones from bit START up. `clamp` limits both operands to 32, `wrap` to 5 bits.
u32 __vxm_bmsk_clamp(u32 start, u32 length) {
  u64 ones = ((u64)1 << (length > 32 ? 32 : length)) - 1;
  return start > 31 ? 0 : (u32)(ones << start);
}
u32 __vxm_bmsk_wrap(u32 start, u32 length) {
  return (u32)((((u64)1 << (length & 31)) - 1) << (start & 31));
}

/// The low N bits of X, extended to 32 bits.
u32 __vxm_zext_clamp(u32 x, u32 n) {
  return (u32)(x & (((u64)1 << (n > 32 ? 32 : n)) - 1));
}
u32 __vxm_zext_wrap(u32 x, u32 n) {
  return __vxm_zext_clamp(x, n & 31);
}
s32 __vxm_sext_clamp(s32 x, u32 n) {
  u32 shift = n > 32 ? 0 : 32 - n;
  return n == 0 ? 0 : (s32)((u32)x << (shift & 31)) >> (shift & 31);
}
s32 __vxm_sext_wrap(s32 x, u32 n) {
  return __vxm_sext_clamp(x, n & 31);
}

/// The position of the N-th set bit of MASK from BASE up (n > 0) or down (n < 0), base included.
u32 __vxm_fns(u32 mask, u32 base, s32 n) {
  if (n == 0)
    return mask >> (base & 31) & 1 ? base : 0xffffffff;
  u32 wanted = n < 0 ? (u32)-n : (u32)n;
  u32 position = base, found = 0xffffffff;
  for (u32 i = 0; i < 32; ++i) {
    u32 bit = position < 32 ? mask >> position & 1 : 0;
    wanted -= bit;
    found = bit && wanted == 0 ? position : found;
    position += n < 0 ? (u32)-1 : 1;
  }
  return found;
}

// Bit fields. Only the low 8 bits of position and length count.
u32 __vxm_bfe_u32(u32 x, u32 position, u32 length) {
  position &= 0xff, length &= 0xff;
  u32 shifted = position < 32 ? x >> position : 0;
  return length < 32 ? shifted & (((u32)1 << length) - 1) : shifted;
}
u64 __vxm_bfe_u64(u64 x, u32 position, u32 length) {
  position &= 0xff, length &= 0xff;
  u64 shifted = position < 64 ? x >> position : 0;
  return length < 64 ? shifted & (((u64)1 << length) - 1) : shifted;
}
/// The field is extended by its top bit, or by the sign of x when it reaches beyond it.
s64 __vxm_bfe_s64(s64 x, u32 position, u32 length) {
  position &= 0xff, length &= 0xff;
  s64 shifted = x >> (position < 63 ? position : 63);
  u32 unused = length < 64 ? 64 - length : 0;
  return length == 0 ? 0 : (s64)((u64)shifted << unused) >> unused;
}
s32 __vxm_bfe_s32(s32 x, u32 position, u32 length) {
  return (s32)__vxm_bfe_s64(x, position, length);
}
u64 __vxm_bfi_b64(u64 field, u64 into, u32 position, u32 length) {
  position &= 0xff, length &= 0xff;
  u64 ones = length < 64 ? ((u64)1 << length) - 1 : ~(u64)0;
  u64 mask = position < 64 ? ones << (position & 63) : 0;
  return (into & ~mask) | (field << (position & 63) & mask);
}
u32 __vxm_bfi_b32(u32 field, u32 into, u32 position, u32 length) {
  return (u32)__vxm_bfi_b64(field, into, position, length);
}

#define DOT4(NAME, A, B)                                                                           \
  s32 NAME(u32 a, u32 b, s32 c) {                                                                  \
    for (int i = 0; i < 4; ++i)                                                                    \
      c = (s32)((u32)c + (u32)((s32)(A)(a >> (8 * i)) * (s32)(B)(b >> (8 * i))));                  \
    return c;                                                                                      \
  }
DOT4(__vxm_dp4a_ss, s8, s8)
DOT4(__vxm_dp4a_su, s8, u8)
DOT4(__vxm_dp4a_us, u8, s8)
DOT4(__vxm_dp4a_uu, u8, u8)

#define DOT2(NAME, A, B, FIRST)                                                                    \
  s32 NAME(u32 a, u32 b, s32 c) {                                                                  \
    for (int i = 0; i < 2; ++i)                                                                    \
      c = (s32)((u32)c + (u32)((s32)(A)(a >> (16 * i)) * (s32)(B)(b >> (8 * (FIRST + i)))));       \
    return c;                                                                                      \
  }
DOT2(__vxm_dp2a_lo_ss, s16, s8, 0)
DOT2(__vxm_dp2a_lo_su, s16, u8, 0)
DOT2(__vxm_dp2a_lo_us, u16, s8, 0)
DOT2(__vxm_dp2a_lo_uu, u16, u8, 0)
DOT2(__vxm_dp2a_hi_ss, s16, s8, 2)
DOT2(__vxm_dp2a_hi_su, s16, u8, 2)
DOT2(__vxm_dp2a_hi_us, u16, s8, 2)
DOT2(__vxm_dp2a_hi_uu, u16, u8, 2)
