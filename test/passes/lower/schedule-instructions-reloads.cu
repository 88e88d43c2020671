// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long region is scheduled only if that does not leave fewer of its values in registers. 128 values are combined eight by eight,
// each eight when they are used next; those of `far` have to be in registers all together, and the scheduler's order needs fewer
// of them at a time.
// RUN: %vxcc -O3 --lower=hw --emit=asm %s -o %t.s
// RUN: awk '/^__vx_entry.*near:/ {f = 1} /^__vx_entry.*far:/ {f = 0} f && /\((gp|sp)\)/ {++n} END {print n; exit !(n > 0 && n < 1200)}' %t.s
// RUN: awk '/^__vx_entry.*far:/ {f = 1} /^__vx_entry.*near:/ {f = 0} f && /\((gp|sp)\)/ {++n} END {print n; exit !(n > 0 && n < 1100)}' %t.s

template <int Count> __device__ void combine(float *x) {
#pragma unroll
  for (int h = 1; h < Count; h *= 2)
#pragma unroll
    for (int i = 0; i < Count; ++i)
      if (!(i & h)) {
        float a = x[i], b = x[i | h];
        x[i] = a + b;
        x[i | h] = a - b;
      }
}

template <int Count, int Together> __device__ void transform(float *p) {
  float x[Count];
#pragma unroll
  for (int i = 0; i < Count; ++i)
    x[i] = p[i * 256 + threadIdx.x];
#pragma unroll
  for (int c = 0; c < Count; c += Together)
    combine<Together>(x + c);
#pragma unroll
  for (int i = 0; i < Count; ++i)
    p[i * 256 + threadIdx.x] = x[i];
}

extern "C" __global__ void near(float *p) {
  transform<128, 8>(p);
}

extern "C" __global__ void far(float *p) {
  transform<64, 64>(p);
}
