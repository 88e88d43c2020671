// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans over sub-groups: uniform, non-uniform and clustered. Reductions that the
// device compiler has (VxFunctions.def) are its; the others go over the lanes by shuffles.

#include "frontend/opencl/device/SubGroups.h"

#define VX_CONTRACT(NAME, T)                                                                       \
  __attribute__((convergent)) T __vx_reduce_##NAME(uint mask, T value, uint width);
VX_CONTRACT(add_i32, int)
VX_CONTRACT(add_i64, long) VX_CONTRACT(add_f32, float) VX_CONTRACT(add_f64, double)
    VX_CONTRACT(min_s32, int) VX_CONTRACT(min_u32, int) VX_CONTRACT(min_s64, long)
        VX_CONTRACT(min_u64, long) VX_CONTRACT(min_f32, float) VX_CONTRACT(min_f64, double)
            VX_CONTRACT(max_s32, int) VX_CONTRACT(max_u32, int) VX_CONTRACT(max_s64, long)
                VX_CONTRACT(max_u64, long) VX_CONTRACT(max_f32, float) VX_CONTRACT(max_f64, double)
                    VX_CONTRACT(and_i32, int) VX_CONTRACT(and_i64, long) VX_CONTRACT(or_i32, int)
                        VX_CONTRACT(or_i64, long) VX_CONTRACT(xor_i32, int)
                            VX_CONTRACT(xor_i64, long)

    /// Returns the width that a reduction over the whole sub-group may promise: a sub-group that is
    /// not full promises nothing.
    VX_HELPER uint vxFullWidth(void) {
  return vxLocalLinearSize() % vxSize() == 0 ? vxSize() : 0;
}

// OP over the lanes of MASK (of the sub-group) that SELECT(i) names, in order.
#define VX_WALK(T, MASK, VALUE, IDENTITY, OP, SELECT)                                              \
  uint base = vxBase();                                                                            \
  T result = IDENTITY;                                                                             \
  for (uint i = 0; i != vxSize(); ++i) {                                                           \
    T other = vxIdx(MASK, VALUE, i);                                                               \
    if ((MASK >> (base + i) & 1) && (SELECT))                                                      \
      result = OP(result, other);                                                                  \
  }                                                                                                \
  return result;

#define VX_ADD(A, B) ((A) + (B))
#define VX_MUL(A, B) ((A) * (B))
#define VX_AND(A, B) ((A) & (B))
#define VX_OR(A, B) ((A) | (B))
#define VX_XOR(A, B) ((A) ^ (B))
#define VX_LAND(A, B) ((A) && (B))
#define VX_LOR(A, B) ((A) || (B))
#define VX_LXOR(A, B) (!(A) != !(B))

// A scan over a full mask takes log2 steps, one over a mask with holes goes over the lanes.
#define VX_SCANS(T, NAME, OP, IDENTITY)                                                            \
  VX_INLINE T sub_group_scan_inclusive_##NAME(T v) {                                               \
    uint all = vxAll(), lane = vxLane();                                                           \
    for (uint d = 1; d < vxSize(); d *= 2) {                                                       \
      T other = vxIdx(all, v, lane - d);                                                           \
      v = lane >= d ? OP(other, v) : v;                                                            \
    }                                                                                              \
    return v;                                                                                      \
  }                                                                                                \
  VX_INLINE T sub_group_scan_exclusive_##NAME(T v) {                                               \
    T before = vxIdx(vxAll(), sub_group_scan_inclusive_##NAME(v), vxLane() - 1);                   \
    return vxLane() == 0 ? (T)(IDENTITY) : before;                                                 \
  }
#define VX_NON_UNIFORM_SCANS(T, NAME, OP, IDENTITY)                                                \
  VX_INLINE T sub_group_non_uniform_scan_inclusive_##NAME(T v) {                                   \
    uint here = vxHere();                                                                          \
    VX_WALK(T, here, v, IDENTITY, OP, i <= vxLane())                                               \
  }                                                                                                \
  VX_INLINE T sub_group_non_uniform_scan_exclusive_##NAME(T v) {                                   \
    uint here = vxHere();                                                                          \
    VX_WALK(T, here, v, IDENTITY, OP, i < vxLane())                                                \
  }

// Reductions by the contract, in type C.
#define VX_REDUCE_BY(T, C, NAME, FN)                                                               \
  VX_INLINE T sub_group_reduce_##NAME(T v) {                                                       \
    return (T)__vx_reduce_##FN(vxAll(), (C)v, vxFullWidth());                                      \
  }
#define VX_NON_UNIFORM_REDUCE_BY(T, C, NAME, FN)                                                   \
  VX_INLINE T sub_group_non_uniform_reduce_##NAME(T v) {                                           \
    return (T)__vx_reduce_##FN(vxHere(), (C)v, 0);                                                 \
  }                                                                                                \
  VX_INLINE T sub_group_clustered_reduce_##NAME(T v, uint size) {                                  \
    return (T)__vx_reduce_##FN(vxCluster(size), (C)v, 0);                                          \
  }
