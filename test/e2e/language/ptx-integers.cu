// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t && %run %t
// RUN: %vxcc -O2 --vx-xlen=32 %s -o %t.32 && env VX_SET=isa.xlen=32 %run %t.32
//
// Inline PTX that saturates or keeps the high half: against the same in 64 bits on the host, for all
// pairs of hard values. And the size of dynamic shared memory.

#include "../Inputs/harness.h"
#include <cstdint>

// Name, instruction, whether %3 is an operand, what the host computes of A, B and C.
#define OPERATIONS(X)                                                                              \
  X(addSat, "add.sat.s32 %0, %1, %2;", clamp(s(a) + s(b)))                                         \
  X(subSat, "sub.sat.s32 %0, %1, %2;", clamp(s(a) - s(b)))                                         \
  X(madHiSat, "mad.hi.sat.s32 %0, %1, %2, %3;", clamp((s(a) * s(b) >> 32) + s(c)))                 \
  X(mul24Hi, "mul24.hi.s32 %0, %1, %2;", s24(a) * s24(b) >> 16)                                    \
  X(mul24HiU, "mul24.hi.u32 %0, %1, %2;", u24(a) * u24(b) >> 16)                                   \
  X(mad24HiU, "mad24.hi.u32 %0, %1, %2, %3;", (u24(a) * u24(b) >> 16) + c)                         \
  X(vadd, "vadd.s32.s32.s32.sat %0, %1, %2, %3;", clamp(s(a) + s(b)))                              \
  X(vaddU, "vadd.u32.s32.u32.sat %0, %1, %2, %3;", clampU(s(a) + u(b)))                            \
  X(vaddThen, "vadd.s32.u32.s32.add %0, %1, %2, %3;", u(a) + s(b) + c)                             \
  X(vsubMin, "vsub.s32.s32.s32.sat.min %0, %1, %2, %3;", least(clamp(s(a) - s(b)), s(c)))          \
  X(vabsdiff, "vabsdiff.u32.s32.s32.max %0, %1, %2, %3;", most(magnitude(s(a) - s(b)), u(c)))      \
  X(vmin, "vmin.s32.s32.u32.sat %0, %1, %2, %3;", clamp(least(s(a), u(b))))                        \
  X(vmax, "vmax.s32.s32.s32 %0, %1, %2, %3;", most(s(a), s(b)))

__global__ void compute(const uint32_t *values, int n, uint32_t *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  uint32_t a = values[i / n], b = values[i % n], c = a ^ b << 1, r;
#define X(NAME, INSN, HOST)                                                                        \
  asm(INSN : "=r"(r) : "r"(a), "r"(b), "r"(c));                                                    \
  *out = r;                                                                                        \
  out += n * n;
  out += i;
  OPERATIONS(X)
#undef X
}

__global__ void dynamicSize(uint32_t *out) {
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(*out));
}

static int64_t s(uint32_t x) {
  return int32_t(x);
}
static int64_t u(uint32_t x) {
  return x;
}
static int64_t u24(uint32_t x) {
  return x & 0xffffff;
}
static int64_t s24(uint32_t x) {
  return int32_t(x << 8) >> 8;
}
static int64_t least(int64_t x, int64_t y) {
  return x < y ? x : y;
}
static int64_t most(int64_t x, int64_t y) {
  return x > y ? x : y;
}
static int64_t clamp(int64_t x) {
  return most(INT32_MIN, least(INT32_MAX, x));
}
static int64_t clampU(int64_t x) {
  return most(0, least(UINT32_MAX, x));
}
static int64_t magnitude(int64_t x) {
  return x < 0 ? -x : x;
}

int main() {
  std::vector<uint32_t> values = {0,          1,          2,          0x7fffffff, 0x80000000,
                                  0x80000001, 0xffffffff, 0xfffffffe, 0x00ffffff, 0x00800000,
                                  0x007fffff, 0x12345678, 0xdeadbeef, 0x40000000};
  const int n = int(values.size()), pairs = n * n;
  constexpr int kOperations = 13;
  DeviceArray<uint32_t> in(values), out(pairs * kOperations);
  compute<<<(pairs + 63) / 64, 64>>>(in, n, out);
  std::vector<uint32_t> got = out.host();
  for (int i = 0; i < pairs; ++i) {
    uint32_t a = values[i / n], b = values[i % n], c = a ^ b << 1;
    int at = i;
#define X(NAME, INSN, HOST)                                                                        \
  expectEqual(got[at], uint32_t(HOST), #NAME, i);                                                  \
  at += pairs;
    OPERATIONS(X)
#undef X
  }
  DeviceArray<uint32_t> size(1);
  dynamicSize<<<1, 1, 1234>>>(size);
  EXPECT(size.host()[0] == 1234);
  return finish();
}
