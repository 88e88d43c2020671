// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that the files about sub-groups share: masks, and shuffles of values of every size.

#ifndef VX_FRONTEND_OPENCL_DEVICE_SUBGROUPS_H
#define VX_FRONTEND_OPENCL_DEVICE_SUBGROUPS_H

#include "frontend/opencl/device/Device.h"

#define VX_HELPER static inline __attribute__((always_inline, overloadable, nodebug, unused))

/// Returns the work-items of a sub-group: 8, 16 or 32.
VX_HELPER uint vxSize(void) {
  return __vx_opencl_sub_group_size();
}
/// Returns the first lane of the sub-group in its warp; vxLane(), the caller's place in it.
VX_HELPER uint vxBase(void) {
  return __nvvm_read_ptx_sreg_laneid() & ~(vxSize() - 1);
}
VX_HELPER uint vxLane(void) {
  return __nvvm_read_ptx_sreg_laneid() & (vxSize() - 1);
}
/// Returns a bit for each work-item of a full sub-group; vxExisting(), of this one.
VX_HELPER uint vxBits(void) {
  return ~0u >> (32 - vxSize());
}
VX_HELPER uint vxExisting(void) {
  uint left = vxLocalLinearSize() - (vxLocalLinearId() & ~(vxSize() - 1));
  return left < vxSize() ? (1u << left) - 1 : vxBits();
}
/// Returns the whole sub-group as lanes of the warp; vxHere(), those of it that run together here.
VX_HELPER uint vxAll(void) {
  return vxBits() << vxBase();
}
VX_HELPER uint vxHere(void) {
  return __nvvm_activemask() & vxAll();
}
VX_HELPER uint vxFirst(uint mask) {
  return ctz(mask);
}

#define VX_SEGMENT (((32 - vxSize()) << 8) | 31)
__attribute__((convergent)) ulong __vx_shfl_idx_64(uint mask, ulong value, uint lane, uint segment);

// vxIdx: VALUE of work-item LANE of the sub-group.
#define VX_SHUFFLE_32(T, TO, FROM)                                                                 \
  VX_HELPER T vxIdx(uint mask, T value, uint lane) {                                               \
    return FROM(__nvvm_shfl_sync_idx_i32(mask, TO(value), lane, VX_SEGMENT));                      \
  }
#define VX_SHUFFLE_64(T, TO, FROM)                                                                 \
  VX_HELPER T vxIdx(uint mask, T value, uint lane) {                                               \
    return FROM(__vx_shfl_idx_64(mask, TO(value), lane, VX_SEGMENT));                              \
  }
VX_SHUFFLE_32(char, (int), (char))
VX_SHUFFLE_32(uchar, (int), (uchar))
VX_SHUFFLE_32(short, (int), (short))
VX_SHUFFLE_32(ushort, (int), (ushort))
VX_SHUFFLE_32(int, (int), (int))
VX_SHUFFLE_32(uint, (int), (uint))
VX_SHUFFLE_32(float, as_int, as_float)
VX_SHUFFLE_64(long, (ulong), (long))
VX_SHUFFLE_64(ulong, (ulong), (ulong))
VX_SHUFFLE_64(double, as_ulong, as_double)

#define VX_FOR_SCALARS(M)                                                                          \
  M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong) M(float) M(double)

// R.s = F(MASK, V.s, I) for each element.
#define VX_ELEMENTS_2(R, V, F, MASK, I)                                                            \
  R.x = F(MASK, V.x, I);                                                                           \
  R.y = F(MASK, V.y, I);
#define VX_ELEMENTS_3(R, V, F, MASK, I) VX_ELEMENTS_2(R, V, F, MASK, I) R.z = F(MASK, V.z, I);
#define VX_ELEMENTS_4(R, V, F, MASK, I) VX_ELEMENTS_3(R, V, F, MASK, I) R.w = F(MASK, V.w, I);
#define VX_ELEMENTS_8(R, V, F, MASK, I)                                                            \
  VX_ELEMENTS_4(R, V, F, MASK, I)                                                                  \
  R.s4 = F(MASK, V.s4, I);                                                                         \
  R.s5 = F(MASK, V.s5, I);                                                                         \
  R.s6 = F(MASK, V.s6, I);                                                                         \
  R.s7 = F(MASK, V.s7, I);
#define VX_ELEMENTS_16(R, V, F, MASK, I)                                                           \
  VX_ELEMENTS_8(R, V, F, MASK, I)                                                                  \
  R.s8 = F(MASK, V.s8, I);                                                                         \
  R.s9 = F(MASK, V.s9, I);                                                                         \
  R.sa = F(MASK, V.sa, I);                                                                         \
  R.sb = F(MASK, V.sb, I);                                                                         \
  R.sc = F(MASK, V.sc, I);                                                                         \
  R.sd = F(MASK, V.sd, I);                                                                         \
  R.se = F(MASK, V.se, I);                                                                         \
  R.sf = F(MASK, V.sf, I);

#endif // VX_FRONTEND_OPENCL_DEVICE_SUBGROUPS_H