#define VX_NON_UNIFORM_REDUCE_WALK(T, NAME, OP, IDENTITY)                                          \
  VX_INLINE T sub_group_non_uniform_reduce_##NAME(T v) {                                           \
    uint here = vxHere();                                                                          \
    VX_WALK(T, here, v, IDENTITY, OP, true)                                                        \
  }                                                                                                \
  VX_INLINE T sub_group_clustered_reduce_##NAME(T v, uint size) {                                  \
    uint here = vxHere(), first = vxLane() & ~(size - 1);                                          \
    VX_WALK(T, here, v, IDENTITY, OP, i - first < size)                                            \
  }

/// Returns the lanes here of the caller's cluster of SIZE.
VX_HELPER uint vxCluster(uint size) {
  uint first = __nvvm_read_ptx_sreg_laneid() & ~(size - 1);
  return vxHere() & (~0u >> (32 - size)) << first;
}

#define VX_ARITHMETIC(T, C, ADD, MIN, MAX, LOWEST, HIGHEST)                                        \
  VX_REDUCE_BY(T, C, add, ADD)                                                                     \
  VX_REDUCE_BY(T, C, min, MIN)                                                                     \
  VX_REDUCE_BY(T, C, max, MAX)                                                                     \
  VX_SCANS(T, add, VX_ADD, 0)                                                                      \
  VX_SCANS(T, min, min, HIGHEST)                                                                   \
  VX_SCANS(T, max, max, LOWEST)                                                                    \
  VX_NON_UNIFORM_REDUCE_BY(T, C, add, ADD)                                                         \
  VX_NON_UNIFORM_REDUCE_BY(T, C, min, MIN)                                                         \
  VX_NON_UNIFORM_REDUCE_BY(T, C, max, MAX)                                                         \
  VX_NON_UNIFORM_REDUCE_WALK(T, mul, VX_MUL, 1)                                                    \
  VX_NON_UNIFORM_SCANS(T, add, VX_ADD, 0)                                                          \
  VX_NON_UNIFORM_SCANS(T, mul, VX_MUL, 1)                                                          \
  VX_NON_UNIFORM_SCANS(T, min, min, HIGHEST)                                                       \
  VX_NON_UNIFORM_SCANS(T, max, max, LOWEST)
#define VX_BITWISE(T, C, BITS)                                                                     \
  VX_NON_UNIFORM_REDUCE_BY(T, C, and, and_##BITS)                                                  \
  VX_NON_UNIFORM_REDUCE_BY(T, C, or, or_##BITS)                                                    \
  VX_NON_UNIFORM_REDUCE_BY(T, C, xor, xor_##BITS)                                                  \
  VX_NON_UNIFORM_SCANS(T, and, VX_AND, (T) ~(T)0)                                                  \
  VX_NON_UNIFORM_SCANS(T, or, VX_OR, 0)                                                            \
  VX_NON_UNIFORM_SCANS(T, xor, VX_XOR, 0)

VX_ARITHMETIC(char, int, add_i32, min_s32, max_s32, CHAR_MIN, CHAR_MAX)
VX_ARITHMETIC(uchar, int, add_i32, min_u32, max_u32, 0, UCHAR_MAX)
VX_ARITHMETIC(short, int, add_i32, min_s32, max_s32, SHRT_MIN, SHRT_MAX)
VX_ARITHMETIC(ushort, int, add_i32, min_u32, max_u32, 0, USHRT_MAX)
VX_ARITHMETIC(int, int, add_i32, min_s32, max_s32, INT_MIN, INT_MAX)
VX_ARITHMETIC(uint, int, add_i32, min_u32, max_u32, 0, UINT_MAX)
VX_ARITHMETIC(long, long, add_i64, min_s64, max_s64, LONG_MIN, LONG_MAX)
VX_ARITHMETIC(ulong, long, add_i64, min_u64, max_u64, 0, ULONG_MAX)
VX_ARITHMETIC(float, float, add_f32, min_f32, max_f32, -INFINITY, INFINITY)
VX_ARITHMETIC(double, double, add_f64, min_f64, max_f64, -INFINITY, INFINITY)
VX_BITWISE(char, int, i32)
VX_BITWISE(uchar, int, i32)
VX_BITWISE(short, int, i32)
VX_BITWISE(ushort, int, i32)
VX_BITWISE(int, int, i32)
VX_BITWISE(uint, int, i32)
VX_BITWISE(long, long, i64)
VX_BITWISE(ulong, long, i64)

VX_NON_UNIFORM_REDUCE_WALK(int, logical_and, VX_LAND, 1)
VX_NON_UNIFORM_REDUCE_WALK(int, logical_or, VX_LOR, 0)
VX_NON_UNIFORM_REDUCE_WALK(int, logical_xor, VX_LXOR, 0)
VX_NON_UNIFORM_SCANS(int, logical_and, VX_LAND, 1)
VX_NON_UNIFORM_SCANS(int, logical_or, VX_LOR, 0)
VX_NON_UNIFORM_SCANS(int, logical_xor, VX_LXOR, 0)
