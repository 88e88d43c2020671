// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gdb
// RUN: %vxcc -G --vx-xlen=32,64 %s -o %t
// RUN: env VX_LOWERING=hw %python %S/run-gdb.py %s %t > %t.hw && FileCheck %s < %t.hw
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=1,core.num_threads=32 %python %S/run-gdb.py %s %t > %t.one && FileCheck %s < %t.one
// RUN: env VX_LOWERING=sw %python %S/run-gdb.py %s %t > %t.sw && FileCheck %s < %t.sw
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %python %S/run-gdb.py %s %t > %t.block && FileCheck %s < %t.block
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=hw %python %S/run-gdb.py %s %t > %t.hw32 && FileCheck %s < %t.hw32
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=sw %python %S/run-gdb.py %s %t > %t.sw32 && FileCheck %s < %t.sw32
// RUN: %vxcc -G --vx-isa=paths %s -o %t.p
// RUN: env VX_CONFIG=%root/test/e2e/Inputs/paths.toml %python %S/run-gdb.py %s %t.p > %t.paths && FileCheck %s < %t.paths
//
// What a debugger assigns to variables is what the program continues with: locals and parameters of
// any type, loop counters, what was assigned before a barrier, shared variables, those whose
// address is taken, arrays. Other threads keep their values, also where all have had the same.
#include <cstdio>

struct Pair {
  int first;
  float second;
};

__device__ __noinline__ void add(int *to, int by) {
  *to += by; // {add}
}

__global__ void sum(int *out, int n, Pair pair) {
  __shared__ int tile[32];
  int value = threadIdx.x, taken = 5;
  int table[4] = {1, 2, 3, 4};
  float scale = 0.5f;
  Pair local = {1, 1.5f};
  int *to = out;
  add(&taken, 100);
  tile[threadIdx.x] = value;
  int turns = 0;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    ++turns; // {turn}
    tile[threadIdx.x] += __shfl_sync(~0u, value, 0); // adds 0
    __syncthreads();
  }
  int more = 0;
  for (int k = 0; k < 3; ++k)
    more += 5; // {more}
  to[threadIdx.x] = more + value + taken + table[value & 3] + tile[31 - value]; // {sum}
  out[32 + threadIdx.x] = turns * 1000 + int(scale * 8) * 100 + local.first * 10 + int(local.second * 2);
  out[64 + threadIdx.x] = n * 100 + pair.first * 10 + int(pair.second * 2);
}

int main() {
  int *out, host[128] = {};
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(out, 4, {3, 0.5f});
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int thread : {3, 4})
    std::printf("thread %d: %d %d %d\n", thread, host[thread], host[32 + thread], host[64 + thread]);
  std::printf("elsewhere: %d\n", host[96 + 3]);
}

// GDB: break {add} if $threadIdx_x == 3
// GDB: continue
// GDB: set var by = 200
// GDB: delete
// GDB: break {turn} if $threadIdx_x == 3 && i == 2
// GDB: continue
// GDB: print i
// GDB: set var turns = 10
// GDB: delete
// GDB: break {more} if $threadIdx_x == 3
// GDB: continue
// GDB: set var k = -5
// GDB: delete
// GDB: break {sum} if $threadIdx_x == 3
// GDB: continue
// GDB: set var value = 2
// GDB: print value
// GDB: print taken
// GDB: set var taken = 1000
// GDB: set var table[2] = 20000
// GDB: set var tile[29] = 300000
// GDB: set var scale = 0.25
// GDB: set var local.first = 7
// GDB: set var local.second = 2
// GDB: set var n = 6
// GDB: set var pair.first = 5
// GDB: set var pair.second = 4.5
// GDB: set var to = out + 96
// GDB: delete
// GDB: continue
// CHECK: $1 = 2
// CHECK: $2 = 2
// CHECK: $3 = 205
// CHECK-NOT: warning
// CHECK: --- the program
// CHECK: thread 3: 0 12274 659
// CHECK: thread 4: 152 4413 431
// CHECK: elsewhere: 321042
// CHECK: exit code 0
