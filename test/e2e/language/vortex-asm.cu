// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RISC-V assembly in device code: operands of each kind, constants, operands that are read and
// written, early clobbers, addresses of global and shared memory; in hw, in every sw mapping, and
// with 32-bit registers.
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --few --lower=sw %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.0
// RUN: %run %t.0
// RUN: %vxcc -O3 --vx-xlen=32 -I%inputs %s -o %t.32
// RUN: env VX_SET=isa.xlen=32 %run %t.32

#include "harness.h"

struct Result {
  int product, less, stepped, loaded, after, stored, rounds, votes;
  unsigned short half;
  float single;
  double wide;
};

// The instruction by its number, as an architect's own would be: mul (opcode 0x33, funct7 1).
__device__ int mulInsn(int a, int b) {
  int r;
  asm(".vortex; .insn r 0x33, 0, 1, %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__global__ void k(const int *in, Result *out, int n) {
  __shared__ int s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  int a = in[i], b = in[i + 1];
  Result &r = out[i];
  r.product = mulInsn(a, b);
  int less, stepped = a;
  // The comparison reads whole registers: operands are sign-extended.
  asm(".vortex\n\tslt %0, %1, %2" : "=r"(less) : "r"(a), "r"(b));
  r.less = less;
  asm(".vortex addi %0, %0, %1" : "+r"(stepped) : "n"(-17));
  r.stepped = stepped;
  short h = (short)a;
  asm(".vortex; xori %0, %0, -1" : "+h"(h));
  r.half = (unsigned short)h;
  float f = a;
  asm(".vortex; fadd.s %0, %0, %1" : "+f"(f) : "f"(0.5f));
  r.single = f;
  double d;
  asm(".vortex; fmul.d %0, %1, %1" : "=d"(d) : "d"((double)a));
  r.wide = d;
  s[t] = a;
  __syncthreads();
  int loaded, after;
  asm volatile(".vortex; lw %0, 0(%2)\n\tlw %1, 4(%3)"
               : "=&r"(loaded), "=r"(after)
               : "l"(&s[blockDim.x - 1 - t]), "l"(&in[i])
               : "memory");
  r.loaded = loaded;
  r.after = after;
  __syncthreads();
  asm volatile(".vortex; sw %1, 0(%0)" ::"l"(&s[t]), "r"(loaded + 1) : "memory");
  __syncthreads();
  // Results count as different in each lane.
  int rounds = 0, x;
  do {
    asm volatile(".vortex; addi %0, %1, 1" : "=r"(x) : "r"(rounds));
    rounds = x;
  } while (rounds < (t & 7));
  r.rounds = rounds;
  r.stored = s[blockDim.x - 1 - t];
  r.votes = __popc(__ballot_sync(~0u, a & 1));
}

int main() {
  const int threads = 64, blocks = 5, n = threads * blocks;
  int *in;
  Result *out;
  int host[n + 1];
  static Result got[n];
  for (int i = 0; i <= n; i++)
    host[i] = (int)(i * 2654435761u >> 4) - (1 << 27);
  CHECK(cudaMalloc(&in, sizeof host));
  CHECK(cudaMalloc(&out, sizeof got));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  k<<<blocks, threads>>>(in, out, n);
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    int t = i % threads, base = i - t, a = host[i], votes = 0;
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++)
      votes += host[j] & 1;
    int rounds = (t & 7) ? t & 7 : 1;
    const Result &r = got[i];
    expectEqual(r.product, int(unsigned(a) * unsigned(host[i + 1])), "product", i);
    expectEqual(r.less, int(a < host[i + 1]), "comparison", i);
    expectEqual(r.stepped, a - 17, "operand that is read and written", i);
    expectEqual(r.loaded, host[base + threads - 1 - t], "load of shared memory", i);
    expectEqual(r.after, host[i + 1], "load of global memory", i);
    expectEqual(r.stored, a + 1, "store to shared memory", i);
    expectEqual(r.rounds, rounds, "rounds", i);
    expectEqual(r.votes, votes, "votes", i);
    expectEqual(r.half, (unsigned short)~a, "16 bits", i);
    expectEqual(r.single, float(a) + 0.5f, "float", i);
    expectEqual(r.wide, double(a) * a, "double", i);
  }
  return finish();
}
