// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What printf writes into its record is not volatile memory of the program, by which threads of a warp exchange
// values: no synchronization is inserted there, though the pointers that are read may be to shared memory.
// RUN: %vxcc -O3 -Rvx-lower --emit=elf %s -o %t 2>&1 | FileCheck %s
// CHECK-NOT: sets of waiting threads
// CHECK: sw variant, loops over warps and lanes, {{[0-9]+}} bytes of context a thread{{$}}

#include <cstdio>
struct Input {
  const volatile int *words;
};
struct Block {
  int *words;
  __device__ __noinline__ Block(int *at) : words(at) {}
  __device__ __noinline__ int last() const { return words[31]; }
};
__global__ void kernel(const Input *in, int *out, int bound) {
  __shared__ int words[32];
  Block block(words);
  int x = in->words[threadIdx.x];
  if (x > bound) {
    printf("%d\n", x);
    x = in->words[threadIdx.x + 1];
  }
  words[threadIdx.x] = x;
  __syncwarp();
  out[threadIdx.x] = x + block.last() + __shfl_xor_sync(~0u, x, 1);
}
