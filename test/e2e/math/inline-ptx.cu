// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Inline PTX as CUDA programs use it: special registers, bit fields, carry chains, guarded
// statements, cached and shared loads, atomics, barriers.

#include "../Inputs/harness.h"
#include <cmath>

struct Results {
  unsigned lane, maskLt, field, inserted, permuted, logic, selected, guarded, loaded, shared, high,
      copied;
  unsigned long long sum;
  float rounded, magnitudes[4];
  unsigned mask[2], zeroExtended[2], sharedBytes[4], isCluster;
  int signExtended[2];
};

/// Returns bits AT to AT + WIDTH - 1; with WRAP, both modulo 32.
unsigned bitMask(unsigned at, unsigned width, bool wrap) {
  unsigned result = 0;
  at = wrap ? at % 32 : at;
  width = wrap ? width % 32 : width;
  for (unsigned bit = 0; bit < 32; ++bit)
    if (bit >= at && bit - at < width)
      result |= 1u << bit;
  return result;
}

/// Returns the low WIDTH bits of X, with WRAP modulo 32, and its sign above.
int extended(unsigned x, unsigned width, bool wrap, bool isSigned) {
  width = wrap ? width % 32 : width;
  if (width >= 32)
    return int(x);
  unsigned low = bitMask(0, width, false);
  bool negative = isSigned && width && (x >> (width - 1) & 1);
  return int(negative ? x | ~low : x & low);
}

__global__ void run(const unsigned *in, Results *out, unsigned *counter) {
  __shared__ unsigned tile[64];
  int i = threadIdx.x;
  unsigned x = in[i], y = in[63 - i];
  Results r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r.lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r.maskLt));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(r.sharedBytes[0]));
  asm("mov.u32 %0, %%aggr_smem_size;" : "=r"(r.sharedBytes[1]));
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(r.sharedBytes[2]));
  asm("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(r.sharedBytes[3]));
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }"
      : "=r"(r.isCluster));
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r.field) : "r"(x), "r"(5), "r"(9));
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(r.inserted) : "r"(x), "r"(y));
  asm("prmt.b32 %0, %1, %2, 0x3174;" : "=r"(r.permuted) : "r"(x), "r"(y));
  unsigned at = i % 3 ? x % 40 : 32, width = i % 5 ? y % 40 : 0;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r.mask[0]) : "r"(at), "r"(width));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r.mask[1]) : "r"(at), "r"(width));
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r.zeroExtended[0]) : "r"(x), "r"(width));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r.zeroExtended[1]) : "r"(x), "r"(width));
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r.signExtended[0]) : "r"(x), "r"(width));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r.signExtended[1]) : "r"(x), "r"(width));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r.logic) : "r"(x), "r"(y), "r"(in[i ^ 1]));
  asm("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\tselp.u32 %0, %1, %2, p;\n\t}"
      : "=r"(r.selected)
      : "r"(x), "r"(y));
  r.guarded = x;
  asm("{ .reg .pred p; setp.gt.s32 p, %1, 31; @p add.u32 %0, %0, 100; @!p xor.b32 %0, %0, 1; }"
      : "+r"(r.guarded)
      : "r"(i));
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r.loaded) : "l"(in + i) : "memory");
  asm("mad.hi.u32 %0, %1, %2, 1;" : "=r"(r.high) : "r"(x), "r"(y));
  unsigned lo, hi;
  asm("{ .reg .u32 t;\n add.cc.u32 t, %2, %3; // low words\n mov.u32 %0, t;\n addc.u32 %1, %4, %5; "
      "}"
      : "=r"(lo), "=r"(hi)
      : "r"(x), "r"(y), "r"(x), "r"(y));
  asm("mov.b64 %0, {%1, %2};" : "=l"(r.sum) : "r"(lo), "r"(hi));
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(r.rounded) : "f"(x * 1e-6f));
  float nan = __int_as_float(0x7fffffff), small = i % 7 ? -1.5f * i : nan, large = i % 5 ? i - 9.f : nan;
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r.magnitudes[0]) : "f"(small), "f"(large));
  asm("max.ftz.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(r.magnitudes[1]) : "f"(small), "f"(large));
  asm("min.f32 %0, %1, %2, 3.0;" : "=f"(r.magnitudes[2]) : "f"(small), "f"(large));
  asm("max.NaN.abs.f32 %0, %1, %2, 0f40400000;" : "=f"(r.magnitudes[3]) : "f"(small), "f"(large));
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.wait;" ::: "memory");
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();

  // Shared addresses fit 32 bits, as on a GPU.
  unsigned tileAt = static_cast<unsigned>(__cvta_generic_to_shared(&tile[i]));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(tileAt), "r"(y) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1];"
               : "=r"(r.shared)
               : "l"((size_t)__cvta_generic_to_shared(&tile[63 - i]))
               : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(tileAt), "l"(in + (i ^ 5)) : "memory");
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
  r.copied = tile[i];
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counter), "r"(i) : "memory");
  asm volatile(
      "{ .reg .pred p; setp.eq.s32 p, %1, 7; @p red.global.add.u32 [%0], 100000; }" ::"l"(counter),
      "r"(i)
      : "memory");
  asm volatile("membar.gl;" ::: "memory");
  out[i] = r;
}

