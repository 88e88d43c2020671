// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: %shapes --warp --lower=sw %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc --vx-isa=paths -I%inputs %s -o %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=2,core.num_threads=32 %run %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=4,core.num_threads=8 %run %t.paths
// RUN: %vxcc --target=host -I%inputs %s -o %t.host && %run %t.host
//
// After a divergent branch with a uniform way out of the kernel, of a loop or of a scope in it, a warp's
// lanes meet again before the next warp function or barrier. Where only some return, the others do not wait
// for them, also on a device with paths, where those that have returned are at the barrier after the block.

#include "harness.h"
#include <vector>

enum { Threads = 96 };

/// All bits of a warp, from each of its threads, or MARK where the thread has returned.
__global__ void returnInBranch(const unsigned *in, unsigned *out, unsigned mark) {
  unsigned t = threadIdx.x;
  if (t % 16 != 8) {
    if (in[0] == mark) {
      out[t] = mark;
      return;
    }
    out[t + Threads] = t;
  }
  out[t] = __ballot_sync(~0u, true);
}

__global__ void returnBeforeBarrier(const unsigned *in, unsigned *out, unsigned mark) {
  __shared__ unsigned s[Threads];
  unsigned t = threadIdx.x;
  s[t] = ~0u;
  if (t % 3) {
    if (in[0] == mark) {
      out[t] = mark;
      return;
    }
    s[t] -= t;
  }
  __syncthreads();
  unsigned other = Threads - 1 - t;
  out[t] = other % 3 ? s[other] + other : s[other];
}

__global__ void breakInBranch(const unsigned *in, unsigned *out, unsigned mark) {
  unsigned t = threadIdx.x, all = ~0u;
  for (unsigned i = 0; i < 5; ++i) {
    if (t % 5 < i) {
      if (in[i] == mark)
        break;
      all &= ~0u - in[i] + in[1];
    }
    all &= __ballot_sync(~0u, t < Threads);
  }
  out[t] = all;
}

__global__ void skipInBranch(const unsigned *in, unsigned *out, unsigned mark) {
  unsigned t = threadIdx.x, all = in[1] == in[2] ? ~0u : 0;
  do {
    if (t & 1) {
      if (in[2] == mark)
        break;
      out[t] = 1;
    }
    all &= __ballot_sync(~0u, true);
  } while (false);
  out[t] = all;
}

__host__ __device__ bool returns(unsigned t) { return t % 3 == 1 && t * 7 % 4; }

/// The lanes that stay.
__global__ void someReturn(const unsigned *in, unsigned *out, unsigned) {
  unsigned t = threadIdx.x, some = __ballot_sync(~0u, t % 3 == 1);
  if (t % 3 == 1) {
    some = __ballot_sync(some, in[0] == 3);
    if (returns(t)) {
      out[t] = some;
      return;
    }
  }
  out[t] = __ballot_sync(~0u, true);
}

typedef void (*Kernel)(const unsigned *, unsigned *, unsigned);

/// IN has equal numbers; where MARK is another one, nothing is left early.
void check(const char *name, Kernel kernel, unsigned mark) {
  std::vector<unsigned> in(8, 3);
  DeviceArray<unsigned> deviceIn(in), out(2 * Threads);
  kernel<<<1, Threads>>>(deviceIn, out, mark);
  std::vector<unsigned> got = out.host();
  for (unsigned t = 0; t < Threads; ++t)
    expectEqual(got[t], ~0u, name, t);
}

void checkThoseWhoStay(unsigned threads) {
  std::vector<unsigned> in(8, 3);
  DeviceArray<unsigned> deviceIn(in), out(threads);
  someReturn<<<1, threads>>>(deviceIn, out, 0);
  std::vector<unsigned> got = out.host();
  for (unsigned t = 0; t < threads; ++t) {
    unsigned want = 0;
    for (unsigned i = t & ~31u; i < threads && i < (t | 31u) + 1; ++i)
      if (returns(t) ? i % 3 == 1 : !returns(i))
        want |= 1u << i % 32;
    expectEqual(got[t], want, "some return", t);
  }
}

int main() {
  check("return in a branch", returnInBranch, 7);
  check("return before a barrier", returnBeforeBarrier, 7);
  check("break in a branch", breakInBranch, 7);
  check("skip in a branch", skipInBranch, 7);
  checkThoseWhoStay(Threads);
  checkThoseWhoStay(200);
  return finish();
}
