// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gdb
// RUN: %vxcc -G --vx-xlen=32,64 %s -o %t
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=1,core.num_threads=2 %python %S/run-gdb.py %s %t > %t.hw && FileCheck %s < %t.hw
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=1,core.num_threads=2 %python %S/run-gdb.py %s %t > %t.sw && FileCheck %s < %t.sw
// RUN: env VX_LOWERING=sw VX_SET=isa.xlen=32,core.num_warps=1,core.num_threads=2 %python %S/run-gdb.py %s %t > %t.sw32 && FileCheck %s < %t.sw32
//
// Structures of a thread that were assigned before a barrier are those of the thread after it, also
// where one worker runs all threads of a block in turn and nothing in the program reads them again.
#include <cstdio>

struct Pair {
  int first;
  float second;
};

__global__ void fill(int *out) {
  int i = threadIdx.x;
  Pair mine = {i * 10, i * 0.5f};
  Pair other = mine;
  other.first += 1;
  out[i] = other.first;
  __syncthreads();
  int next = out[31 - i]; // {behind}
  __syncthreads();
  out[i] = next; // {store}
}

int main() {
  int host[32], *data;
  cudaMalloc(&data, sizeof host);
  fill<<<1, 32>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[3]);
}

// GDB: break {behind} if i == 3
// GDB: continue
// GDB: print mine
// GDB: print other
// GDB: delete
// GDB: break {store} if i == 5
// GDB: continue
// GDB: print mine
// GDB: print other
// GDB: delete
// GDB: continue
// CHECK: $1 = {first = 30, second = 1.5}
// CHECK: $2 = {first = 31, second = 1.5}
// CHECK: $3 = {first = 50, second = 2.5}
// CHECK: $4 = {first = 51, second = 2.5}
// CHECK: --- the program
// CHECK: 281