int main() {
  std::vector<unsigned> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = mixed(i + 5);
  DeviceArray<unsigned> deviceIn(in), counter(1);
  DeviceArray<Results> deviceOut(64);
  constexpr unsigned kDynamic = 200, kStatic = 64 * sizeof(unsigned);
  run<<<1, 64, kDynamic>>>(deviceIn, deviceOut, counter);
  auto out = deviceOut.host();
  for (int i = 0; i < 64; ++i) {
    unsigned x = in[i], y = in[63 - i], z = in[i ^ 1];
    const Results &r = out[i];
    expectEqual<unsigned>(r.lane, i % 32, "laneid", i);
    expectEqual<unsigned>(r.maskLt, (1u << i % 32) - 1, "lanemask_lt", i);
    for (int k = 0; k < 2; ++k)
      expectEqual<unsigned>(r.sharedBytes[k], (kStatic + kDynamic + 15) / 16 * 16, "smem size", i);
    expectEqual<unsigned>(r.sharedBytes[2], kDynamic, "dynamic_smem_size", i);
    expectEqual<unsigned>(r.sharedBytes[3], 0, "reserved_smem_offset_end", i);
    expectEqual<unsigned>(r.isCluster, 0, "is_explicit_cluster", i);
    expectEqual<unsigned>(r.field, x >> 5 & 0x1ff, "bfe", i);
    unsigned at = i % 3 ? x % 40 : 32, width = i % 5 ? y % 40 : 0;
    for (int wrap = 0; wrap < 2; ++wrap) {
      expectEqual(r.mask[wrap], bitMask(at, width, wrap), "bmsk", i);
      expectEqual(int(r.zeroExtended[wrap]), extended(x, width, wrap, false), "szext.u32", i);
      expectEqual(r.signExtended[wrap], extended(x, width, wrap, true), "szext.s32", i);
    }
    expectEqual<unsigned>(r.inserted, (y & ~0xfff00u) | (x << 8 & 0xfff00u), "bfi", i);
    unsigned perm = (y & 0xff) | (y >> 24) << 8 | (x >> 8 & 0xff) << 16 | (x >> 24) << 24;
    expectEqual<unsigned>(r.permuted, perm, "prmt", i);
    expectEqual<unsigned>(r.logic, (x & y) | (x & z) | (y & z), "lop3", i);
    expectEqual<unsigned>(r.selected, x < y ? x : y, "selp", i);
    expectEqual<unsigned>(r.guarded, i > 31 ? x + 100 : x ^ 1, "guard", i);
    expectEqual<unsigned>(r.loaded, x, "ld.cg", i);
    expectEqual<unsigned>(r.high, ((unsigned long long)x * y >> 32) + 1, "mad.hi", i);
    unsigned long long carry = ((unsigned long long)x + y) >> 32;
    expectEqual<unsigned long long>(
        r.sum, (unsigned long long)(unsigned)(x + y + carry) << 32 | (unsigned)(x + y), "addc", i);
    expectEqual<float>(r.rounded, __builtin_ceilf(x * 1e-6f), "cvt.rpi", i);
    bool smallNan = i % 7 == 0, largeNan = i % 5 == 0, either = smallNan || largeNan;
    float s = -1.5f * i, l = i - 9.f, as = std::fabs(s), al = std::fabs(l), three = 3;
    float sign = std::signbit(s) != std::signbit(l) ? -1 : 1;
    auto isNan = [](float f) { return f != f; };
    expect(smallNan && largeNan ? isNan(r.magnitudes[0])
                                : r.magnitudes[0] == (smallNan   ? l
                                                      : largeNan ? s
                                                                 : sign * std::fmin(as, al)),
           "min.xorsign.abs", i);
    expect(either ? isNan(r.magnitudes[1]) : r.magnitudes[1] == sign * std::fmax(as, al),
           "max.NaN.xorsign.abs", i);
    expectEqual(r.magnitudes[2],
                std::fmin(smallNan ? three : s, std::fmin(largeNan ? three : l, three)), "min of 3", i);
    expect(either ? isNan(r.magnitudes[3])
                  : r.magnitudes[3] == std::fmax(three, std::fmax(as, al)), "max.abs of 3", i);
    expectEqual<unsigned>(r.shared, in[i], "shared", i);
    expectEqual<unsigned>(r.copied, in[i ^ 5], "cp.async", i);
  }
  expectEqual<unsigned>(counter.host()[0], 63 * 32 + 100000, "red");
  return finish();
}
