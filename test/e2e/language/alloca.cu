// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && env VX_LOWERING=prefer-hw %shapes --few %t.0 && env VX_LOWERING=sw %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && env VX_LOWERING=prefer-hw %shapes --few %t.3 && env VX_LOWERING=sw %shapes --few %t.3
// RUN: env VX_CHECK=memcheck,initcheck %run %t.3 2>&1 | FileCheck --check-prefix=CHECKED %s
// RUN: %vxcc -O0 --target=host %s -o %t.host && %run %t.host
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
// RUN: not %run %t.3 huge 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not %run %t.3 negative 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not %run %t.host huge 2>&1 | FileCheck --check-prefix=STOP %s
//
// alloca() in device code: of a size known at run time, in a loop that makes a list, in functions
// that are called more often than there is memory for all, in recursion, with a large alignment,
// across barriers and warp functions, with threads that leave early.
// CHECKED: ERROR SUMMARY: 0 errors
// CHECKED-NEXT: PASS
// STOP: kernel `take(long, int*)` stopped: no room for the memory of an alloca
// STOP: cudaErrorHardwareStackError

#include "../Inputs/harness.h"
#include <alloca.h>

struct Node {
  unsigned value;
  Node *next;
};

__host__ __device__ unsigned list(unsigned a, unsigned b) {
  Node *first = nullptr;
  for (unsigned i = 0; i < a % 9; ++i)
    first = new (alloca(sizeof(Node))) Node{b ^ i, first};
  unsigned hash = 1;
  for (Node *node = first; node; node = node->next)
    hash = hash * 31 + node->value;
  return hash;
}

__host__ __device__ __attribute__((noinline)) unsigned reversed(unsigned n, unsigned seed) {
  unsigned *values = static_cast<unsigned *>(alloca(n * sizeof(unsigned)));
  for (unsigned i = 0; i < n; ++i)
    values[n - 1 - i] = seed * (i + 1);
  unsigned hash = 0;
  for (unsigned i = 0; i < n; ++i)
    hash = hash * 7 + values[i];
  return hash;
}

__host__ __device__ unsigned sized(unsigned a, unsigned b) { return reversed(a % 30, b); }

/// Takes some 100 KiB, of which a few hundred bytes at once.
__host__ __device__ unsigned often(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 60; ++i)
    sum += reversed((a + i) % 40 + 1, b + i);
  return sum;
}

__host__ __device__ __attribute__((noinline)) unsigned deep(unsigned n, unsigned seed) {
  if (n == 0)
    return seed;
  auto *text = static_cast<unsigned char *>(alloca(n));
  for (unsigned i = 0; i < n; ++i)
    text[i] = static_cast<unsigned char>(seed >> i % 24);
  unsigned inner = deep(n - 1, seed * 3 + 1);
  for (unsigned i = 0; i < n; ++i)
    inner = inner * 5 + text[i];
  return inner;
}
__host__ __device__ unsigned recursion(unsigned a, unsigned b) { return deep(a % 7, b); }

__host__ __device__ unsigned aligned(unsigned a, unsigned b) {
  unsigned misplaced = 0, sum = 0;
  for (unsigned i = 1; i < a % 5 + 2; ++i) {
    auto *values = static_cast<unsigned *>(__builtin_alloca_with_align(i * 4, 128 * 8));
    misplaced += reinterpret_cast<size_t>(values) % 128 != 0;
    for (unsigned k = 0; k < i; ++k)
      values[k] = b + k;
    sum += values[i - 1];
  }
  return sum + misplaced * 1000000;
}

__global__ void across(unsigned *out, int n) {
  int t = threadIdx.x;
  if (t >= n)
    return;
  unsigned *mine = static_cast<unsigned *>(alloca((t % 5 + 1) * sizeof(unsigned)));
  for (int i = 0; i <= t % 5; ++i)
    mine[i] = t * 10 + i;
  __shared__ unsigned last[256];
  unsigned total = 0;
  for (int round = 0; round < 3; ++round) {
    char *inLoop = static_cast<char *>(alloca(round + t % 3 + 1));
    inLoop[round] = static_cast<char>(t + round);
    last[t] = mine[t % 5];
    __syncthreads();
    total += last[(t + 1) % n] + __shfl_xor_sync(__activemask(), mine[0], 1) + inLoop[round];
    __syncthreads();
    mine[t % 5] += round;
  }
  out[t] = total + mine[0];
}

unsigned wanted(int t, int n) {
  unsigned total = 0, mine = t * 10 + t % 5, other = (t + 1) % n, neighbours = other * 10 + other % 5;
  unsigned own = t * 10;
  for (int round = 0; round < 3; ++round) {
    unsigned partner = t ^ 1, first = partner * 10;
    if (partner % 5 == 0 && round > 0)
      first += round * (round - 1) / 2;
    total += neighbours + round * (round - 1) / 2 + first + static_cast<char>(t + round);
    mine += round;
  }
  return total + (t % 5 == 0 ? mine : own);
}

__global__ void take(long bytes, int *out) {
  int *values = static_cast<int *>(alloca(bytes));
  values[threadIdx.x] = 1;
  *out = values[threadIdx.x];
}

int main(int argc, char **argv) {
  DeviceArray<int> one(1);
  if (argc > 1) {
    take<<<1, 4>>>(argv[1][0] == 'h' ? 1l << 30 : -4l, one);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 1;
  }
  COMPARE(list);
  COMPARE(sized);
  COMPARE(often);
  COMPARE(recursion);
  COMPARE(aligned);
  for (int n : {32, 64, 192}) {
    DeviceArray<unsigned> out(n);
    across<<<1, 256>>>(out, n);
    std::vector<unsigned> got = out.host();
    for (int t = 0; t < n; ++t)
      expectEqual(got[t], wanted(t, n), "across", t);
  }
  return finish();
}
