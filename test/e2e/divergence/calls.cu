// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: %vxcc -O3 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
// RUN: %vxcc -O0 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
//
// Calls in diverged code: out-of-line functions with their own control flow, early returns,
// recursion of lane-dependent depth, indirect and virtual calls whose target depends on the lane,
// threads that return from the kernel early.

#include "../Inputs/harness.h"

#define OUT_OF_LINE __host__ __device__ __attribute__((noinline))

OUT_OF_LINE unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

OUT_OF_LINE unsigned classify(unsigned x) {
  if (x < 10)
    return 1;
  if (x % 7 == 0)
    return power(x, x % 9);
  for (unsigned i = 2; i < 12; ++i)
    if (x % i == 0)
      return i;
  return x & 0xfff;
}

__host__ __device__ unsigned callsInBranches(unsigned a, unsigned b) {
  unsigned r = 0;
  if (a & 1)
    r = classify(b % 200);
  else if (a & 2)
    r = power(a, b % 13) + classify(a % 100);
  for (unsigned i = 0; i < b % 6; ++i)
    if (a >> i & 1)
      r += classify(r % 300 + i);
  return r;
}

OUT_OF_LINE unsigned treeSum(unsigned node, unsigned depth, unsigned seed) {
  if (depth == 0 || mixed(node ^ seed) % 8 == 0)
    return node & 0xff;
  unsigned left = treeSum(node * 2, depth - 1, seed);
  if (left % 5 == 0)
    return left + 1;
  return left * 3 + treeSum(node * 2 + 1, depth - 1, seed);
}

__host__ __device__ unsigned recursion(unsigned a, unsigned b) {
  return (a & 3) == 0 ? b : treeSum(1, a % 7, b);
}

OUT_OF_LINE unsigned plus(unsigned x, unsigned y) {
  return x + y;
}
OUT_OF_LINE unsigned loopy(unsigned x, unsigned y) {
  while (x % 5 != 0)
    x += 1 + (y & 1);
  return x;
}
OUT_OF_LINE unsigned selfish(unsigned x, unsigned y) {
  return x ? selfish(x / 3, y + 1) : y;
}
OUT_OF_LINE unsigned branchy(unsigned x, unsigned y) {
  return x > y ? x - y : classify(y % 77);
}

__host__ __device__ unsigned indirect(unsigned a, unsigned b) {
  unsigned (*table[4])(unsigned, unsigned) = {plus, loopy, selfish, branchy};
  unsigned r = table[a & 3](a >> 2, b);
  if (b & 1)
    r ^= table[b >> 1 & 3](b, a % 50);
  for (unsigned i = 0; i < a % 4; ++i)
    r += table[(r + i) & 3](r, i);
  return r;
}

struct Node {
  __host__ __device__ virtual unsigned visit(unsigned x) const { return x + 1; }
};
struct Twice : Node {
  __host__ __device__ unsigned visit(unsigned x) const override { return x * 2; }
};
struct Chain : Node {
  const Node *next;
  __host__ __device__ explicit Chain(const Node *next) : next(next) {}
  __host__ __device__ unsigned visit(unsigned x) const override {
    return x > 1000000 ? x : next->visit(x ^ 5) + 3;
  }
};

__host__ __device__ unsigned virtualCalls(unsigned a, unsigned b) {
  Node plain;
  Twice twice;
  Chain first(&twice), second(&first);
  const Node *nodes[4] = {&plain, &twice, &first, &second};
  unsigned r = b % 1000;
  for (unsigned i = 0; i < 4; ++i)
    r = nodes[a >> i * 2 & 3]->visit(r);
  return r;
}

__global__ void leaveEarly(unsigned *out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<unsigned>(n))
    return;
  out[i] = 1;
  if (i % 3 == 0)
    return;
  for (unsigned k = 0; k < i % 7; ++k) {
    out[i] += k;
    if (out[i] > 9)
      return;
  }
  out[i] = classify(i) + 1000;
}

static void checkLeaveEarly() {
  const int n = 250;
  DeviceArray<unsigned> out(n);
  leaveEarly<<<6, 45>>>(out, n);
  std::vector<unsigned> got = out.host();
  for (unsigned i = 0; i < n; ++i) {
    unsigned want = 1;
    for (unsigned k = 0; k < i % 7 && i % 3 != 0 && want <= 9; ++k)
      want += k;
    if (i % 3 != 0 && want <= 9)
      want = classify(i) + 1000;
    expectEqual(got[i], want, "leaveEarly", i);
  }
}

int main() {
  COMPARE(callsInBranches);
  COMPARE(recursion);
  COMPARE(indirect);
  COMPARE(virtualCalls);
  checkLeaveEarly();
  return finish();
}
