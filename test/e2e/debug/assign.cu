// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gdb
// RUN: %vxcc -G --vx-xlen=32,64 %s -o %t
// RUN: env VX_LOWERING=hw %python %S/run-gdb.py --commands=%root/tools/gdb/vx.py %s %t > %t.hw && FileCheck %s < %t.hw
// RUN: env VX_LOWERING=sw %python %S/run-gdb.py --commands=%root/tools/gdb/vx.py %s %t > %t.sw && FileCheck %s < %t.sw
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=hw %python %S/run-gdb.py --commands=%root/tools/gdb/vx.py %s %t > %t.hw32 && FileCheck %s < %t.hw32
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=sw %python %S/run-gdb.py --commands=%root/tools/gdb/vx.py %s %t > %t.sw32 && FileCheck %s < %t.sw32
//
// What a debugger assigns to variables: shared ones, those whose address is taken, arrays, memory and registers
// are the program's. Others are copies, and vx.py says so.
#include <cstdio>

__device__ __noinline__ void add(int *to, int by) {
  *to += by;
}

__global__ void sum(int *out) {
  __shared__ int tile[32];
  int value = threadIdx.x, taken = 5;
  int table[4] = {1, 2, 3, 4};
  add(&taken, 100);
  tile[threadIdx.x] = value;
  __syncthreads();
  out[threadIdx.x] = value + taken + table[value & 3] + tile[31 - value]; // {sum}
}

int main() {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  sum<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[3], host[4]);
}

// GDB: break {sum} if $threadIdx_x == 3
// GDB: continue
// GDB: set var value = 50
// GDB: print value
// GDB: set var taken = 1000
// GDB: set var table[3] = 20000
// GDB: set var tile[28] = 300000
// GDB: print taken + table[3] + tile[28]
// GDB: delete
// GDB: continue
// CHECK-DAG: warning: the program goes on with its own value of `value`, unless it has taken the address
// CHECK-DAG: warning: the program goes on with its own value of `taken`
// CHECK-DAG: $1 = 50
// CHECK-DAG: $2 = 321000
// CHECK-NOT: warning
// CHECK: --- the program
// CHECK: 321003 137
// CHECK: exit code 0
